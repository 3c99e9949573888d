// The line above the messages that were unread when the channel was opened.
import { clockTime } from "../../../../web/ui/words/times.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import styles from "../window/divisions.module.css";

interface Props {
  count: number;
  /** True if further new messages are not loaded. */
  hasMore: boolean;
  since: Date;
}

export function NewRow({ count, hasMore, since }: Props) {
  const { messages: words } = useWords();
  return (
    <div className={styles.fresh}>
      <hr aria-label={words.newMessages} />
      <b aria-hidden="true">{words.fresh}</b>
      <em>{words.newSince(count, hasMore, clockTime(since))}</em>
    </div>
  );
}
