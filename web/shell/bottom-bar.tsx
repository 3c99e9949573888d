// The bar at the bottom of a phone's first pane: servers, mentions, and oneself.
import { AtSign, MessagesSquare, User } from "lucide-react";
import { Link } from "wouter";
import type { ServerEntry } from "../../client/ready.ts";
import { YouMenu } from "../../features/accounts/view/you.tsx";
import { Icon } from "../ui/icon.tsx";
import { useWords } from "../ui/words.ts";
import styles from "./bottom-bar.module.css";
import { useMentionCount } from "./mention-count.ts";

interface Props {
  server: ServerEntry | undefined;
  showsMentions: boolean;
}

export function BottomBar({ server, showsMentions }: Props) {
  const { shell: words, accounts } = useWords();
  const count = useMentionCount();
  const home = server ? `/servers/${server.id}` : "/";
  return (
    <nav aria-label={words.panes} className={styles.bar}>
      <Link href={home} aria-current={showsMentions ? undefined : "page"} className={styles.item}>
        <Icon of={MessagesSquare} />
        {words.servers}
      </Link>
      <Link
        href={`${home}?show=mentions`}
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
