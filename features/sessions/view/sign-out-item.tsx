// "Sign out", in the user's menu and in the settings. Unsent messages, which would be lost, are named first.
import { LogOut } from "lucide-react";
import { useState } from "react";
import { CallError } from "../../../client/call.ts";
import { countDrafts } from "../../../web/ui/browser/draft-database.ts";
import { inTime } from "../../../web/ui/browser/in-time.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import type { MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { type House, useHouse } from "../../../web/ui/session/house.tsx";
import { useRefusal } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { Actions } from "../../instance/view/gate.tsx";
import { Said } from "../../instance/view/send-row.tsx";
import { signOut } from "./sign-out.ts";

export function useSignOutItem(): readonly MenuItem[] {
  const { sessions: words } = useWords();
  return [{ id: "sign-out", label: words.signOut, icon: LogOut, onChoose: useSignOut() }];
}

/** Returns the function that signs out, or asks first. */
export function useSignOut(): () => Promise<void> {
  const house = useHouse();
  return () => leave(house);
}

/** Signs out, and asks first where something would be lost. The sign-in page then continues to `wish`. */
export async function leave({ chat, outbox }: House, wish?: string): Promise<void> {
  const userId = chat.state.copy?.user.id;
  const drafts = userId === undefined ? 0 : await countDrafts(userId);
  // Messages of other tabs would be lost, too.
  await inTime(outbox.open()).catch(() => {});
  const unsent = outbox.unsent.length;
  const ask = () =>
    openOver((close) => <SignOut unsent={unsent} drafts={drafts} wish={wish} onClose={close} />, "sign-out");
  if (unsent + drafts > 0) ask();
  // If it fails, the dialog shows the reason.
  else await signOut(wish).catch(ask);
}

interface Props {
  unsent: number;
  drafts: number;
  wish: string | undefined;
  onClose(): void;
}

function SignOut({ unsent, drafts, wish, onClose }: Props) {
  const { sessions: words } = useWords();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const refusal = useRefusal(error);
  const isLost = unsent + drafts > 0;

  async function leave() {
    setBusy(true);
    setError(undefined);
    try {
      await signOut(wish);
    } catch (failure) {
      setError(CallError.from(failure));
      setBusy(false);
    }
  }

  return (
    <Dialog title={words.signOut} onClose={onClose}>
      {unsent > 0 && <p>{words.unsent(unsent)}</p>}
      {drafts > 0 && <p>{words.drafts(drafts)}</p>}
      {!isLost && <p>{words.notSignedOut}</p>}
      <Said>{refusal}</Said>
      <Actions>
        <Button kind="danger" isBusy={isBusy} onClick={() => void leave()} autoFocus>
          {isLost ? words.signOutAnyway : words.signOut}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {words.stay}
        </Button>
      </Actions>
    </Dialog>
  );
}
