// The facts of a valid invite, for people with and without an account: the server, the inviter, and the expiry.
import type { ReactNode } from "react";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { fullTime } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { Gate } from "../../instance/view/gate.tsx";
import styles from "./invited.module.css";

interface Props {
  /** A preview knows no ids: the colour of a face without a picture then comes from the name. */
  server: { id?: string; name: string; icon: string | null };
  lead: string;
  inviter: { id?: string; display_name: string; avatar: string | null } | null;
  expiresAt: string | null;
  /** The buttons below. */
  children: ReactNode;
}

export function InviteSheet({ server, lead, inviter, expiresAt, children }: Props) {
  const { invites: words } = useWords();
  return (
    <Gate
      title={server.name}
      name={words.inviteTo(server.name)}
      lead={lead}
      beside={
        <span className={styles.icon}>
          <Face id={server.id ?? server.name} name={server.name} picture={server.icon} size={72} isServer />
        </span>
      }
    >
      {inviter && (
        <Entry label={words.inviter}>
          <div className={styles.person}>
            <Face
              id={inviter.id ?? inviter.display_name}
              name={inviter.display_name}
              picture={inviter.avatar}
              size={32}
            />
            <b>{inviter.display_name}</b>
          </div>
        </Entry>
      )}
      <Entry label={words.goodUntil}>
        <p className={styles.line}>{expiresAt ? <Until at={new Date(expiresAt)} /> : words.forGood}</p>
      </Entry>
      {children}
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
