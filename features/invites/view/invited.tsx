// A valid invite for somebody with an account: where it leads, and the button that joins.
import { useState } from "react";
import { CallError } from "../../../client/call.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry, Problem } from "../../../web/ui/controls/entry.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { type House, useChat, useHouse } from "../../../web/ui/session/house.tsx";
import { useRefusal, useWait } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { Actions } from "../../instance/view/gate.tsx";
import { type getInvite, joinByInvite } from "../calls.ts";
import { InviteSheet } from "./invite-sheet.tsx";
import styles from "./invited.module.css";

type Invite = Awaited<ReturnType<typeof getInvite>>;

interface Props {
  invite: Invite;
  /** Called when the invite expired while it was shown. */
  onEnded(): void;
  /** Signs out, or asks first. */
  onOtherAccount(house: House): Promise<void>;
}

export function Invited({ invite, onEnded, onOtherAccount }: Props) {
  const { invites: words } = useWords();
  const { server, inviter, expires_at } = invite;
  return (
    <InviteSheet
      server={server}
      lead={words.members(server.member_count)}
      inviter={inviter}
      expiresAt={expires_at}
    >
      <Joining code={invite.code} onEnded={onEnded} onOtherAccount={onOtherAccount} />
    </InviteSheet>
  );
}

function Joining({ code, onEnded, onOtherAccount }: { code: string } & Omit<Props, "invite">) {
  const { invites: words } = useWords();
  const house = useHouse();
  const name = useChat(({ copy }) => copy?.user.display_name);
  const [isBusy, setBusy] = useState(false);
  const leaving = useAct();
  const [error, setError] = useState<CallError>();
  const refusal = useRefusal(error);
  const wait = useWait(error);

  async function join() {
    setBusy(true);
    setError(undefined);
    try {
      // Once the user is a member, the page opens the server by itself.
      await joinByInvite({ params: { code } });
    } catch (failure) {
      const refused = CallError.from(failure);
      setBusy(false);
      if (refused.code === "invite_expired") onEnded();
      else setError(refused);
    }
  }

  return (
    <Entry>
      <p className={styles.quiet}>{words.as(name ?? "")}</p>
      <div className={styles.actions}>
        <Actions>
          <Button kind="primary" isBusy={isBusy} disabledBecause={wait} onClick={() => void join()} autoFocus>
            {words.join}
          </Button>
          <Button
            kind="quiet"
            isBusy={leaving.isBusy}
            onClick={() => void leaving.run(() => onOtherAccount(house))}
          >
            {words.otherAccount}
          </Button>
        </Actions>
      </div>
      <div aria-live="polite">{refusal && <Problem>{refusal}</Problem>}</div>
    </Entry>
  );
}
