// The message of a refused call, as a live region that screen readers announce.
import type { CallError } from "../../../client/call.ts";
import { Problem } from "../controls/entry.tsx";
import { useRefusal } from "../words/refusal.ts";

export function Refused({ by: error }: { by: CallError | undefined }) {
  const sentence = useRefusal(error);
  return <div role="status">{sentence !== undefined && <Problem>{sentence}</Problem>}</div>;
}
