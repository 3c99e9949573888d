// The state of a button's or form's action: whether it is running, and why it failed.
import { useCallback, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { useGone } from "../browser/gone.ts";

export interface Act {
  isBusy: boolean;
  /** Why the last try failed; cleared by the next one. */
  error: CallError | undefined;
  /**
   * Returns whether the work succeeded. Rethrows anything but a refused call. `done` is called after success, unless
   * the view is gone by then: a dialog that was cancelled would else close the next one. That also ends the signal.
   */
  run(work: (signal: AbortSignal) => Promise<unknown>, done?: () => void): Promise<boolean>;
  forget(): void;
}

export function useAct(): Act {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const gone = useGone();
  const run = useCallback<Act["run"]>(
    async (work, done) => {
      const signal = gone.current;
      setBusy(true);
      setError(undefined);
      try {
        await work(signal);
        if (!signal.aborted) done?.();
        return true;
      } catch (thrown) {
        // A request that was ended with its view is no failure.
        if (thrown !== signal.reason) setError(CallError.from(thrown));
        return false;
      } finally {
        setBusy(false);
      }
    },
    [gone],
  );
  const forget = useCallback(() => setError(undefined), []);
  return { isBusy, error, run, forget };
}
