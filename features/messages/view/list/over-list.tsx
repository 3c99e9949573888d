// Overlays of the list, which never move it: the banner of new messages, the way back to the present, short notices.
import { ArrowDown } from "lucide-react";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { MentionCount } from "../../../../web/ui/controls/mention-count.tsx";
import { useCopy } from "../../../../web/ui/session/house.tsx";
import { clockTime, dayName } from "../../../../web/ui/words/times.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { markAsRead, useReading } from "../model/reading.ts";
import type { Row } from "../model/rows.ts";
import { quickMs, useAfter } from "../window/loading.tsx";
import type { UseSeen } from "../window/seen.ts";
import styles from "./over-list.module.css";
import type { useTravel } from "./travel.ts";
import { useUnseen } from "./unseen.ts";

interface Props {
  channel: OwnChannel;
  rows: readonly Row[];
  isFar: boolean;
  hasOlder: boolean;
  useSeen: UseSeen;
  travel: Pick<ReturnType<typeof useTravel>, "toFresh" | "toPresent" | "notice">;
  isBehind: boolean;
}

export function OverList({ channel, rows, isFar, hasOlder, useSeen, travel, isBehind }: Props) {
  const { messages: words } = useWords();
  useUnseen(channel.id, useSeen);
  return (
    <>
      <DayInSight rows={rows} useSeen={useSeen} />
      <SinceBanner channel={channel} rows={rows} useSeen={useSeen} onFirst={travel.toFresh} />
      <OlderComing hasOlder={hasOlder} useSeen={useSeen} />
      <PresentPill channel={channel} isFar={isFar} useSeen={useSeen} onJump={travel.toPresent} />
      <Notice text={travel.notice ?? (isBehind ? words.behind : undefined)} />
    </>
  );
}

interface BannerProps {
  channel: OwnChannel;
  rows: readonly Row[];
  useSeen: UseSeen;
  onFirst(): void;
}

/** Shown while the first new message is out of sight and not all new ones are read. */
function SinceBanner({ channel, rows, useSeen, onFirst }: BannerProps) {
  const { messages: words } = useWords();
  const isInSight = useSeen((seen) => seen.fresh === "inside");
  const fresh = useReading((reading) => (reading.channelId === channel.id ? reading.fresh : undefined));
  const marker = useCopy((copy) => copy.readStates.get(channel.id)?.last_read_id ?? "");
  if (isInSight || !fresh || marker >= fresh.upTo) return null;
  const row = rows.find(({ kind }) => kind === "new");
  const line = row?.kind === "new" ? row : undefined;
  return (
    <section className={styles.since} aria-label={words.newMessages}>
      <span>
        <b>{line ? words.newCount(line.count, line.hasMore) : words.newMessages}</b>
        {line && ` ${words.since(clockTime(line.since))}`}
      </span>
      <button type="button" className={styles.link} onClick={onFirst}>
        {words.jumpToFirst}
      </button>
      <button
        type="button"
        className={styles.link}
        onClick={() => markAsRead(channel.id, channel.last_message_id)}
      >
        {words.markAsRead}
      </button>
    </section>
  );
}

interface PillProps {
  channel: OwnChannel;
  isFar: boolean;
  useSeen: UseSeen;
  onJump(): void;
}

function PresentPill({ channel, isFar, useSeen, onJump }: PillProps) {
  const { messages: words } = useWords();
  const isAtBottom = useSeen((seen) => seen.isAtBottom);
  const mentions = useCopy((copy) => copy.readStates.get(channel.id)?.mention_count ?? 0);
  if (isAtBottom && !isFar) return null;
  return (
    <button type="button" className={styles.pill} onClick={onJump}>
      <Icon of={ArrowDown} size={16} />
      {words.jumpToPresent}
      {mentions > 0 && <MentionCount count={mentions} />}
    </button>
  );
}

/** Without room for the rail, the day in view is shown above it while the reader is further up. */
function DayInSight({ rows, useSeen }: { rows: readonly Row[]; useSeen: UseSeen }) {
  const first = useSeen((seen) => (seen.isAtBottom ? -1 : seen.first));
  const day = rows.slice(0, first + 1).findLast(({ kind }) => kind === "day");
  if (day?.kind !== "day") return null;
  const { weekday, number, month } = dayName(day.day);
  return (
    <div className={styles.day} aria-hidden="true">
      {weekday} {number} {month}
    </div>
  );
}

/**
 * Shown at the upper end of the loaded messages while older ones are loading. Not determined by pixels: when the first
 * row turns out higher than estimated, the reader's view is kept, and the scroll position is no longer zero.
 */
function OlderComing({ hasOlder, useSeen }: { hasOlder: boolean; useSeen: UseSeen }) {
  const isAtTop = useSeen((seen) => seen.first === 0 && !seen.isAtBottom);
  return hasOlder && isAtTop ? <Loading /> : null;
}

function Loading() {
  const { messages: words } = useWords();
  const isSlow = useAfter(quickMs);
  return (
    <div role="status" className={styles.coming}>
      {isSlow && <p>{words.loading}</p>}
    </div>
  );
}

function Notice({ text }: { text: string | undefined }) {
  return (
    <div role="status" className={styles.notices}>
      {text && <p>{text}</p>}
    </div>
  );
}
