// A badge's icon, with the badge's colour around it.
import { EmojiOrPicture } from "../../../web/ui/controls/emoji-or-picture.tsx";
import type { Badge } from "../../accounts/contract.ts";
import styles from "./badge-icon.module.css";

export function BadgeIcon({ badge: { icon, color } }: { badge: Pick<Badge, "icon" | "color"> }) {
  return (
    <span className={styles.icon} style={color === null ? {} : { "--user": color }} aria-hidden="true">
      <EmojiOrPicture of={icon} otherwise="?" />
    </span>
  );
}
