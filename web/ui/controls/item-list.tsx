// A list of objects in settings, each with a title, a description and actions.
import type { ReactNode } from "react";
import { classNames } from "../browser/class-names.ts";
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
  /** Buttons at the end of the row. */
  actions?: ReactNode;
  /** Further content below the row. */
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

/** The sentence in place of an empty list. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className={styles.nothing}>{children}</p>;
}

/** A row of buttons, which wraps. */
export function Buttons({ atEnd = false, children }: { atEnd?: boolean; children: ReactNode }) {
  return <div className={classNames(styles.buttons, atEnd && styles.atEnd)}>{children}</div>;
}

/** A column of fields and buttons. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>;
}
