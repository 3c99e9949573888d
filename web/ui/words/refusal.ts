// The message of a refused call: the server's sentence, or ours when the server cannot be reached or has failed.
import { createElement as element, Fragment, type ReactNode } from "react";
import { CallError } from "../../../client/call.ts";
import { secondsText, useCountdown } from "./countdown.ts";
import { currentWords, useWords } from "./words.ts";

/**
 * Returns the sentence; undefined when nothing was refused, or the wait is over. The time that runs down in it is for the
 * eyes: in a live region, a screen reader would read the sentence each second.
 */
export function useRefusal(error: CallError | undefined): ReactNode {
  const { parts: words } = useWords();
  const wait = useWait(error);
  if (error?.status !== 429) return error && sentenceOf(error, words);
  if (wait === undefined) return undefined;
  return element(
    Fragment,
    {},
    element("span", { "aria-hidden": true }, wait),
    element("span", { className: "visually-hidden" }, words.wait(secondsText(waitOf(error)))),
  );
}

/** Returns the reason why a button is disabled after a rate limit; undefined when the wait is over. */
export function useWait(error: CallError | undefined): string | undefined {
  const { parts: words } = useWords();
  const left = useCountdown(error?.status === 429 ? waitOf(error) : undefined);
  return left && words.wait(left);
}

function waitOf({ retryAfter = 1 }: CallError): number {
  return retryAfter;
}

/** Returns the sentence at this moment, outside of views. Anything but a CallError is a bug, and thrown again. */
export function refusalOf(thrown: unknown): string {
  return sentenceOf(CallError.from(thrown), currentWords().parts);
}

function sentenceOf(error: CallError, words: ReturnType<typeof currentWords>["parts"]): string {
  // Missing configuration is not temporary, and the server's sentence says who can set it up.
  if (error.code === "not_configured") return error.message;
  if (error.status === 0) return words.unreachable;
  // A proxy's refusal has no sentence.
  if (error.status >= 500 || !error.message) return words.failed(error.requestId ?? "");
  return error.message;
}
