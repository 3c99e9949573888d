// The list of a server's channels, by category: marks the open one, unread ones, and those that mention the reader.
import { ChevronDown, Plus } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { wantsReading } from "../../../client/unread.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { keep, useKept } from "../../../web/ui/browser/kept.ts";
import { useMenuPress } from "../../../web/ui/browser/long-press.ts";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { MenuOverlay } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../state.ts";
import styles from "./channel-list.module.css";
import { ChannelRow } from "./channel-row.tsx";
import { mayManage, openCreate } from "./creating.ts";
import { type Dragging, type Hand, useDragging } from "./dragging.ts";
import { useMoveKeys } from "./move-keys.ts";
import { byCategory } from "./order.ts";
import { categoryMenu } from "./slots.ts";

interface Props {
  server: OwnServer;
  currentId: string | undefined;
}

export function ChannelList({ server, currentId }: Props) {
  const { channels: words } = useWords();
  const categories = useMemo(() => byCategory(server.channels), [server.channels]);
  const dragging = useDragging(server.channels);
  const isMovable = mayManage(server);
  const moveByKeys = useMoveKeys(server);
  const [folds, setFolds] = useState(0);
  const foldAll = () => {
    for (const [name] of categories) if (name !== null) keep(foldKey(server, name), true);
    setFolds(folds + 1);
  };
  return (
    <nav
      aria-label={words.channels}
      data-region="channels"
      className={styles.list}
      onKeyDown={(event) => (isMovable && moveByKeys(event)) || walk(event)}
    >
      {categories.map(([name, channels]) => (
        <Category
          key={`${folds} ${name ?? ""}`}
          name={name}
          server={server}
          channels={channels}
          currentId={currentId}
          dragging={isMovable ? dragging : undefined}
          onFoldAll={foldAll}
        />
      ))}
    </nav>
  );
}

/** Moves the focus by arrow keys; the tab key stops at each link as well. */
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
  server: OwnServer;
  channels: readonly OwnChannel[];
  currentId: string | undefined;
  dragging: Dragging | undefined;
  onFoldAll(): void;
}

function foldKey({ id }: OwnServer, name: string | null): string {
  return `folded/${id}/${name}`;
}

function Category({ name, server, channels, currentId, dragging, onFoldAll }: CategoryProps) {
  const [isFolded, setFolded] = useKept(foldKey(server, name), false);
  const readStates = useCopy((copy) => copy.readStates);
  const notificationSettings = useCopy((copy) => copy.notificationSettings);
  const copy = { readStates, notificationSettings };
  const shown = isFolded
    ? channels.filter(
        (channel) =>
          channel.id === currentId ||
          wantsReading(copy, channel) ||
          (readStates.get(channel.id)?.mention_count ?? 0) > 0,
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
          onFoldAll={onFoldAll}
          hand={dragging?.forCategory(name, channels[0])}
        />
      )}
      <ul>
        {shown.map((channel, i) => (
          <ChannelRow
            key={channel.id}
            channel={channel}
            isHere={channel.id === currentId}
            next={shown[i + 1]}
            dragging={dragging}
          />
        ))}
      </ul>
    </>
  );
}

interface HeadProps {
  name: string;
  server: OwnServer;
  isFolded: boolean;
  onFold(): void;
  onFoldAll(): void;
  hand: Hand | undefined;
}

function CategoryHead({ name, server, isFolded, onFold, onFoldAll, hand }: HeadProps) {
  const { channels: words } = useWords();
  const row = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const press = useMenuPress(() => setOpen(true));
  const { target, isHeld: _, ...dragging } = hand ?? {};
  return (
    <div className={classNames(styles.head, target && styles[target])} {...dragging}>
      <button
        ref={row}
        type="button"
        aria-expanded={!isFolded}
        className={styles.category}
        onClick={onFold}
        {...press}
      >
        <Icon of={ChevronDown} size={14} />
        <span className={styles.name}>{name}</span>
      </button>
      {hand && (
        <IconButton label={words.createIn(name)} icon={Plus} onClick={() => openCreate(server, name)} />
      )}
      {isOpen && (
        <MenuOverlay
          label={words.menuOf(name)}
          items={menuOf(categoryMenu, { server, name, onFoldAll })}
          anchor={row}
          placement="bottom start"
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
