// The first link of the strip of servers: the direct conversations, with the number of unread messages.
import { MessageCircle } from "lucide-react";
import { useLocation } from "wouter";
import { unreadIn } from "../../../client/unread.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "../../servers/view/server-tabs.module.css";

export function DirectTab() {
  const { direct: words } = useWords();
  const [path] = useLocation();
  const count = useCopy(unreadIn);
  const home = paths.server(null);
  const isHere = path === home || path.startsWith(`${home}/`);
  return (
    <Link
      href={home}
      aria-current={isHere ? "page" : undefined}
      title={words.title}
      className={classNames(styles.tab, !isHere && count > 0 && `${styles.unread} ${styles.mention}`)}
    >
      <Icon of={MessageCircle} />
      <span className="visually-hidden">
        {words.title}
        {count > 0 && `, ${words.unread(count)}`}
      </span>
      {!isHere && count > 0 && (
        <span className={styles.count} aria-hidden="true">
          {count}
        </span>
      )}
    </Link>
  );
}
