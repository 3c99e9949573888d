// The list of a server's channels, by category, on its spine: which is open, unread, or calls the reader.
import { ChevronDown, Plus } from "lucide-react";
import { type KeyboardEvent, useMemo } from "react";
import type { ServerEntry } from "../../../client/ready.ts";
import { IconButton } from "../../../web/ui/button.tsx";
import { classNames } from "../../../web/ui/class-names.ts";
import { useCopy } from "../../../web/ui/house.tsx";
import { Icon } from "../../../web/ui/icon.tsx";
import { useKept } from "../../../web/ui/kept.ts";
import { useWords } from "../../../web/ui/words.ts";
import type { Channel } from "../contract.ts";
import styles from "./channel-list.module.css";
import { ChannelRow, isUnread } from "./channel-row.tsx";
import { mayManage, openCreate } from "./creating.ts";
import { type Dragging, useDragging } from "./dragging.ts";
import { byCategory } from "./order.ts";

interface Props {
  server: ServerEntry;
  currentId: string | undefined;
}

export function ChannelList({ server, currentId }: Props) {
  const { channels: words } = useWords();
  const categories = useMemo(() => byCategory(server.channels), [server.channels]);
  const dragging = useDragging();
  return (
    <nav aria-label={words.channels} data-region="channels" className={styles.list} onKeyDown={walk}>
      {categories.map(([name, channels]) => (
        <Category
          key={name ?? ""}
          name={name}
          server={server}
          channels={channels}
          currentId={currentId}
          dragging={mayManage(server.permissions) ? dragging : undefined}
        />
      ))}
    </nav>
  );
}

/** The tab key stops at each link as well. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const stops = [
    ...event.currentTarget.querySelectorAll<HTMLElement>("a[href], button:not([tabindex='-1'])"),
  ];
  const at = stops.findIndex((stop) => stop.matches(":focus"));
  if (at < 0) return;
  event.preventDefault();
  stops[at + step]?.focus();
}

interface CategoryProps {
  name: string | null;
  server: ServerEntry;
  channels: readonly Channel[];
  currentId: string | undefined;
  dragging: Dragging | undefined;
}

function Category({ name, server, channels, currentId, dragging }: CategoryProps) {
  const [isFolded, setFolded] = useKept(`folded/${server.id}/${name}`, false);
  const readStates = useCopy((copy) => copy.readStates);
  const shown = isFolded
    ? channels.filter(
        (channel) => channel.id === currentId || isUnread(channel, readStates.get(channel.id)?.last_read_id),
      )
    : channels;
  return (
    <>
      {name !== null && (
        <CategoryHead
          name={name}
          server={server}
          isFolded={isFolded}
          onFold={() => setFolded(!isFolded)}
          hand={dragging?.forCategory(name, channels[0])}
        />
      )}
      <ul>
        {shown.map((channel) => (
          <ChannelRow
            key={channel.id}
            channel={channel}
            isHere={channel.id === currentId}
            dragging={dragging}
          />
        ))}
      </ul>
    </>
  );
}

interface HeadProps {
  name: string;
  server: ServerEntry;
  isFolded: boolean;
  onFold(): void;
  hand: ReturnType<Dragging["forCategory"]> | undefined;
}

function CategoryHead({ name, server, isFolded, onFold, hand }: HeadProps) {
  const { channels: words } = useWords();
  const { isTarget, ...dragging } = hand ?? { isTarget: false };
  return (
    <div className={classNames(styles.head, isTarget && styles.target)} {...dragging}>
      <button type="button" aria-expanded={!isFolded} className={styles.category} onClick={onFold}>
        <Icon of={ChevronDown} size={14} />
        <span className={styles.name}>{name}</span>
      </button>
      {hand && (
        <IconButton label={words.createIn(name)} icon={Plus} onClick={() => openCreate(server, name)} />
      )}
    </div>
  );
}
