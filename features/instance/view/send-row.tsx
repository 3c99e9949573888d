// The submit button of a form of the gate, with the refusal below it; after a rate limit it is disabled for as long.
import type { ReactNode } from "react";
import type { CallError } from "../../../client/call.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry, Problem } from "../../../web/ui/controls/entry.tsx";
import { useRefusal, useWait } from "../../../web/ui/words/refusal.ts";

interface Props {
  kind?: "primary" | "second";
  isBusy: boolean;
  error: CallError | undefined;
  /** True if the refusal is shown at a field. */
  isTold?: boolean;
  /** The problem found here, when no request was sent. */
  problem?: ReactNode;
  children: ReactNode;
}

export function SendRow({ kind = "primary", isBusy, error, isTold = false, problem, children }: Props) {
  const refusal = useRefusal(error);
  const wait = useWait(error);
  const said = isTold ? undefined : (refusal ?? problem);
  return (
    <Entry>
      <Button kind={kind} isWide type="submit" isBusy={isBusy} disabledBecause={wait}>
        {children}
      </Button>
      <Said>{said}</Said>
    </Entry>
  );
}

/** The reason below a button why it did nothing, announced to screen readers, too. */
export function Said({ children }: { children: ReactNode }) {
  return <div aria-live="polite">{children && <Problem>{children}</Problem>}</div>;
}
