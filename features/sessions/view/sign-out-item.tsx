// "Sign out" in one's own menu. What is still on its way is named first, as it would be lost.
import { LogOut } from "lucide-react";
import { useState } from "react";
import { CallError } from "../../../client/call.ts";
import { Button } from "../../../web/ui/button.tsx";
import { Dialog } from "../../../web/ui/dialog.tsx";
import { useUnsent } from "../../../web/ui/house.tsx";
import type { MenuItem } from "../../../web/ui/menu.tsx";
import { openOver } from "../../../web/ui/opened.tsx";
import { useRefusal } from "../../../web/ui/refusal.ts";
import { useWords } from "../../../web/ui/words.ts";
import { Actions } from "../../instance/view/gate.tsx";
import { Said } from "../../instance/view/send-row.tsx";
import { signOut } from "./sign-out.ts";

export function useSignOutItem(): readonly MenuItem[] {
  const { sessions: words } = useWords();
  const unsent = useUnsent().length;
  const ask = () => openOver((close) => <SignOut unsent={unsent} onClose={close} />);
  const leave = () => {
    if (unsent > 0) ask();
    // Where it fails, the dialog says why.
    else void signOut().catch(ask);
  };
  return [{ id: "sign-out", label: words.signOut, icon: LogOut, isApart: true, onChoose: leave }];
}

function SignOut({ unsent, onClose }: { unsent: number; onClose(): void }) {
  const { sessions: words } = useWords();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const refusal = useRefusal(error);

  async function leave() {
    setBusy(true);
    setError(undefined);
    try {
      await signOut();
    } catch (failure) {
      setError(CallError.from(failure));
      setBusy(false);
    }
  }

  return (
    <Dialog title={words.signOut} onClose={onClose}>
      <p>{unsent > 0 ? words.unsent(unsent) : words.notSignedOut}</p>
      <Said>{refusal}</Said>
      <Actions>
        <Button kind="danger" isBusy={isBusy} onClick={() => void leave()} autoFocus>
          {unsent > 0 ? words.signOutAnyway : words.signOut}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {words.stay}
        </Button>
      </Actions>
    </Dialog>
  );
}
