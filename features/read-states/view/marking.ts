// Marks a server or a channel as read; for some seconds that can be undone.
import { CallError } from "../../../client/call.ts";
import { isUnread } from "../../../client/unread.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import type { House } from "../../../web/ui/session/house.tsx";
import type { Words } from "../../../web/words/en.ts";
import { beginReading, useReading } from "../../messages/view/model/reading.ts";
import { markChannelRead, markServerRead } from "../calls.ts";

const undoMs = 5000;

/** A server, or one of its channels. */
interface Place {
  name: string;
  serverId: string | null;
  channelId?: string;
}

export async function markRead(place: Place, { chat }: House, words: Words): Promise<void> {
  const { copy } = chat.state;
  const { channelId, serverId } = place;
  const inServer = [...(copy?.servers.find(({ id }) => id === serverId)?.channels.values() ?? [])];
  const unread = inServer
    .filter((each) => (channelId === undefined || each.id === channelId) && copy && isUnread(copy, each))
    .map(({ id, last_message_id }) => ({
      id,
      newest: last_message_id,
      before: copy?.readStates.get(id)?.last_read_id ?? null,
    }));
  const reading = useReading.getState();
  const open = unread.find(({ id }) => id === reading.channelId);
  const mark = async (to: "newest" | "before") => {
    for (const each of unread)
      await markChannelRead({ params: { channelID: each.id }, body: { message_id: each[to] } });
  };
  const undo = () => {
    // Looking at the open channel would mark it as read again.
    if (open && useReading.getState().channelId === open.id)
      useReading.setState({ fresh: reading.fresh, isPaused: true });
    mark("before").catch(tell);
  };
  const tell = (error: unknown) =>
    showToast({ text: words.readStates.notMarked(CallError.from(error).message), isAlert: true });
  try {
    if (channelId === undefined && serverId !== null) await markServerRead({ params: { id: serverId } });
    else await mark("newest");
    if (open && useReading.getState().channelId === open.id) beginReading(open.id, undefined);
    showToast({
      text: words.readStates.marked(place.name),
      forMs: undoMs,
      action: { label: words.messages.undo, isUndo: true, run: undo },
    });
  } catch (error) {
    tell(error);
  }
}
