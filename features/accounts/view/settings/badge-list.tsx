// The badges of a person, with their descriptions.
import { EmojiOrPicture } from "../../../../web/ui/controls/emoji-or-picture.tsx";
import type { Badge } from "../../contract.ts";
import styles from "./profile.module.css";

export function BadgeList({ badges }: { badges: readonly Badge[] }) {
  return (
    <ul className={styles.badges}>
      {badges.map((badge) => (
        <li key={badge.id} className={styles.badge} title={badge.description}>
          <span className={styles.icon} aria-hidden="true">
            <EmojiOrPicture of={badge.icon} />
          </span>
          <b className="lit" style={badge.color ? { "--user": badge.color } : {}}>
            {badge.name}
          </b>
          <span className="visually-hidden">{badge.description}</span>
        </li>
      ))}
    </ul>
  );
}
