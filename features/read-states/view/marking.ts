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

/** A channel's state before and after it is marked as read. */
interface Marked {
  before: ReadState;
  after: ReadState;
}

export async function markRead(place: Place, { chat }: House, words: Words): Promise<void> {
  const { copy } = chat.state;
  const unread = (copy ? unreadChannelsIn(copy, place) : []).map(({ id, last_message_id }): Marked => {
    const before = copy?.readStates.get(id) ?? { channel_id: id, last_read_id: null, mention_count: 0 };
    return { before, after: { channel_id: id, last_read_id: last_message_id, mention_count: 0 } };
  });
  const { channelId, fresh } = useReading.getState();
  const isOpen = ({ after }: Marked) =>
    after.channel_id === channelId && useReading.getState().channelId === channelId;
  const show = (marked: readonly Marked[], as: keyof Marked) =>
    chat.change((now) => ({ ...now, readStates: withStates(now.readStates, marked, as) }));
  /** Shows the other state again, unless the server has told a newer one. */
  const showAgain = (marked: readonly Marked[], as: keyof Marked) =>
    show(
      marked.filter((each) => isShown(each, chat.state.copy)),
      as,
    );
  const endLine = (marked: readonly Marked[]) => {
    if (channelId !== undefined && marked.some(isOpen)) beginReading(channelId, undefined);
  };
  const unmarked = (marked: readonly Marked[]) => {
    showAgain(marked, "after");
    endLine(marked);
  };
  const undo = () => {
    show(unread, "before");
    // Looking at the open channel would mark it as read again.
    if (unread.some(isOpen)) useReading.setState({ fresh, isPaused: true });
    eachOf(unread, (each) => mark(each.before).catch(after(() => unmarked([each])))).catch(tell);
  };
  const tell = (error: unknown) =>
    showToast({ text: words.readStates.notMarked(refusalOf(error)), isAlert: true });
  // The marks in the lists go with the press: the server gathers what it tells for a second.
  show(unread, "after");
  try {
    if (place.channelIds === undefined && place.serverId !== null)
      await markServerRead({ params: { id: place.serverId } }).catch(
        after(() => showAgain(unread, "before")),
      );
    else await eachOf(unread, (each) => mark(each.after).catch(after(() => showAgain([each], "before"))));
  } catch (error) {
    tell(error);
    return;
  }
  endLine(unread);
  showToast({
    text: words.readStates.marked(place.name),
    forMs: undoMs,
    action: { label: words.messages.undo, isUndo: true, run: undo },
  });
}

function mark({ channel_id, last_read_id }: ReadState): Promise<void> {
  return markChannelRead({ params: { channelID: channel_id }, body: { message_id: last_read_id } });
}

/** Returns a handler that throws the error again once this is done. */
function after(done: () => void): (error: unknown) => never {
  return (error) => {
    done();
    throw error;
  };
}

function isShown({ before, after }: Marked, copy: Copy | undefined): boolean {
  const state = copy?.readStates.get(before.channel_id);
  return state === before || state === after;
}

function withStates(states: ReadStates, marked: readonly Marked[], as: keyof Marked): ReadStates {
  const shown = new Map(states);
  for (const { [as]: each } of marked) shown.set(each.channel_id, each);
  return shown;
}
