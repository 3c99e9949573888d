// Moves a channel: at once in the list, then at the server, and back when the server refuses.
import { CallError } from "../../../client/call.ts";
import type { Chat } from "../../../client/chat.ts";
import { valuesAfter, withFields } from "../../../protocol/unchanged.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import type { Words } from "../../../web/words/en.ts";
import { listChannels, updateChannel } from "../calls.ts";
import type { OwnChannel, OwnChannels } from "../state.ts";
import { byCategory } from "./order.ts";
import { type Place, type Placed, placed } from "./placing.ts";
import { stepped, steppedCategory } from "./steps.ts";

/** Moves a channel one place up or down, into the next category at the end of its own, and announces the new place. */
export function moveByStep(
  chat: Chat,
  { server_id, id, name }: Pick<OwnChannel, "server_id" | "id" | "name">,
  step: 1 | -1,
  words: Words["channels"],
): void {
  const place = stepped(channelsOf(chat, server_id), id, step);
  if (!place) return;
  void moveChannel(chat, { server_id, id }, place, words.notMoved);
  const [category, some] = byCategory(channelsOf(chat, server_id)).find(([, some]) =>
    some.some((each) => each.id === id),
  ) ?? [null, []];
  const at = some.findIndex((each) => each.id === id) + 1;
  announce(words.moved(name, category ?? words.noCategory, at, some.length));
}

/** True if moving the channel to the place changes anything. */
export function isElsewhere(channels: OwnChannels, { id }: Pick<OwnChannel, "id">, place: Place): boolean {
  return place.before !== id && placed(channels, id, place).length > 0;
}

export async function moveChannel(
  chat: Chat,
  { server_id, id }: Pick<OwnChannel, "server_id" | "id">,
  place: Place,
  /** Shown when the server could not be reached. */
  failed: string,
): Promise<void> {
  await makeSo(chat, server_id, placed(channelsOf(chat, server_id), id, place), failed);
}

/** Moves a category one place up or down among the others. */
export async function moveCategory(
  chat: Chat,
  server_id: string,
  { name, step }: { name: string; step: 1 | -1 },
  failed: string,
): Promise<void> {
  await makeSo(chat, server_id, steppedCategory(channelsOf(chat, server_id), name, step), failed);
}

let last = Promise.resolve();

/** One move after the other: of two that are under way, the server would keep the one that comes last. */
function makeSo(
  chat: Chat,
  server_id: string | null,
  changes: readonly Placed[],
  failed: string,
): Promise<void> {
  show(chat, server_id, changes);
  last = last.then(() => send(chat, server_id, changes, failed));
  return last;
}

async function send(
  chat: Chat,
  server_id: string | null,
  changes: readonly Placed[],
  failed: string,
): Promise<void> {
  try {
    for (const { id, position, category } of changes) {
      await updateChannel({ params: { id }, body: { position, category } });
    }
  } catch (error) {
    const { passes, message } = CallError.from(error);
    showToast({ text: passes ? failed : message, isAlert: true });
    // Shows the server's current state; when it cannot be reached, the next READY brings it.
    const now = await listChannels({ query: { server_id } }).catch(() => undefined);
    if (now) show(chat, server_id, now);
  }
}

function channelsOf(chat: Chat, serverId: string | null): OwnChannels {
  return chat.state.copy?.servers.find(({ id }) => id === serverId)?.channels ?? new Map();
}

function show(chat: Chat, serverId: string | null, changes: readonly Placed[]): void {
  const byId = new Map(changes.map(({ id, position, category }) => [id, { position, category }]));
  chat.change((copy) => ({
    ...copy,
    servers: copy.servers.map((server) =>
      server.id === serverId
        ? {
            ...server,
            channels: valuesAfter(server.channels, (each) => withFields(each, byId.get(each.id) ?? {})),
          }
        : server,
    ),
  }));
}
