// The frame of settings and of the console: a list of pages on a spine, and the open page.
import { ArrowLeft, ChevronLeft, type LucideIcon, X } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { useLocation } from "wouter";
import { classNames } from "../browser/class-names.ts";
import { useFrameWidth } from "../browser/frame-width.ts";
import { isComposing } from "../browser/input-method.ts";
import { useKeptFocus } from "../browser/kept-focus.ts";
import { IconButton } from "../controls/button.tsx";
import { Entry, Ledger } from "../controls/entry.tsx";
import { Icon } from "../controls/icon.tsx";
import nav from "../controls/nav-row.module.css";
import { Region } from "../controls/region.tsx";
import { isEscape } from "../keys/keys.ts";
import { alongSettings, filled } from "../loading/slots.ts";
import { hasMoved } from "../navigation/leaving.ts";
import { Link } from "../navigation/link.tsx";
import { useWords } from "../words/words.ts";
import type { AnyDraft } from "./draft.ts";
import { LeaveDialog } from "./leave-dialog.tsx";
import { SaveBar } from "./save-bar.tsx";
import styles from "./settings-frame.module.css";

export interface SettingsGroup {
  name: string;
  pages: readonly { path: string; label: string; icon: LucideIcon }[];
}

interface FrameProps {
  /** The title of the list: "Settings", "Server settings". */
  title: string;
  /** The target of closing, with a label like "Back to Ubuntu". */
  backTo: { path: string; label: string };
  groups: readonly SettingsGroup[];
  children: ReactNode;
}

/**
 * The parent address of the pages ("/settings") shows only the list on a narrow frame; on a wide one it shows the
 * first page, which the caller renders there.
 */
export function SettingsFrame({ title, backTo, groups, children }: FrameProps) {
  const { settings: words } = useWords();
  const [path, navigate] = useLocation();
  const first = groups[0]?.pages[0]?.path ?? backTo.path;
  const home = first.slice(0, first.lastIndexOf("/"));
  const isHome = path === home;
  const isNarrow = useFrameWidth() === "narrow";
  const close = () => navigate(backTo.path);
  useEscape(close);
  const frame = useRef<HTMLDivElement>(null);
  useKeptFocus(frame);
  return (
    <div ref={frame} className={styles.frame}>
      <div className={styles.settings} data-at={isHome ? "list" : "page"}>
        {/* When the list is shown alone, it is the main content. */}
        <div role={isNarrow && isHome ? "main" : undefined} className={styles.side}>
          <nav aria-label={title} className={styles.nav}>
            <Link href={backTo.path} className={styles.back}>
              <Icon of={ArrowLeft} size={16} />
              <span>{backTo.label}</span>
            </Link>
            <h1>{title}</h1>
            <div className={nav.spine}>
              {groups.map((group) => (
                <Group key={group.name} {...group} current={isHome ? first : path} />
              ))}
            </div>
          </nav>
        </div>
        <main className={styles.main}>
          {isNarrow && (
            <h1 className={styles.toList}>
              <Link href={home}>
                <Icon of={ChevronLeft} />
                <span>{title}</span>
              </Link>
            </h1>
          )}
          <div className={styles.close}>
            <IconButton label={words.close} icon={X} onClick={close} />
          </div>
          <Region key={path}>{children}</Region>
        </main>
        <div className={styles.along}>{filled(alongSettings, {})}</div>
      </div>
      <LeaveDialog />
    </div>
  );
}

function Group({ name, pages, current }: SettingsGroup & { current: string }) {
  const id = useId();
  return (
    <>
      <h2 id={id} className={styles.group}>
        {name}
      </h2>
      <ul aria-labelledby={id}>
        {pages.map(({ path, label, icon }) => (
          <li key={path}>
            <Link
              href={path}
              className={classNames(nav.row, styles.page)}
              aria-current={isWithin(current, path) ? "page" : undefined}
            >
              <Icon of={icon} size={16} />
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** True if a path belongs to a page, which can have addresses below its own, such as one role of the roles. */
function isWithin(path: string, page: string): boolean {
  return path === page || path.startsWith(`${page}/`);
}

/** Escape closes the settings, unless something on the page has handled it. */
function useEscape(close: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isEscape(event) || event.defaultPrevented || isComposing(event)) return;
      if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu]")) return;
      // In a search field, Escape clears the field.
      if (event.target instanceof HTMLInputElement && event.target.type === "search" && event.target.value)
        return;
      close();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}

interface PageProps {
  title: string;
  /** One sentence beside the title. */
  lead?: ReactNode;
  /** A button at the end of the title's line. */
  beside?: ReactNode;
  /** The unsaved changes of the page, if they have to be saved explicitly. */
  draft?: AnyDraft;
  children: ReactNode;
}

/** A page: the title in the margin, entries below, and the save bar of its draft. */
export function SettingsPage({ title, lead, beside, draft, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!hasMoved()) return;
    const focused = document.activeElement;
    if (!focused || focused === document.body || focused.getClientRects().length === 0)
      heading.current?.focus();
  }, []);
  const body = (
    <div className={styles.leaf}>
      <Ledger>
        <Entry
          label={
            <h2
              ref={heading}
              tabIndex={-1}
              className={styles.title}
              data-long={title.length > mostInLine}
              style={{ "--letters": lettersOfLongestWord(title) }}
            >
              {title}
            </h2>
          }
        >
          <div className={styles.opening}>
            <p className={styles.lead}>{lead}</p>
            {beside}
          </div>
        </Entry>
        {children}
      </Ledger>
    </div>
  );
  if (!draft) return body;
  const send = (event: FormEvent) => {
    event.preventDefault();
    void draft.save();
  };
  return (
    <form className={styles.form} noValidate onSubmit={send}>
      {body}
      <SaveBar draft={draft} heading={heading} />
    </form>
  );
}

/** The letters of a title that fit into the margin beside the page's first line. */
const mostInLine = 15;

/** A title with a long word is smaller: few browsers can hyphenate German ones. */
function lettersOfLongestWord(title: string): number {
  return Math.max(...title.split(/[\s-]/).map(({ length }) => length));
}
