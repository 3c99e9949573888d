// A channel in the list: its link, its unread marks, and its menu.
import { BellOff, Ellipsis, Hash, Lock, Volume2 } from "lucide-react";
import { memo, useRef, useState } from "react";
import { wantsReading } from "../../../client/unread.ts";
import { holds, permission } from "../../../protocol/permissions.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { useMenuPress } from "../../../web/ui/browser/long-press.ts";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { MentionCount } from "../../../web/ui/controls/mention-count.tsx";
import nav from "../../../web/ui/controls/nav-row.module.css";
import { following } from "../../../web/ui/loading/later.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { MenuOverlay } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { useCopy, useOfServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../state.ts";
import styles from "./channel-list.module.css";
import type { Dragging } from "./dragging.ts";
import { shortcuts } from "./move-keys.ts";
import { useMuted } from "./muted.ts";
import { besideChannel, channelMenu } from "./slots.ts";

const VoicePeople = following(async () => (await import("./voice-people.tsx")).VoicePeople);

interface Props {
  channel: OwnChannel;
  isHere: boolean;
  /** Undefined when the reader may not move channels. */
  dragging: Dragging | undefined;
  /** The next channel in the same category. */
  next: OwnChannel | undefined;
}

export const ChannelRow = memo(function ChannelRow({ channel, next, isHere, dragging: moving }: Props) {
  const hand = moving?.forRow(channel, next);
  const row = useRef<HTMLAnchorElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { onContextMenu, ...press } = useMenuPress(() => setOpen(true));
  const { target, isHeld, ...dragging } = hand ?? {};
  return (
    <li
      className={classNames(styles.item, target && styles[target], isHeld && styles.held)}
      onContextMenu={onContextMenu}
      {...dragging}
    >
      <RowLink channel={channel} isHere={isHere} row={row} isMovable={hand !== undefined} press={press} />
      {filled(besideChannel, { channel })}
      <RowMenu channel={channel} row={row} isOpen={isOpen} onOpen={setOpen} />
      {channel.type === "voice" && <InRoom channel={channel} />}
    </li>
  );
});

interface LinkProps {
  channel: OwnChannel;
  isHere: boolean;
  row: React.RefObject<HTMLAnchorElement | null>;
  isMovable: boolean;
  /** A long press of the link opens the menu; one of a person in its room opens theirs. */
  press: Omit<ReturnType<typeof useMenuPress>, "onContextMenu">;
}

function RowLink({ channel, isHere, row, isMovable, press }: LinkProps) {
  const { channels: words, parts } = useWords();
  const state = useCopy((copy) => copy.readStates.get(channel.id));
  const isMuted = useMuted(channel);
  const isClosed = isClosedTo(channel);
  const mentions = state?.mention_count ?? 0;
  const unread = useCopy((copy) => wantsReading(copy, channel)) && !isHere;
  return (
    <Link
      ref={row}
      {...press}
      href={paths.channel(channel)}
      state={{ isFromHere: true }}
      draggable={isMovable}
      aria-keyshortcuts={isMovable ? shortcuts() : undefined}
      aria-current={isHere ? "page" : undefined}
      className={classNames(
        nav.row,
        styles.row,
        unread && styles.unread,
        mentions > 0 && styles.mention,
        isMuted && styles.muted,
      )}
    >
      <Icon of={channel.type === "voice" ? Volume2 : Hash} size={16} />
      <span className={styles.name}>{channel.name}</span>
      {channel.isPrivate && <State icon={Lock} says={words.private} />}
      {mentions > 0 ? (
        <MentionCount count={mentions} />
      ) : (
        unread && <span className="visually-hidden">{parts.unread}</span>
      )}
      {isClosed && <State icon={channel.isPrivate ? undefined : Lock} says={words.locked} />}
      {isMuted && <State icon={BellOff} says={words.muted} />}
    </Link>
  );
}

function InRoom({ channel }: { channel: OwnChannel }) {
  const isTaken = useOfServer(channel.server_id, ({ voice }) =>
    voice.some(({ channel_id }) => channel_id === channel.id),
  );
  return isTaken ? <VoicePeople channel={channel} /> : null;
}

function State({ icon, says }: { icon: typeof Lock | undefined; says: string }) {
  return (
    <>
      {icon && <Icon of={icon} size={14} />}
      <span className="visually-hidden">{says}</span>
    </>
  );
}

/** True if the reader sees the channel but can neither write nor talk in it. */
function isClosedTo({ type, permissions: bits }: OwnChannel): boolean {
  return !holds({ bits }, type === "text" ? permission.SEND_MESSAGES : permission.CONNECT_VOICE);
}

interface MenuProps {
  channel: OwnChannel;
  row: React.RefObject<HTMLAnchorElement | null>;
  isOpen: boolean;
  onOpen(isOpen: boolean): void;
}

/**
 * The button is for the pointer alone, and hidden from assistive technology: the context menu key opens the same menu,
 * which is also in the head of the room.
 */
function RowMenu({ channel, row, isOpen, onOpen }: MenuProps) {
  const { channels: words } = useWords();
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        data-open={isOpen}
        title={words.menuOf(channel.name)}
        className={styles.more}
        onClick={() => onOpen(true)}
      >
        <Icon of={Ellipsis} size={16} />
      </button>
      {isOpen && (
        <MenuOverlay
          label={words.menuOf(channel.name)}
          items={menuOf(channelMenu, { channel })}
          anchor={row}
          placement="bottom end"
          onClose={() => onOpen(false)}
        />
      )}
    </>
  );
}
