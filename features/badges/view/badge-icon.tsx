// A badge's icon: an emoji, or a picture of another host, with the badge's colour around it.
import { useState } from "react";
import { Picture } from "../../../web/ui/picture.tsx";
import type { Badge } from "../../accounts/contract.ts";
import styles from "./badge-icon.module.css";

/** The name stands beside it, so nothing is read out. */
export function BadgeIcon({ badge: { icon, color } }: { badge: Pick<Badge, "icon" | "color"> }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span className={styles.icon} style={color === null ? {} : { "--user": color }} aria-hidden="true">
      {!/^https?:/i.test(icon) ? (
        icon
      ) : isBroken ? (
        "?"
      ) : (
        <Picture url={icon} alt="" onFail={() => setBroken(true)} />
      )}
    </span>
  );
}
