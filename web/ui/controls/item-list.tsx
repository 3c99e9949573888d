// A list of things in settings: what it is, what is to be known of it, and what can be done with it.
import type { ReactNode } from "react";
import styles from "./item-list.module.css";

export function ItemList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className={styles.list}>
      {children}
    </ul>
  );
}

interface ItemProps {
  /** A face or an icon. */
  face?: ReactNode;
  title: ReactNode;
  /** A line below the title. */
  about?: ReactNode;
  /** Buttons, at its end. */
  actions?: ReactNode;
  /** What belongs to it, below. */
  children?: ReactNode;
}

export function Item({ face, title, about, actions, children }: ItemProps) {
  return (
    <li className={styles.item}>
      <div className={styles.row}>
        {face}
        <div className={styles.text}>
          <div className={styles.title}>{title}</div>
          {about != null && <div className={styles.about}>{about}</div>}
        </div>
        {actions != null && <div className={styles.actions}>{actions}</div>}
      </div>
      <div className={styles.below}>{children}</div>
    </li>
  );
}

/** Where a list has nothing: one sentence. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className={styles.nothing}>{children}</p>;
}

/** Buttons in a row, which breaks where it is too narrow. */
export function Buttons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}

/** Fields and buttons below one another. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>;
}
