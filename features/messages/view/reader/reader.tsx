// Reader mode: a channel's messages as static pages with buttons for older and newer ones. Nothing moves by itself.
import { useEffect, useMemo, useRef } from "react";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Refused } from "../../../../web/ui/overlays/refused.tsx";
import { useCopy, useUnsent } from "../../../../web/ui/session/house.tsx";
import { fullTime } from "../../../../web/ui/words/times.ts";
import { currentLanguage, useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { useFolding } from "../model/blocked-runs.ts";
import { rowsOf } from "../model/rows.ts";
import { RowView } from "../row/row-view.tsx";
import { type Pages, useHistoryPages } from "./pages.ts";
import styles from "./reader.module.css";

export function Reader({ channel }: { channel: OwnChannel }) {
  const { messages: words } = useWords();
  const pages = useHistoryPages(channel.id);
  const { page, error } = pages;
  const ownId = useCopy((copy) => copy.user.id);
  const fold = useFolding();
  const unsent = useUnsent();
  const scroll = useRef<HTMLElement>(null);
  const rows = useMemo(() => {
    if (!page) return [];
    const mine = page.isNewest ? unsent.filter(({ channelId }) => channelId === channel.id) : [];
    // No line above new messages: the page itself states what it shows.
    const told = { messages: page.messages, unsent: mine, ownId, readUpTo: undefined, fresh: undefined };
    return fold(rowsOf(told));
  }, [page, unsent, channel.id, ownId, fold]);
  const shownId = page?.place;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its own end.
  useEffect(() => {
    const { current } = scroll;
    if (current) current.scrollTop = page?.isNewest ? current.scrollHeight : 0;
  }, [shownId]);
  return (
    <section
      ref={scroll}
      id="messages"
      data-region="messages"
      aria-label={words.messages}
      className={styles.reader}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
      tabIndex={0}
    >
      <Older pages={pages} />
      <Refused by={error} />
      <ol aria-label={words.messages} className={styles.page}>
        {rows.map((row) => (
          <li key={row.key} data-row-key={row.key}>
            <RowView row={row} />
          </li>
        ))}
      </ol>
      <Newer pages={pages} />
    </section>
  );
}

function Older({ pages: { page, isBusy, older } }: { pages: Pages }) {
  const { reader: words } = useWords();
  const [first, last] = [page?.messages.at(-1), page?.messages[0]];
  if (!page) return null;
  if (!first || !last) return <p className={styles.note}>{words.empty}</p>;
  return (
    <header className={styles.bar}>
      <h2 className={styles.note}>
        {words.page(fullTime(new Date(first.created_at)), fullTime(new Date(last.created_at)))}
      </h2>
      {page.hasOlder ? (
        <Button isBusy={isBusy} onClick={older}>
          {words.older}
        </Button>
      ) : (
        <p className={styles.note}>{words.beginning}</p>
      )}
    </header>
  );
}

function Newer({ pages: { page, isBusy, waiting, newer, newest } }: { pages: Pages }) {
  const { reader: words } = useWords();
  if (!page || page.isNewest) return null;
  const count = new Intl.NumberFormat(currentLanguage()).format(waiting);
  return (
    <footer className={styles.bar}>
      <Button isBusy={isBusy} onClick={newer}>
        {words.newer}
      </Button>
      <Button kind="quiet" isBusy={isBusy} onClick={newest}>
        {words.newest}
      </Button>
      {waiting > 0 && <p className={styles.note}>{words.waiting(count, waiting === 1)}</p>}
    </footer>
  );
}
