// The reason why an action on a message failed: the server's sentence, or that the server is unreachable.
import { CallError } from "../../../../client/call.ts";
import type { Words } from "../../../../web/words/en.ts";

/** Takes the error of a call; anything but a CallError is a bug, and thrown again. */
export function reasonOf(thrown: unknown, { messages: words }: Words): string {
  const { passes, message } = CallError.from(thrown);
  return passes ? words.cannotReach : message;
}
