// Icons from Lucide, with uniform strokes and sizes.
import type { LucideIcon } from "lucide-react";
import styles from "./icon.module.css";

interface Props {
  of: LucideIcon;
  /** In pixels: 18 in controls, 16 in lists, 14 beside small text. */
  size?: 14 | 16 | 18 | 22;
}

/** Hidden from screen readers: it is beside text, or inside a control with a label. */
export function Icon({ of: Drawing, size = 18 }: Props) {
  return (
    <Drawing className={styles.icon} size={size} strokeWidth={size === 14 ? 2 : 1.75} aria-hidden="true" />
  );
}
