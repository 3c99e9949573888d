// A text channel: its name, its messages, and the composer.
import { type KeyboardEvent, useRef } from "react";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { isComposing } from "../../../web/ui/browser/input-method.ts";
import { isEscape } from "../../../web/ui/keys/keys.ts";
import { later } from "../../../web/ui/loading/later.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { ConnectionStrip } from "../../../web/ui/session/connection-strip.tsx";
import { useOfServer } from "../../../web/ui/session/house.tsx";
import { useViewedAs } from "../../../web/ui/session/viewed.ts";
import { useLook } from "../../../web/ui/words/look.ts";
import type { OwnChannel } from "../../channels/state.ts";
import { RoomHead } from "../../channels/view/room-head.tsx";
import { conversationHead } from "../../channels/view/slots.ts";
import { ViewedBar } from "../../channels/view/viewed-bar.ts";
import { useTitle } from "../../instance/view/title.ts";
import { Composer } from "./composer/composer.tsx";
import { MessageList } from "./list/message-list.tsx";
import styles from "./room.module.css";
import { aboveMessages } from "./slots.ts";

const Reader = later(async () => (await import("./reader/reader.tsx")).Reader);

export function Room({ channel }: { channel: OwnChannel }) {
  useTitle(
    channel.name,
    useOfServer(channel.server_id, ({ name }) => name),
  );
  const isViewed = useViewedAs(channel.id) !== undefined;
  const isConversation = channel.server_id === null;
  const isPaged = useLook().reading === "pages";
  const toPresent = useRef<() => void>(undefined);

  /** Handles an Escape that nothing else took: at the bottom it marks the channel as read, elsewhere it jumps there. */
  function onKeyDown(event: KeyboardEvent) {
    if (!isEscape(event) || event.defaultPrevented || isComposing(event.nativeEvent)) return;
    // Events of dialogs and menus bubble here although they are rendered elsewhere.
    if (event.currentTarget.contains(event.target as Node)) toPresent.current?.();
  }

  return (
    <main
      aria-label={channel.name}
      data-channel-id={channel.id}
      className={classNames(styles.room, isViewed && styles.viewed, isConversation && styles.conversation)}
      onKeyDown={onKeyDown}
    >
      {isConversation ? filled(conversationHead, { channel }) : <RoomHead channel={channel} />}
      {isConversation && <div className={styles.above}>{filled(aboveMessages, { channel })}</div>}
      {isViewed && (
        <div>
          <ViewedBar channel={channel} />
        </div>
      )}
      {isPaged ? (
        <Reader key={channel.id} channel={channel} onEscape={toPresent} />
      ) : (
        <MessageList key={channel.id} channel={channel} onEscape={toPresent} />
      )}
      <ConnectionStrip />
      <Composer key={`write ${channel.id}`} channel={channel} />
    </main>
  );
}
