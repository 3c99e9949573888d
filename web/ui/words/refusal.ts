// The message of a refused call: the server's sentence, or ours when the server cannot be reached or has failed.
import { CallError } from "../../../client/call.ts";
import { useCountdown } from "./countdown.ts";
import { currentWords, useWords } from "./words.ts";

/** Returns the sentence; undefined when nothing was refused, or the wait is over. */
export function useRefusal(error: CallError | undefined): string | undefined {
  const { parts: words } = useWords();
  const wait = useCountdown(error?.status === 429 ? (error.retryAfter ?? 1) : undefined);
  if (!error) return undefined;
  return error.status === 429 ? wait && words.wait(wait) : sentenceOf(error, words);
}

/** Returns the sentence at this moment, outside of views. Anything but a CallError is a bug, and thrown again. */
export function refusalOf(thrown: unknown): string {
  return sentenceOf(CallError.from(thrown), currentWords().parts);
}

function sentenceOf(error: CallError, words: ReturnType<typeof currentWords>["parts"]): string {
  // Missing configuration is not temporary, and the server's sentence says who can set it up.
  if (error.code === "not_configured") return error.message;
  if (error.status === 0) return words.unreachable;
  if (error.status >= 500) return words.failed(error.requestId ?? "");
  return error.message;
}
