// Icons, from Lucide: one stroke and one size everywhere.
import type { LucideIcon } from "lucide-react";
import styles from "./icon.module.css";

interface Props {
  of: LucideIcon;
  /** In pixels: 18 in controls, 16 in lists, 14 beside small text. */
  size?: 14 | 16 | 18 | 22;
}

/** A picture beside words, or inside a control that has a name: nothing is read out for it. */
export function Icon({ of: Drawing, size = 18 }: Props) {
  return (
    <Drawing className={styles.icon} size={size} strokeWidth={size === 14 ? 2 : 1.75} aria-hidden="true" />
  );
}
