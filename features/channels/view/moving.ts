// Moves a channel: at once in the list, then at the server, and back when the server refuses.
import { CallError } from "../../../client/call.ts";
import type { Chat } from "../../../client/chat.ts";
import { valuesAfter, withFields } from "../../../protocol/unchanged.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import { beforeSigningOut } from "../../../web/ui/session/leaving.ts";
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

/** The timeout of a call, in milliseconds: a dead network does not answer for minutes, and later moves wait. */
const answerMs = 30_000;

interface Move {
  chat: Chat;
  serverId: string | null;
  /** The changes that are not sent yet. */
  changes: Placed[];
  failed: string;
}

/** The moves that are not answered yet, first to last, and the ends of their calls. */
const underWay = new Map<Move, Promise<void>>();
/** The end of the last move of each server, by its id. */
const last = new Map<string | null, Promise<void>>();

addEventListener("pagehide", () => void sendRest());
beforeSigningOut(sendRest);

/** One move of a server after the other: of two that are under way, the server would keep the one that comes last. */
function makeSo(
  chat: Chat,
  serverId: string | null,
  changes: readonly Placed[],
  failed: string,
): Promise<void> {
  show(chat, serverId, changes);
  const move = { chat, serverId, changes: [...changes], failed };
  const before = last.get(serverId) ?? Promise.resolve();
  const sent = before.then(() => send(move)).finally(() => underWay.delete(move));
  underWay.set(move, sent);
  last.set(serverId, sent);
  return sent;
}

/** Sends what waits, all at once, since the page is left; of a channel that was moved several times, the last place. */
async function sendRest(): Promise<void> {
  const rest = new Map<string, Move>();
  for (const move of underWay.keys())
    for (const change of move.changes.splice(0)) rest.set(change.id, { ...move, changes: [change] });
  await Promise.all([...underWay.values(), ...[...rest.values()].map(send)]);
}

async function send({ chat, serverId, changes, failed }: Move): Promise<void> {
  let signal: AbortSignal | undefined;
  try {
    for (let change = changes.shift(); change; change = changes.shift()) {
      const { id, position, category } = change;
      signal = AbortSignal.timeout(answerMs);
      await updateChannel({ params: { id }, body: { position, category } }, signal);
    }
  } catch (error) {
    const { passes, message } = signal?.aborted ? new CallError(0, {}) : CallError.from(error);
    showToast({ text: passes ? failed : message, isAlert: true });
    // Shows the server's current state; when it cannot be reached, the next READY brings it.
    const query = { server_id: serverId };
    const now = await listChannels({ query }, AbortSignal.timeout(answerMs)).catch(() => undefined);
    if (now) show(chat, serverId, now);
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
