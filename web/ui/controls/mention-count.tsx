// How often somebody calls the reader: a number on saffron, which is read out as what it counts.

import { useWords } from "../words/words.ts";
import styles from "./mention-count.module.css";

interface Props {
  count: number;
  /** What stands beside it says already what it counts. */
  isNamed?: boolean;
}

export function MentionCount({ count, isNamed }: Props) {
  const { parts: words } = useWords();
  return (
    <span className={styles.count}>
      <span aria-hidden={!isNamed}>{count}</span>
      {!isNamed && <span className="visually-hidden">{words.mentions(count)}</span>}
    </span>
  );
}
