// How often somebody calls the reader, for the ways to the mentions.
import { mentionsIn } from "../../client/unread.ts";
import { useCopy } from "../ui/session/house.tsx";

export function useMentionCount(): number {
  return useCopy(mentionsIn);
}
