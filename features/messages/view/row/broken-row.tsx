// Replaces a message that fails to render by one line, and leaves the rest of the room intact.
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import styles from "./row.module.css";

export function BrokenRow({ id }: { id: string }) {
  const { messages: words } = useWords();
  return (
    <article
      data-message-id={id}
      tabIndex={-1}
      aria-label={words.broken}
      className={classNames(styles.row, styles.blocked)}
    >
      <div className={styles.body}>
        <p>{words.broken}</p>
      </div>
    </article>
  );
}
