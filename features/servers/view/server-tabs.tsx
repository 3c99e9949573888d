// The strip of servers: a link each with its unread mark, and a button to add one.
import { Plus } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { wantsReading } from "../../../client/unread.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { FacePicture, firstLetters } from "../../../web/ui/controls/face.tsx";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./server-tabs.module.css";
import { beforeServers } from "./slots.ts";

const AddServer = laterWithKeys(async () => (await import("./add-server.tsx")).AddServer);

interface Props {
  currentId: string | undefined;
  /** The address at which a server opens: the channel that was last open there. */
  addressOf(server: OwnServer): string;
}

export function ServerTabs({ currentId, addressOf }: Props) {
  const { servers: words } = useWords();
  const servers = useCopy((copy) => copy.servers);
  const [isAdding, setAdding] = useState(false);
  return (
    <div className={styles.strip}>
      <nav aria-label={words.servers} data-region="servers" className={styles.nav}>
        {filled(beforeServers, {})}
        <span className={styles.edge} />
        <div className={styles.tabs}>
          {servers.map((server) => (
            <ServerTab
              key={server.id}
              server={server}
              isHere={server.id === currentId}
              address={addressOf(server)}
            />
          ))}
        </div>
      </nav>
      <IconButton label={words.add} icon={Plus} onClick={() => setAdding(true)} />
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
  const channels = [...server.channels.values()];
  const mentions = useCopy(({ readStates }) =>
    channels.reduce((sum, { id }) => sum + (readStates.get(id)?.mention_count ?? 0), 0),
  );
  const isUnread = useCopy((copy) => channels.some((channel) => wantsReading(copy, channel)));
  const tab = useRef<HTMLAnchorElement>(null);
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
      className={classNames(
        styles.tab,
        !isHere && isUnread && styles.unread,
        !isHere && mentions > 0 && styles.mention,
      )}
    >
      <span aria-hidden="true" className={server.icon ? styles.face : undefined}>
        {firstLetters(server.name, 2).join("")}
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
