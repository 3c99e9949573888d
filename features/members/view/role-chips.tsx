// The chips of roles on a person's card.
import type { ReactNode } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Role } from "../../roles/contract.ts";
import type { Member } from "../contract.ts";
import { CardEntry } from "./card-entry.tsx";
import { colouredRole } from "./members.ts";
import styles from "./profile-card.module.css";

interface Props {
  server: OwnServer;
  member: Member;
  children: ReactNode;
  below?: ReactNode;
}

/** `below` is shown below the chips: the choice of roles, or a refusal. */
export function RoleChips({ server, member: { user }, children, below }: Props) {
  const { members: words } = useWords();
  return (
    <CardEntry label={words.roles} isNamed>
      <ul className={styles.chips} aria-label={words.roles}>
        {server.owner_id === user.id && <li className={styles.chip}>{words.owner}</li>}
        {user.bot && <li className={styles.chip}>{words.bot}</li>}
        {children}
      </ul>
      {below}
    </CardEntry>
  );
}

export function RoleChip({ role, children }: { role: Role; children?: ReactNode }) {
  return (
    <li className={styles.chip}>
      {colouredRole([role], [role.id]) && (
        <i className={styles.swatch} style={{ "--user": role.color }} aria-hidden="true" />
      )}
      {role.name}
      {children}
    </li>
  );
}
