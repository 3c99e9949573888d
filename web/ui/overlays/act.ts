// The state of a button's or form's action: whether it is running, and why it failed.
import { useCallback, useState } from "react";
import { CallError } from "../../../client/call.ts";

export interface Act {
  isBusy: boolean;
  /** Why the last try failed; cleared by the next one. */
  error: CallError | undefined;
  /** Returns whether the work succeeded. Rethrows anything but a refused call. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  forget(): void;
}

export function useAct(): Act {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const run = useCallback(async (work: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (thrown) {
      setError(CallError.from(thrown));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  const forget = useCallback(() => setError(undefined), []);
  return { isBusy, error, run, forget };
}
