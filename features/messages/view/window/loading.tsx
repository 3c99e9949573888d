// A room while its messages load, when loading fails, and when there are none.
import { RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import type { CallError } from "../../../../client/call.ts";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { filled } from "../../../../web/ui/loading/slots.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { inEmptyRoom } from "../slots.ts";
import { type Bone, bonesOf } from "./bones.ts";
import styles from "./loading.module.css";

/** Faster loads show nothing. In milliseconds. */
export const quickMs = 120;

/** Line widths of typical rows, in percent. */
const shapes: readonly (readonly number[])[] = [
  [12, 68],
  [48],
  [14, 78, 62],
  [11, 40],
  [16, 64, 50, 32],
  [13, 56],
  [70],
  [10, 36],
];

/** Height of a line of text in a row, in pixels. */
const linePx = 22;
/** Line widths in percent, used in turn. */
const widths = [68, 48, 78, 40, 62, 56, 70, 36];

export function Skeleton({ channelId }: { channelId: string }) {
  const { messages: words } = useWords();
  const isSlow = useAfter(quickMs);
  const [known] = useState(() => bonesOf(channelId));
  if (!isSlow) return null;
  return (
    <div className={classNames(styles.place, styles.skeleton, known && styles.known)} aria-busy="true">
      <span className="visually-hidden" role="status">
        {words.loading}
      </span>
      {known
        ? // biome-ignore lint/suspicious/noArrayIndexKey: they stand for rows of which nothing else is known.
          known.map((bone, i) => <KnownBone key={i} bone={bone} index={i} />)
        : shapes.map((lines) => <Bones key={lines.join()} lines={lines} isHead={lines.length > 1} />)}
    </div>
  );
}

/** A skeleton row with the height that the row had when the room was left. */
function KnownBone({ bone: { height, is }, index }: { bone: Bone; index: number }) {
  const isHead = is === "head";
  const count = is === "gap" ? 0 : Math.max(1, Math.floor((height - (isHead ? linePx : 0)) / linePx));
  const lines = Array.from({ length: count }, (_, i) => widths[(index * 3 + i) % widths.length] ?? 0);
  return (
    <div style={{ height }}>
      {is !== "gap" && <Bones lines={isHead ? [12, ...lines] : lines} isHead={isHead} />}
    </div>
  );
}

function Bones({ lines, isHead }: { lines: readonly number[]; isHead: boolean }) {
  return (
    <div className={styles.bones}>
      {isHead && <i className={styles.time} />}
      {isHead && <i className={styles.face} />}
      <div>
        {lines.map((width, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of nothing.
          <i key={i} className={styles.line} style={{ width: `${width}%` }} />
        ))}
      </div>
    </div>
  );
}

export function LoadFailed({ refusal, onRetry }: { refusal: CallError; onRetry(): void }) {
  const { messages: words, parts } = useWords();
  return (
    <div className={styles.place} role="alert">
      <div className={styles.words}>
        <h3>{words.cannotLoad}</h3>
        <p>{refusal.status >= 400 && refusal.status < 500 ? refusal.message : words.cannotLoadLead}</p>
        <div className={styles.actions}>
          <Button icon={RotateCcw} onClick={onRetry}>
            {parts.tryAgain}
          </Button>
          {refusal.requestId && <code className={styles.chip}>{words.request(refusal.requestId)}</code>}
        </div>
      </div>
    </div>
  );
}

export function EmptyChannel({ channel }: { channel: OwnChannel }) {
  const { messages: words } = useWords();
  return (
    <div className={styles.place}>
      <div className={styles.words}>
        <h3>{words.begins(channel.name)}</h3>
        <p>{words.beginsLead}</p>
        {filled(inEmptyRoom, { channel })}
      </div>
    </div>
  );
}

export function useAfter(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}
