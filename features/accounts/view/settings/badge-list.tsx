// The badges of a person, with what each is for.
import { useState } from "react";
import { Picture } from "../../../../web/ui/picture.tsx";
import type { Badge } from "../../contract.ts";
import styles from "./profile.module.css";

export function BadgeList({ badges }: { badges: readonly Badge[] }) {
  return (
    <ul className={styles.badges}>
      {badges.map((badge) => (
        <li key={badge.id} className={styles.badge} title={badge.description}>
          <BadgeIcon icon={badge.icon} />
          <b className="lit" style={badge.color ? { "--user": badge.color } : {}}>
            {badge.name}
          </b>
          <span className="visually-hidden">{badge.description}</span>
        </li>
      ))}
    </ul>
  );
}

/** An emoji, or a picture of another host; one that cannot be had is left out, as the name stands beside it. */
function BadgeIcon({ icon }: { icon: string }) {
  const [isBroken, setBroken] = useState(false);
  if (!/^https?:/i.test(icon)) return <span aria-hidden="true">{icon}</span>;
  if (isBroken) return null;
  return (
    <span className={styles.icon} aria-hidden="true">
      <Picture url={icon} alt="" onFail={() => setBroken(true)} />
    </span>
  );
}
