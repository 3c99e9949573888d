// Brings conversations into the copy that are older than those in READY, when somebody writes there.
import { useEffect } from "react";
import type { Chat } from "../../../client/chat.ts";
import { type Copy, copyAfter } from "../../../client/copy.ts";
import { idBefore } from "../../../client/id-before.ts";
import { is } from "../../../protocol/event.ts";
import type { ServerFrame } from "../../../protocol/frames.ts";
import { limits } from "../../../protocol/limits.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { getChannel } from "../../channels/calls.ts";
import { messageCreated } from "../../messages/events.ts";
import { listConversations } from "../calls.ts";
import type { ListedConversation } from "../contract.ts";
import { withConversation } from "./fetched.ts";

/** Mounted once, while somebody is signed in. */
export function MissingConversations(): null {
  const { chat } = useHouse();
  useEffect(() => {
    // The next message asks again.
    findEarlier(chat).catch(() => {});
    /** Messages by conversation that is being fetched. */
    const waiting = new Map<string, ServerFrame[]>();
    const fetch = async (id: string, frames: ServerFrame[], firstId: string) => {
      const found = await getChannel({ params: { id } });
      if (found.server_id !== null) return;
      chat.change((copy) =>
        copy.direct.has(id)
          ? copy
          : frames.reduce(copyAfter, withMarker(withConversation(copy, found, true), id, firstId, 0)),
      );
    };
    return chat.listen((frame) => {
      if (!is(frame, messageCreated) || frame.server_id !== undefined) return;
      const { id, channel_id } = frame.data;
      if (chat.state.copy?.direct.has(channel_id) !== false) return;
      const frames = waiting.get(channel_id);
      if (frames) {
        frames.push(frame);
        return;
      }
      const first = [frame as ServerFrame];
      waiting.set(channel_id, first);
      fetch(channel_id, first, id)
        .catch(() => {})
        .finally(() => waiting.delete(channel_id));
    });
  }, [chat]);
  return null;
}

/** This part is loaded after the page: finds where somebody wrote between READY and now. */
async function findEarlier(chat: Chat): Promise<void> {
  // READY has all of a shorter list.
  if ((chat.state.copy?.direct.size ?? 0) < limits.direct_in_ready_max) return;
  const { items } = await listConversations({});
  chat.change((copy) => items.reduce(withEarlier, copy));
}

function withEarlier(copy: Copy, found: ListedConversation): Copy {
  if (copy.direct.has(found.id)) return copy;
  const after = withConversation(copy, found, true);
  const { last_message: last } = found;
  return last && last.author_id !== copy.user.id ? withMarker(after, found.id, last.id, 1) : after;
}

/** READY brought no marker of it: all before this message counts as read. */
function withMarker(copy: Copy, channel_id: string, messageId: string, mention_count: number): Copy {
  if (copy.readStates.has(channel_id)) return copy;
  const state = { channel_id, last_read_id: idBefore(messageId), mention_count };
  return { ...copy, readStates: new Map(copy.readStates).set(channel_id, state) };
}
