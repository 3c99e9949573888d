// The message of a refused call: the server's sentence, or ours when the server cannot be reached.
import type { CallError } from "../../../client/call.ts";
import { useCountdown } from "./countdown.ts";
import { useWords } from "./words.ts";

/** Returns the sentence; undefined when nothing was refused, or the wait is over. */
export function useRefusal(error: CallError | undefined): string | undefined {
  const { parts: words } = useWords();
  const wait = useCountdown(error?.status === 429 ? (error.retryAfter ?? 1) : undefined);
  if (!error) return undefined;
  if (error.status === 429) return wait && words.wait(wait);
  // Missing configuration is not temporary, and the server's sentence says who can set it up.
  if (error.code === "not_configured") return error.message;
  if (error.status === 0) return words.unreachable;
  if (error.status >= 500) return words.failed(error.requestId ?? "");
  return error.message;
}
