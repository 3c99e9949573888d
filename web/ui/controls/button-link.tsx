// A link that looks like a button, for when the main action leads to another page.
import type { ReactNode } from "react";
import { classNames } from "../browser/class-names.ts";
import { Link } from "../navigation/link.tsx";
import styles from "./button.module.css";

interface Props {
  href: string;
  kind?: "primary" | "second" | "quiet";
  children: ReactNode;
}

export function ButtonLink({ href, kind = "second", children }: Props) {
  return (
    <Link href={href} className={classNames(styles.button, styles[kind])}>
      {children}
    </Link>
  );
}
