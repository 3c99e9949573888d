// The sheet of pages that stand alone, before one is inside: a title, the name of the instance beside it, and what is asked.
import type { FormEvent, ReactNode } from "react";
import { Entry, Ledger } from "../../../web/ui/controls/entry.tsx";
import { WayLine } from "../../../web/ui/controls/way-line.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./gate.module.css";
import { useInstance } from "./instance.ts";
import { useTitle } from "./title.ts";

interface Props {
  title: string;
  /** What the window is called, where that is not the title. */
  name?: string;
  lead?: ReactNode;
  /** Left of the title, in place of the instance's name. */
  beside?: ReactNode;
  onSubmit?: () => void;
  /** At the foot of the page, behind its name. */
  foot?: ReactNode;
  children?: ReactNode;
}

export function Gate({ title, name = title, lead, beside, onSubmit, foot, children }: Props) {
  const instance = useInstance();
  useTitle(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  const rows = (
    <Ledger>
      <Entry label={beside ?? <HouseName name={instance?.name} />}>
        <div className={styles.title}>
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
      </Entry>
      <SafeAddress of={instance?.public_url} />
      {children}
    </Ledger>
  );
  return (
    <div className={styles.frame}>
      <div className={styles.gate}>
        <main className={styles.page}>
          {onSubmit ? (
            <form onSubmit={submit} noValidate>
              {rows}
            </form>
          ) : (
            rows
          )}
        </main>
        <footer className={styles.footer}>
          <span>Hearth {instance?.version}</span>
          {foot}
        </footer>
      </div>
    </div>
  );
}

function HouseName({ name }: { name: string | undefined }) {
  return (
    <span className={styles.house}>
      {name ?? "Hearth"}
      <small>{location.host}</small>
    </span>
  );
}

/** Where the page came in clear though it has a safe address, at which browsers keep the cookie of a session. */
function SafeAddress({ of: address }: { of: string | null | undefined }) {
  const { instance: words } = useWords();
  if (isSecureContext || !address?.startsWith("https:")) return null;
  return (
    <Entry>
      <WayLine>
        {words.inClear} <a href={address + location.pathname}>{new URL(address).host}</a>
      </WayLine>
    </Entry>
  );
}

/** Buttons side by side; below each other, and as wide as the page, where it is narrow. */
export function Actions({ areSteps, children }: { areSteps?: boolean; children: ReactNode }) {
  return <div className={areSteps ? styles.steps : styles.actions}>{children}</div>;
}

/** What stands below, less loud: other ways to go on. */
export function Aside({ children }: { children: ReactNode }) {
  return <div className={styles.aside}>{children}</div>;
}
