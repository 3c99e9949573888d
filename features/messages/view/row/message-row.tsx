// A message in a room: time, author, content and actions.
import { memo } from "react";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { focusAfter } from "../../../../web/ui/browser/focus-after.ts";
import { later, laterWithKeys } from "../../../../web/ui/loading/later.tsx";
import { filled } from "../../../../web/ui/loading/slots.ts";
import { withMenus } from "../../../../web/ui/overlays/menu.tsx";
import { useCopy } from "../../../../web/ui/session/house.tsx";
import { clockTime, fullTime } from "../../../../web/ui/words/times.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Message } from "../../contract.ts";
import { useRowActions } from "../actions/row-actions.ts";
import { useEditing } from "../drafting/editing.ts";
import { askFor } from "../model/blocked-runs.ts";
import { useCallsReader } from "../model/calls-reader.ts";
import { belowMessage } from "../slots.ts";
import { AuthorFace, Byline } from "./byline.tsx";
import { Content } from "./content.tsx";
import { ReplyLine } from "./reply-place.tsx";
import styles from "./row.module.css";

const ActionBar = later(async () => (await withMenus(import("../actions/action-bar.tsx"))).ActionBar);
const ActionMenu = laterWithKeys(
  async () => (await withMenus(import("../actions/action-menu.tsx"))).ActionMenu,
);
const ActionSheet = laterWithKeys(
  async () => (await withMenus(import("../actions/action-sheet.tsx"))).ActionSheet,
);
const EditBox = laterWithKeys(async () => (await import("./edit-box.tsx")).EditBox);

interface Props {
  message: Message;
  isHead: boolean;
  showsTime: boolean;
  isUnread: boolean;
  folded: string | undefined;
}

export const MessageRow = memo(function MessageRow(props: Props) {
  return props.folded ? <BlockedRow {...props} folded={props.folded} /> : <WholeRow {...props} />;
});

function WholeRow({ message, isHead, showsTime, isUnread }: Props) {
  const { messages: words } = useWords();
  const { id, author, created_at, server_id } = message;
  const callsMe = useCallsReader(message);
  const isEditing = useEditing((editing) => editing.messageId === id);
  const actions = useRowActions(message);
  const showsBar = actions.shows === "bar" && !isEditing;
  return (
    <article
      data-message-id={id}
      tabIndex={-1}
      aria-label={words.rowName(author.display_name, fullTime(new Date(created_at)))}
      className={classNames(
        styles.row,
        isHead && styles.head,
        isUnread && styles.unread,
        callsMe && styles.mention,
        message.reply_to !== null && styles.hasReply,
        actions.isOpen && styles.held,
      )}
      {...actions.handlers}
    >
      {message.reply_to !== null && (
        <ReplyLine channelId={message.channel_id} originalId={message.reply_to} />
      )}
      <RowTime at={created_at} isShown={showsTime} />
      {isHead && <AuthorFace author={author} size={36} />}
      <div className={styles.body}>
        {isHead && <Byline author={author} serverId={server_id} />}
        {isEditing ? <EditBox message={message} /> : <Content message={message} />}
        {filled(belowMessage, { message })}
      </div>
      {showsBar && <ActionBar message={message} isHeld={actions.isHeld} onHold={actions.hold} />}
      {actions.menuAt && <ActionMenu message={message} at={actions.menuAt} onClose={actions.close} />}
      {actions.shows === "sheet" && <ActionSheet message={message} onClose={actions.close} />}
    </article>
  );
}

function RowTime({ at, isShown }: { at: string; isShown: boolean }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={fullTime(date)} className={classNames(styles.at, !isShown && styles.quiet)}>
      {clockTime(date)}
    </time>
  );
}

/** Messages of blocked people: one line until the reader asks for them. */
function BlockedRow({ message, isUnread, folded }: Props & { folded: string }) {
  const { messages: words } = useWords();
  const blocked = useCopy((copy) => copy.blocked);
  return (
    <article
      data-message-id={message.id}
      tabIndex={-1}
      aria-label={words.rowName(words.blocked, fullTime(new Date(message.created_at)))}
      className={classNames(styles.row, styles.blocked, isUnread && styles.unread)}
    >
      <RowTime at={message.created_at} isShown={false} />
      <div className={styles.body}>
        <p>
          {words.blockedMessages(folded.split(" ").length)}{" "}
          <button
            type="button"
            onClick={({ currentTarget }) => {
              focusAfter(currentTarget.closest("main"), `[data-message-id="${folded.split(" ", 1)}"]`);
              askFor(folded, blocked);
            }}
          >
            {words.show}
          </button>
        </p>
      </div>
    </article>
  );
}
