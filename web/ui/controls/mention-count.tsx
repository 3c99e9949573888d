// The number of mentions of the reader, on saffron; screen readers also hear what it counts.

import { useWords } from "../words/words.ts";
import styles from "./mention-count.module.css";

interface Props {
  count: number;
  /** The text beside it says already what the number counts. */
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
