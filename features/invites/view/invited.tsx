// A valid invite: the server's name and member count, the inviter, the expiry, and the button that joins.
import { useState } from "react";
import { CallError } from "../../../client/call.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry, Problem } from "../../../web/ui/controls/entry.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { useChat } from "../../../web/ui/session/house.tsx";
import { useRefusal } from "../../../web/ui/words/refusal.ts";
import { fullTime } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { Actions, Gate } from "../../instance/view/gate.tsx";
import { type getInvite, joinByInvite } from "../calls.ts";
import styles from "./invited.module.css";

type Invite = Awaited<ReturnType<typeof getInvite>>;

interface Props {
  invite: Invite;
  /** Called when the invite expired while it was shown. */
  onEnded(): void;
  onOtherAccount(): Promise<void>;
}

export function Invited({ invite, onEnded, onOtherAccount }: Props) {
  const { invites: words } = useWords();
  const { server, server_name, inviter, expires_at } = invite;
  return (
    <Gate
      title={server_name}
      name={words.inviteTo(server_name)}
      lead={words.members(server.member_count)}
      beside={
        <span className={styles.icon}>
          <Face id={server.id} name={server_name} picture={server.icon} size={72} isServer />
        </span>
      }
    >
      <Entry label={words.inviter}>
        <div className={styles.person}>
          <Face id={inviter.id} name={inviter.display_name} picture={inviter.avatar} size={32} />
          <b>{inviter.display_name}</b>
        </div>
      </Entry>
      <Entry label={words.goodUntil}>
        <p className={styles.line}>{expires_at ? <Until at={new Date(expires_at)} /> : words.forGood}</p>
      </Entry>
      <Joining code={invite.code} onEnded={onEnded} onOtherAccount={onOtherAccount} />
    </Gate>
  );
}

function Until({ at }: { at: Date }) {
  const { invites: words } = useWords();
  return (
    <>
      {fullTime(at)} <span className={styles.quiet}>({words.left(at.getTime() - Date.now())})</span>
    </>
  );
}

function Joining({ code, onEnded, onOtherAccount }: { code: string } & Omit<Props, "invite">) {
  const { invites: words } = useWords();
  const name = useChat(({ copy }) => copy?.user.display_name);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const refusal = useRefusal(error);

  async function attempt(act: () => Promise<unknown>) {
    setBusy(true);
    setError(undefined);
    try {
      // Once the user is a member, the page opens the server by itself.
      await act();
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
          <Button
            kind="primary"
            isBusy={isBusy}
            disabledBecause={error?.status === 429 ? refusal : undefined}
            onClick={() => void attempt(() => joinByInvite({ params: { code } }))}
            autoFocus
          >
            {words.join}
          </Button>
          <Button kind="quiet" onClick={() => void attempt(onOtherAccount)}>
            {words.otherAccount}
          </Button>
        </Actions>
      </div>
      <div aria-live="polite">{refusal && <Problem>{refusal}</Problem>}</div>
    </Entry>
  );
}
