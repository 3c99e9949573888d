// Fetches conversations that the copy lacks: the older ones of a long list, when somebody writes there.
import { useEffect } from "react";
import type { Copy } from "../../../client/copy.ts";
import { idBefore } from "../../../client/marker.ts";
import { is } from "../../../protocol/event.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { getChannel } from "../../channels/calls.ts";
import type { Conversation } from "../../channels/contract.ts";
import type { SharedMessage } from "../../messages/contract.ts";
import { messageCreated } from "../../messages/events.ts";
import { withConversation } from "./fetched.ts";

/** No marker is known of it, so this message is the first one that counts. */
function withUnread(copy: Copy, found: Conversation, { id, author }: SharedMessage): Copy {
  const after = withConversation(copy, found, true);
  if (copy.readStates.has(found.id) || author.id === copy.user.id) return after;
  const state = { channel_id: found.id, last_read_id: idBefore(id), mention_count: 1 };
  return { ...after, readStates: new Map(copy.readStates).set(found.id, state) };
}

/** Mounted once, while somebody is signed in. */
export function MissingConversations(): null {
  const { chat } = useHouse();
  useEffect(() => {
    const asked = new Set<string>();
    return chat.listen((frame) => {
      if (!is(frame, messageCreated) || frame.server_id !== undefined) return;
      const id = frame.data.channel_id;
      if (chat.state.copy?.direct.has(id) !== false || asked.has(id)) return;
      asked.add(id);
      getChannel({ params: { id } })
        .then((found) => {
          if (found.server_id === null) chat.change((copy) => withUnread(copy, found, frame.data));
        })
        // The next message asks again.
        .catch(() => {})
        .finally(() => asked.delete(id));
    });
  }, [chat]);
  return null;
}
