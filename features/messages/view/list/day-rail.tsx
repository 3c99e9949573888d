// The rail of days beside the messages: a segment per loaded day, the new messages, mentions, and the visible part.
import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { dayName } from "../../../../web/ui/words/times.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";
import { useCallsReader } from "../model/calls-reader.ts";
import type { Row } from "../model/rows.ts";
import type { UseSeen } from "../window/seen.ts";
import type { Place } from "../window/steady.ts";
import styles from "./day-rail.module.css";
import { indexAt, positionOf, type Segment, segmentsOf } from "./rail.ts";

interface Props {
  rows: readonly Row[];
  useSeen: UseSeen;
  onTravel(place: Place): void;
}

export function DayRail({ rows, useSeen, onTravel }: Props) {
  const { messages: words } = useWords();
  const track = useRef<HTMLDivElement>(null);
  const segments = useMemo(() => segmentsOf(rows), [rows]);
  const first = useSeen((seen) => seen.first);
  const now = Math.max(
    0,
    segments.findLastIndex(({ from }) => from <= first),
  );
  const to = (index: number) => {
    const row = rows[index];
    if (row) onTravel({ is: "row", key: row.key, top: 0 });
  };

  function onPointer(event: PointerEvent<HTMLDivElement>) {
    if (event.buttons !== 1 || !track.current) return;
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    const { top, height } = track.current.getBoundingClientRect();
    to(indexAt(segments, (event.clientY - top) / height));
  }

  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number> = {
      ArrowUp: now - 1,
      ArrowDown: now + 1,
      Home: 0,
      End: segments.length - 1,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    to(segments[Math.max(0, Math.min(segments.length - 1, step))]?.from ?? 0);
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={words.days}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, segments.length - 1)}
      aria-valuenow={now}
      aria-valuetext={nameOf(segments[now], words.unreadCount)}
      className={styles.rail}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onKeyDown={onKeyDown}
    >
      <div ref={track} className={styles.track}>
        {segments.map((segment, i) => (
          <span
            key={segment.day.toDateString()}
            className={classNames(styles.day, i === segments.length - 1 && styles.last)}
            style={between(segment.start, segment.end)}
          >
            <b>{segment.day.getDate()}</b>
          </span>
        ))}
        <Marks rows={rows} segments={segments} />
        <Capsule segments={segments} useSeen={useSeen} />
      </div>
    </div>
  );
}

function Marks({ rows, segments }: { rows: readonly Row[]; segments: readonly Segment[] }) {
  const fresh = rows.findIndex((row) => row.kind === "message" && row.isUnread);
  const last = rows.findLastIndex((row) => row.kind === "message" && row.isUnread);
  return (
    <>
      {fresh >= 0 && (
        <i
          className={styles.unread}
          style={between(positionOf(segments, fresh), positionOf(segments, last + 1))}
        />
      )}
      {rows.map((row, i) =>
        row.kind === "message" && row.isUnread && !row.folded ? (
          <Mention key={row.key} message={row.message} top={positionOf(segments, i)} />
        ) : null,
      )}
    </>
  );
}

function Mention({ message, top }: { message: Message; top: number }) {
  return useCallsReader(message) && <i className={styles.mention} style={{ top: percent(top) }} />;
}

function Capsule({ segments, useSeen }: { segments: readonly Segment[]; useSeen: UseSeen }) {
  const first = useSeen((seen) => seen.first);
  const last = useSeen((seen) => seen.last);
  const isAll = useSeen((seen) => seen.above <= 0 && seen.isAtBottom);
  if (isAll) return null;
  return (
    <i
      className={styles.capsule}
      style={between(positionOf(segments, first), positionOf(segments, last + 1))}
    />
  );
}

function between(start: number, end: number) {
  return { top: percent(start), height: percent(Math.max(0, end - start)) };
}

function percent(part: number): string {
  return `${(part * 100).toFixed(2)}%`;
}

function nameOf(segment: Segment | undefined, unread: (count: number) => string): string {
  if (!segment) return "";
  const { weekday, number, month } = dayName(segment.day);
  const name = `${weekday} ${number} ${month}`;
  return segment.unread > 0 ? `${name}, ${unread(segment.unread)}` : name;
}
