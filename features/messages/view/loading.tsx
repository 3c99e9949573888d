// A room before its messages are there, when they cannot be had, and when there are none.
import { RotateCcw } from "lucide-react";
import { useEffect, useState } from "react";
import type { CallError } from "../../../client/call.ts";
import { Button } from "../../../web/ui/button.tsx";
import { classNames } from "../../../web/ui/class-names.ts";
import { filled } from "../../../web/ui/slots.ts";
import { useWords } from "../../../web/ui/words.ts";
import type { Channel } from "../../channels/contract.ts";
import styles from "./loading.module.css";
import { inEmptyRoom } from "./slots.ts";

/** A fetch that is quicker shows nothing. */
const quickMs = 120;

/** Lines of the rows as most rooms have them, in parts of a hundred of the width. */
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

export function Skeleton() {
  const { messages: words } = useWords();
  const isSlow = useAfter(quickMs);
  if (!isSlow) return null;
  return (
    <div className={classNames(styles.place, styles.skeleton)} aria-busy="true">
      <span className="visually-hidden" role="status">
        {words.loading}
      </span>
      {shapes.map((lines) => (
        <div key={lines.join()} className={styles.bones}>
          <i className={styles.time} />
          {lines.length > 1 && <i className={styles.face} />}
          <div>
            {lines.map((width) => (
              <i key={width} className={styles.line} style={{ width: `${width}%` }} />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

export function LoadFailed({ refusal, onRetry }: { refusal: CallError; onRetry(): void }) {
  const { messages: words } = useWords();
  return (
    <div className={styles.place} role="alert">
      <div className={styles.words}>
        <h3>{words.cannotLoad}</h3>
        <p>{refusal.status >= 400 && refusal.status < 500 ? refusal.message : words.cannotLoadLead}</p>
        <div className={styles.actions}>
          <Button icon={RotateCcw} onClick={onRetry}>
            {words.tryAgain}
          </Button>
          {refusal.requestId && <code className={styles.chip}>{words.request(refusal.requestId)}</code>}
        </div>
      </div>
    </div>
  );
}

export function EmptyChannel({ channel }: { channel: Channel }) {
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

function useAfter(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}
