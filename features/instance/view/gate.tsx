// The layout of standalone pages for people who are not signed in: a title, the name of the instance beside it, and the
// content.
import type { FormEvent, ReactNode } from "react";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { Entry, Ledger } from "../../../web/ui/controls/entry.tsx";
import { WayLine } from "../../../web/ui/controls/way-line.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./gate.module.css";
import { useInstance } from "./instance.ts";
import { useTitle } from "./title.ts";

interface Props {
  title: string;
  /** The window's title, if it differs. */
  name?: string;
  lead?: ReactNode;
  /** Shown left of the title, in place of the instance's name. */
  beside?: ReactNode;
  /** True for one of several steps, whose sheets begin at the same height whatever is in them. */
  isStep?: boolean;
  onSubmit?: () => void;
  children?: ReactNode;
}

export function Gate({ title, name = title, lead, beside, isStep = false, onSubmit, children }: Props) {
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
        <main className={classNames(styles.page, isStep && styles.step)}>
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

/** A link to the https address of a page loaded over plain http: only there do browsers keep the session cookie. */
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

/** Buttons side by side; on a narrow page below each other, as wide as the page. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

/** Less prominent content below: other ways to go on. */
export function Aside({ children }: { children: ReactNode }) {
  return <div className={styles.aside}>{children}</div>;
}
