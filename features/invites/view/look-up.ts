// Looks an invite up, and again after a failure.
import { useEffect, useState } from "react";
import { CallError } from "../../../client/call.ts";

interface LookUp<Found> {
  found: Found | undefined;
  error: CallError | undefined;
  askAgain(): void;
}

/** `ask` must stay the same as long as the invite does. */
export function useLookUp<Found>(ask: (signal: AbortSignal) => Promise<Found>): LookUp<Found> {
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<CallError>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks once.
  useEffect(() => {
    const asking = new AbortController();
    ask(asking.signal).then(setFound, (failure) => {
      if (!asking.signal.aborted) setError(CallError.from(failure));
    });
    return () => asking.abort();
  }, [ask, tries]);

  // Clears the previous result: a rate limit that is still shown as over would cause one more request.
  function askAgain() {
    setFound(undefined);
    setError(undefined);
    setTries(tries + 1);
  }

  return { found, error, askAgain };
}
