// A line that says where to find something that is not on this page; dashed, because it is no control.
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import styles from "./way-line.module.css";

export function WayLine({ children }: { children: ReactNode }) {
  return (
    <p className={styles.way}>
      <Icon of={Lock} size={16} />
      <span>{children}</span>
    </p>
  );
}
