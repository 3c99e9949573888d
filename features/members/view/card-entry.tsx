// One line of a person's card, beside its spine: what it is in the margin, and what it says.
import type { ReactNode } from "react";
import styles from "./profile-card.module.css";

/** The label is hidden from screen readers where the list beside it has the same name. */
export function CardEntry({
  label,
  isNamed,
  children,
}: {
  label: string;
  isNamed?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={styles.entry}>
      <span className={styles.label} aria-hidden={isNamed}>
        {label}
      </span>
      <div>{children}</div>
    </div>
  );
}
