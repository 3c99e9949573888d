// A divider between two alternatives.
import type { ReactNode } from "react";
import styles from "./or.module.css";

export function Or({ children }: { children: ReactNode }) {
  return <div className={styles.or}>{children}</div>;
}
