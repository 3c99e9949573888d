// A member in the list: avatar, presence, name in the colour of their role, and status text.

import { classNames } from "../../../web/ui/browser/class-names.ts";
import { Face } from "../../../web/ui/controls/face.tsx";
import { PresenceMark } from "../../../web/ui/controls/presence-mark.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Person } from "./groups.ts";
import styles from "./person-row.module.css";

interface Props {
  person: Person;
  /** True if this row is the list's only tab stop. */
  isStop: boolean;
  onOpen(row: HTMLElement): void;
}

export function PersonRow({ person: { member, status, statusText, colour }, isStop, onOpen }: Props) {
  const { members: words, accounts } = useWords();
  const { user } = member;
  return (
    <button
      type="button"
      data-person={user.id}
      tabIndex={isStop ? 0 : -1}
      aria-haspopup="dialog"
      className={classNames(styles.person, status === "offline" && styles.offline)}
      onClick={(event) => onOpen(event.currentTarget)}
    >
      <Face id={user.id} name={user.display_name} picture={user.avatar} size={28}>
        <PresenceMark status={status} />
      </Face>
      <span className={styles.text}>
        <b
          className={classNames(styles.name, colour && "lit")}
          style={colour ? { "--user": colour } : undefined}
        >
          {user.display_name}
        </b>
        {user.bot && <span className={styles.tag}>{words.bot}</span>}
        <span className="visually-hidden">({accounts.presence[status]})</span>
        {statusText && <span className={styles.status}>{statusText}</span>}
      </span>
    </button>
  );
}
