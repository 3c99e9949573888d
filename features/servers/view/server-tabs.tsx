// The strip of servers: a link each with its unread mark, and a button to add one.
import { Plus } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { useMenuPress } from "../../../web/ui/browser/long-press.ts";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { FacePicture } from "../../../web/ui/controls/face.tsx";
import { initials } from "../../../web/ui/controls/initials.ts";
import { doneLater, laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { isUnreadIn, mentionsOf } from "./marks.ts";
import styles from "./server-tabs.module.css";
import { afterServers, beforeServers } from "./slots.ts";

const openMenu = doneLater(async () => (await import("./tab-menu.tsx")).openTabMenu);
const AddServer = laterWithKeys(async () => (await import("./add-server.tsx")).AddServer);

interface Props {
  currentId: string | undefined;
  /** The address at which a server opens: the channel that was last open there. */
  addressOf(server: OwnServer): string;
}

/** The number of tabs that fit beside the direct conversations and a button; more scroll, and have a list of all. */
const mostThatFit = 4;

export function ServerTabs({ currentId, addressOf }: Props) {
  const { servers: words } = useWords();
  const servers = useCopy((copy) => copy.servers);
  const [isAdding, setAdding] = useState(false);
  const strip = useRef<HTMLDivElement>(null);
  const isMany = servers.length > mostThatFit;
  const add = () => setAdding(true);
  return (
    <div ref={strip} className={classNames(styles.strip, isMany && styles.many)}>
      <nav aria-label={words.servers} data-region="servers" className={styles.nav}>
        {filled(beforeServers, {})}
        <span data-edge className={styles.edge} />
        <div className={styles.room}>
          <div data-tabs className={styles.tabs}>
            {servers.map((server) => (
              <ServerTab
                key={server.id}
                server={server}
                isHere={server.id === currentId}
                address={addressOf(server)}
              />
            ))}
          </div>
          {isMany && <span data-edge className={styles.edge} />}
        </div>
        <span className={styles.all}>
          {filled(afterServers, { strip, servers, currentId, isMany, addressOf, onAdd: add })}
        </span>
      </nav>
      <IconButton label={words.add} icon={Plus} onClick={add} />
      {isAdding && <AddServer onClose={() => setAdding(false)} />}
    </div>
  );
}

interface TabProps {
  server: OwnServer;
  isHere: boolean;
  address: string;
}

const ServerTab = memo(function ServerTab({ server, isHere, address }: TabProps) {
  const { parts } = useWords();
  const mentions = useCopy((copy) => mentionsOf(copy, server));
  const isUnread = useCopy((copy) => isUnreadIn(copy, server));
  const tab = useRef<HTMLAnchorElement>(null);
  const press = useMenuPress(() => tab.current && openMenu(server, tab.current));
  // With many servers the strip scrolls; keeps the selected one visible.
  useEffect(() => {
    if (isHere) tab.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isHere]);
  const state = mentions > 0 ? parts.mentions(mentions) : isUnread ? parts.unread : undefined;
  return (
    <Link
      ref={tab}
      href={address}
      aria-current={isHere ? "page" : undefined}
      title={server.name}
      {...press}
      className={classNames(
        styles.tab,
        !isHere && isUnread && styles.unread,
        !isHere && mentions > 0 && styles.mention,
      )}
    >
      <span aria-hidden="true" className={server.icon ? styles.face : undefined}>
        {initials(server.name)}
        {server.icon && <FacePicture url={server.icon} size={26} />}
      </span>
      <span className="visually-hidden">
        {server.name}
        {state && `, ${state}`}
      </span>
      {!isHere && mentions > 0 && (
        <span className={styles.count} aria-hidden="true">
          {mentions}
        </span>
      )}
    </Link>
  );
});
