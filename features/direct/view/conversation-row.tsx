// A conversation in the list: faces, name, what was said last and when, the number of unread messages, and its menu.
import { BellOff } from "lucide-react";
import { memo, useId, useRef, useState } from "react";
import { isMuted } from "../../../client/unread.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { useMenuPress } from "../../../web/ui/browser/long-press.ts";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { MentionCount } from "../../../web/ui/controls/mention-count.tsx";
import nav from "../../../web/ui/controls/nav-row.module.css";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { MenuOverlay } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { dayOrTime } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnConversation } from "../state.ts";
import { ConversationFace } from "./conversation-face.tsx";
import styles from "./conversation-list.module.css";
import { lastTalkAt } from "./listed.ts";
import { shortNameOf } from "./others.ts";
import { usePreview } from "./preview.ts";
import { conversationMenu } from "./slots.ts";

interface Props {
  conversation: OwnConversation;
  isHere: boolean;
}

export const ConversationRow = memo(function ConversationRow({ conversation, isHere }: Props) {
  const { direct: words } = useWords();
  const row = useRef<HTMLAnchorElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { onContextMenu, ...press } = useMenuPress(() => setOpen(true));
  return (
    <li onContextMenu={onContextMenu}>
      <RowLink conversation={conversation} isHere={isHere} row={row} press={press} />
      {isOpen && (
        <MenuOverlay
          label={words.menuOf(conversation.name)}
          items={menuOf(conversationMenu, { channel: conversation })}
          anchor={row}
          placement="bottom start"
          onClose={() => setOpen(false)}
        />
      )}
    </li>
  );
});

interface LinkProps extends Props {
  row: React.RefObject<HTMLAnchorElement | null>;
  press: Omit<ReturnType<typeof useMenuPress>, "onContextMenu">;
}

function RowLink({ conversation, isHere, row, press }: LinkProps) {
  const { direct: words, parts } = useWords();
  const id = useId();
  const { name } = conversation;
  const shown = useCopy(({ user }) => shortNameOf(conversation, user.id));
  const count = useCopy(({ readStates }) => readStates.get(conversation.id)?.mention_count ?? 0);
  const isQuiet = useCopy((copy) => isMuted(copy, conversation));
  const preview = usePreview(conversation);
  const at = lastTalkAt(conversation);
  // The open one is read as its messages come: it would be marked for a moment with each.
  const isUnread = count > 0 && !isHere;
  const isNew = isUnread && !isQuiet;
  const state = isNew ? words.unread(count) : isUnread ? parts.unread : undefined;
  return (
    <Link
      ref={row}
      {...press}
      href={paths.channel(conversation)}
      state={{ isFromHere: true }}
      aria-label={[name, state].filter(Boolean).join(", ")}
      aria-describedby={`${id}-said ${id}-at${isQuiet ? ` ${id}-muted` : ""}`}
      aria-current={isHere ? "page" : undefined}
      className={classNames(nav.row, styles.row, isNew && styles.unread, isQuiet && styles.muted)}
    >
      <ConversationFace conversation={conversation} size={28} />
      <span className={styles.text}>
        <b>{shown}</b>
        <span id={`${id}-said`}>{preview}</span>
      </span>
      <span className={styles.end}>
        {at && (
          <time id={`${id}-at`} dateTime={at.toISOString()}>
            {dayOrTime(at)}
          </time>
        )}
        {isNew && <MentionCount count={count} isNamed />}
        {isQuiet && <Icon of={BellOff} size={14} />}
        {isQuiet && (
          <span id={`${id}-muted`} className="visually-hidden">
            {words.muted}
          </span>
        )}
      </span>
    </Link>
  );
}
