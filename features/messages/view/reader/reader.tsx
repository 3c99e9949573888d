// Reader mode: a channel's messages as static pages with buttons for older and newer ones. Nothing moves by itself.
import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Refused } from "../../../../web/ui/overlays/refused.tsx";
import { useCopy, useUnsent } from "../../../../web/ui/session/house.tsx";
import { fullTime } from "../../../../web/ui/words/times.ts";
import { currentLanguage, useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { useGoing } from "../actions/going.ts";
import { useFolding } from "../model/blocked-runs.ts";
import { useMessageAddress } from "../model/message-address.ts";
import { markAsRead } from "../model/reading.ts";
import { type Row, rowsOf } from "../model/rows.ts";
import { RowView } from "../row/row-view.tsx";
import { Arrivals } from "../window/arrivals.ts";
import { LoadFailed } from "../window/loading.tsx";
import { useOwnInSight } from "../window/own-in-sight.ts";
import { usePageRead } from "./page-read.ts";
import { usePageWalk } from "./page-walk.ts";
import { type Page, type Pages, useHistoryPages } from "./pages.ts";
import styles from "./reader.module.css";

interface Props {
  channel: OwnChannel;
  /** Receives the function to call on Escape when nothing else is open to be closed. */
  onEscape: RefObject<(() => void) | undefined>;
}

export function Reader({ channel, onEscape }: Props) {
  const { messages: words } = useWords();
  const wanted = useMessageAddress();
  const pages = useHistoryPages(channel.id, wanted);
  const { page, error, newest } = pages;
  const rows = usePageRows(channel.id, page);
  const scroll = useRef<HTMLElement>(null);
  const place = page?.place;
  const isNewest = page?.isNewest;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins at its own end.
  useEffect(() => {
    const { current } = scroll;
    if (!current) return;
    const target = place?.around && current.querySelector<HTMLElement>(`[data-message-id="${place.around}"]`);
    if (target) target.focus();
    else current.scrollTop = isNewest ? current.scrollHeight : 0;
  }, [place]);
  const isAtEnd = usePageRead(channel, page, scroll);
  const toEnd = useCallback(() => {
    const { current } = scroll;
    if (isNewest && current) current.scrollTop = current.scrollHeight;
    else newest();
  }, [isNewest, newest]);
  useOwnInSight(channel.id, toEnd);
  useEffect(() => {
    onEscape.current = () => {
      if (isAtEnd()) markAsRead(channel.id, channel.last_message_id);
      else toEnd();
    };
    return () => {
      onEscape.current = undefined;
    };
  }, [onEscape, isAtEnd, toEnd, channel.id, channel.last_message_id]);
  const walk = usePageWalk(scroll);
  return (
    <section
      ref={scroll}
      id="messages"
      data-region="messages"
      aria-label={words.messages}
      className={styles.reader}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
      tabIndex={0}
      {...walk}
    >
      <Arrivals channelId={channel.id} />
      <Older pages={pages} />
      {!page && error ? <LoadFailed refusal={error} onRetry={newest} /> : <Refused by={error} />}
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

function usePageRows(channelId: string, page: Page | undefined): readonly Row[] {
  const ownId = useCopy((copy) => copy.user.id);
  const fold = useFolding();
  const unsent = useUnsent();
  const going = useGoing((state) => state.ids);
  return useMemo(() => {
    if (!page) return [];
    const mine = page.isNewest ? unsent.filter((each) => each.channelId === channelId) : [];
    const messages = page.messages.filter(({ id }) => !going.has(id));
    // No line above new messages: the page itself states what it shows.
    return fold(rowsOf({ messages, unsent: mine, ownId, fresh: undefined }));
  }, [page, unsent, going, channelId, ownId, fold]);
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
