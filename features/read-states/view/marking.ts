// Marks a server, a category or a channel as read; for some seconds that can be undone.
import type { Copy } from "../../../client/copy.ts";
import { isUnread } from "../../../client/unread.ts";
import { eachOf } from "../../../web/ui/browser/each-of.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import type { House } from "../../../web/ui/session/house.tsx";
import { refusalOf } from "../../../web/ui/words/refusal.ts";
import type { Words } from "../../../web/words/en.ts";
import type { OwnChannel } from "../../channels/state.ts";
import { beginReading, useReading } from "../../messages/view/model/reading.ts";
import { markChannelRead, markServerRead } from "../calls.ts";
import type { ReadState } from "../contract.ts";
import type { ReadStates } from "../state.ts";

const undoMs = 5000;

/** A server, or some of its channels: one, or those of a category. */
interface Place {
  name: string;
  serverId: string | null;
  channelIds?: readonly string[];
}

/** The unread channels of a place. */
export function unreadChannelsIn(copy: Copy, { serverId, channelIds }: Omit<Place, "name">): OwnChannel[] {
  const server = copy.servers.find(({ id }) => id === serverId);
  const all = [...(server?.channels.values() ?? [])];
  return all.filter((each) => (!channelIds || channelIds.includes(each.id)) && isUnread(copy, each));
}

export async function markRead(place: Place, { chat }: House, words: Words): Promise<void> {
  const { copy } = chat.state;
  const { channelIds, serverId } = place;
  const unread = (copy ? unreadChannelsIn(copy, place) : []).map(({ id, last_message_id }) => ({
    id,
    newest: last_message_id,
    before: copy?.readStates.get(id)?.last_read_id ?? null,
  }));
  const states = unread.flatMap(({ id }) => copy?.readStates.get(id) ?? []);
  const reading = useReading.getState();
  const open = unread.find(({ id }) => id === reading.channelId);
  const mark = (to: "newest" | "before") =>
    eachOf(unread, ({ id, [to]: message_id }) =>
      markChannelRead({ params: { channelID: id }, body: { message_id } }),
    );
  // The marks in the lists go with the press: the server gathers what it tells for a second.
  const show = (shown: readonly ReadState[]) =>
    chat.change((now) => ({ ...now, readStates: withStates(now.readStates, shown) }));
  const undo = () => {
    show(states);
    // Looking at the open channel would mark it as read again.
    if (open && useReading.getState().channelId === open.id)
      useReading.setState({ fresh: reading.fresh, isPaused: true });
    mark("before").catch(tell);
  };
  const tell = (error: unknown) =>
    showToast({ text: words.readStates.notMarked(refusalOf(error)), isAlert: true });
  show(unread.map(({ id, newest }) => ({ channel_id: id, last_read_id: newest, mention_count: 0 })));
  try {
    if (channelIds === undefined && serverId !== null) await markServerRead({ params: { id: serverId } });
    else await mark("newest");
    if (open && useReading.getState().channelId === open.id) beginReading(open.id, undefined);
    showToast({
      text: words.readStates.marked(place.name),
      forMs: undoMs,
      action: { label: words.messages.undo, isUndo: true, run: undo },
    });
  } catch (error) {
    show(states);
    tell(error);
  }
}

function withStates(states: ReadStates, shown: readonly ReadState[]): ReadStates {
  const after = new Map(states);
  for (const each of shown) after.set(each.channel_id, each);
  return after;
}
