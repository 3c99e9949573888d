// The bar at the bottom of a phone's first pane: servers, mentions, and the reader's own menu.
import { AtSign, MessagesSquare, User } from "lucide-react";
import { useLocation } from "wouter";
import { YouMenu } from "../../features/accounts/view/you.tsx";
import { back } from "../ui/browser/panel.ts";
import { Icon } from "../ui/controls/icon.tsx";
import { Link } from "../ui/navigation/link.tsx";
import { useWords } from "../ui/words/words.ts";
import styles from "./bottom-bar.module.css";
import { useMentionCount } from "./mention-count.ts";

interface Props {
  /** The address of the first pane. */
  home: string;
  showsMentions: boolean;
}

export function BottomBar({ home, showsMentions }: Props) {
  const { shell: words, accounts } = useWords();
  const count = useMentionCount();
  const [, navigate] = useLocation();
  return (
    <nav aria-label={words.panes} className={styles.bar}>
      <Link
        href={home}
        aria-current={showsMentions ? undefined : "page"}
        className={styles.item}
        onClick={(event) => {
          if (!showsMentions || event.ctrlKey || event.metaKey || event.shiftKey) return;
          // The two are tabs of one pane: switching between them leaves no entries in the history.
          event.preventDefault();
          back(() => navigate(home, { replace: true }), true);
        }}
      >
        <Icon of={MessagesSquare} />
        {words.servers}
      </Link>
      <Link
        href={`${home}?show=mentions`}
        state={{ isFromHere: true }}
        replace={showsMentions}
        aria-current={showsMentions ? "page" : undefined}
        className={styles.item}
      >
        <Icon of={AtSign} />
        {words.mentions}
        {count > 0 && <span className={styles.count}>{count}</span>}
      </Link>
      <YouMenu>
        {(opener) => (
          <button type="button" {...opener} className={styles.item}>
            <Icon of={User} />
            {accounts.you}
          </button>
        )}
      </YouMenu>
    </nav>
  );
}
