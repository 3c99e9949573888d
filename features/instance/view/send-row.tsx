// The button that sends a form of the gate, and below it why it was refused; after a limit it waits as long as it has to.
import type { ReactNode } from "react";
import type { CallError } from "../../../client/call.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry, Problem } from "../../../web/ui/controls/entry.tsx";
import { useRefusal } from "../../../web/ui/words/refusal.ts";

interface Props {
  kind?: "primary" | "second";
  isBusy: boolean;
  error: CallError | undefined;
  /** The refusal is told at a field. */
  isTold?: boolean;
  /** What is wrong here, where the server was not asked. */
  problem?: ReactNode;
  children: ReactNode;
}

export function SendRow({ kind = "primary", isBusy, error, isTold = false, problem, children }: Props) {
  const refusal = useRefusal(error);
  const said = isTold ? undefined : (refusal ?? problem);
  return (
    <Entry>
      <Button
        kind={kind}
        isWide
        type="submit"
        isBusy={isBusy}
        disabledBecause={error?.status === 429 ? refusal : undefined}
      >
        {children}
      </Button>
      <Said>{said}</Said>
    </Entry>
  );
}

/** Below a button: why it did nothing. Told to those who listen, too. */
export function Said({ children }: { children: ReactNode }) {
  return <div aria-live="polite">{children && <Problem>{children}</Problem>}</div>;
}
