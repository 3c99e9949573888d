// A line between two ways to the same.
import type { ReactNode } from "react";
import styles from "./or.module.css";

export function Or({ children }: { children: ReactNode }) {
  return <div className={styles.or}>{children}</div>;
}
