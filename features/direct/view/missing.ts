// Fetches conversations that the copy lacks: the older ones of a long list, when somebody writes there.
import { useEffect } from "react";
import { withConversation } from "../../../client/copy.ts";
import { is } from "../../../protocol/event.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { getChannel } from "../../channels/calls.ts";
import { messageCreated } from "../../messages/events.ts";

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
          if (found.server_id === null) chat.change((copy) => withConversation(copy, found, true));
        })
        // The next message asks again.
        .catch(() => {})
        .finally(() => asked.delete(id));
    });
  }, [chat]);
  return null;
}
