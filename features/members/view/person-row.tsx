// A member in the list: avatar, presence, name in the colour of their role, marks of owner and badges, and status text.
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { Face } from "../../../web/ui/controls/face.tsx";
import { PresenceMark } from "../../../web/ui/controls/presence-mark.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Person } from "./groups.ts";
import { personButton } from "./open-profile.tsx";
import { PersonMarks } from "./person-marks.tsx";
import styles from "./person-row.module.css";

interface Props {
  serverId: string;
  person: Person;
  /** True if the server is this person's. */
  isOwner: boolean;
  /** True if this row is the list's only tab stop. */
  isStop: boolean;
  /** Makes it that stop. */
  onStop(): void;
}

export function PersonRow({ serverId, person, isOwner, isStop, onStop }: Props) {
  const { members: words, accounts } = useWords();
  const { member, status, statusText, colour } = person;
  const { user } = member;
  const marks = [...(isOwner ? [words.owner] : []), ...user.badges.map(({ name }) => name)];
  const { onClick, ...opener } = personButton({ serverId, userId: user.id }, user.display_name);
  return (
    <button
      {...opener}
      data-person={user.id}
      tabIndex={isStop ? 0 : -1}
      className={classNames(styles.person, status === "offline" && styles.offline)}
      onClick={(event) => {
        onStop();
        onClick(event);
      }}
    >
      <Face id={user.id} name={user.display_name} picture={user.avatar} size={28}>
        <PresenceMark status={status} />
      </Face>
      <span className={styles.text}>
        <span className={styles.line}>
          <b
            className={classNames(styles.name, colour && "lit")}
            style={colour ? { "--user": colour } : undefined}
          >
            {user.display_name}
          </b>
          {user.bot && <span className={styles.tag}>{words.bot}</span>}
          {marks.length > 0 && <PersonMarks isOwner={isOwner} badges={user.badges} />}
        </span>
        <span className="visually-hidden">
          ({accounts.presence[status]}){marks.map((mark) => `, ${mark}`).join("")}
        </span>
        {statusText && <span className={styles.status}>{statusText}</span>}
      </span>
    </button>
  );
}
