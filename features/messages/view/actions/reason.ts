// Why something could not be done with a message: the server's sentence, or that it could not be asked.
import { CallError } from "../../../../client/call.ts";
import type { Words } from "../../../../web/words/en.ts";

/** Of what a call threw; anything else is a fault of ours, and thrown again. */
export function reasonOf(thrown: unknown, { messages: words }: Words): string {
  const { passes, message } = CallError.from(thrown);
  return passes ? words.cannotReach : message;
}
