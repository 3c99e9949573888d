// The number of the reader's unread mentions, for the links to the mentions.
import { mentionsIn } from "../../client/unread.ts";
import { useCopy } from "../ui/session/house.tsx";

export function useMentionCount(): number {
  return useCopy(mentionsIn);
}
