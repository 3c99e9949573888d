// Finds a channel through the person asking: not there, not a member and not allowed to see all look alike.
import { timeText } from "../../protocol/clock.ts";
import { notFound } from "../../protocol/errors.ts";
import { holds, permission, type Standing } from "../../protocol/permissions.ts";
import { nextTurn, pieces, rowsAtOnce } from "../../server/house/pieces.ts";
import { question } from "../../server/house/question.ts";
import { standingOf, standingsOf } from "../../server/house/standing.ts";
import type { Unit } from "../../server/house/unit.ts";
import type { Channel } from "./contract.ts";
import { type ChannelsTable, countChannels, removeChannel, selectChannel, selectChannels } from "./store.ts";

export { selectChannelIds, selectChannelsById } from "./store.ts";

export interface VisibleChannel {
  channel: ChannelsTable;
  standing: Standing;
}

const channelsRemembered = 20_000;

/** The channel and the caller's standing in its server; 404 unless the caller can see it. */
export async function findChannel(unit: Unit, userId: string, channelId: string): Promise<VisibleChannel> {
  const serverId = await serverOfChannel(unit, channelId);
  if (serverId === undefined) throw notFound();
  const standing = await standingOf(unit, serverId, userId);
  if (!standing || !holds(standing, permission.VIEW_CHANNEL)) throw notFound();
  const channel = await unit.remember(serverId, `channel:${channelId}`, (db) => selectChannel(db, channelId));
  if (!channel) throw notFound();
  return { channel, standing };
}

/** A channel never moves to another server, so what was found once stays true. */
async function serverOfChannel(unit: Unit, channelId: string): Promise<string | undefined> {
  const cache = unit.house.cache<string | undefined>("channel-servers", channelsRemembered);
  const serverId = await cache.get(
    channelId,
    async () => (await selectChannel(unit.db, channelId))?.server_id,
  );
  if (serverId === undefined) cache.drop(channelId);
  return serverId;
}

/** The row of a deleted channel goes last, when nothing hangs on it any more. */
export async function forgetChannel(unit: Unit, channelId: string): Promise<void> {
  await removeChannel(unit.db, channelId);
  unit.drop("channel-servers", channelId);
}

/** By channel id, of those that have one: the newest message. */
export const lastMessages = question<[channelIds: readonly string[]], ReadonlyMap<string, string>>(
  "channels.lastMessages",
);

/** With the last message of each, which is a look for each: in so many a server may have others get their turn. */
const shownAtOnce = 100;

async function toChannels(unit: Unit, rows: readonly ChannelsTable[]): Promise<Channel[]> {
  const channels: Channel[] = [];
  for (const some of pieces(rows, () => 1, shownAtOnce)) {
    if (channels.length > 0) await nextTurn();
    channels.push(...(await toFewChannels(unit, some)));
  }
  return channels;
}

async function toFewChannels(unit: Unit, rows: readonly ChannelsTable[]): Promise<Channel[]> {
  const ids = rows.map((row) => row.id);
  const last = new Map((await unit.ask(lastMessages, ids)).flatMap((known) => [...known]));
  return rows.map((row) => ({
    id: row.id,
    server_id: row.server_id,
    name: row.name,
    type: row.type,
    category: row.category,
    position: row.position,
    last_message_id: last.get(row.id) ?? null,
    created_at: timeText(row.created_at),
  }));
}

export async function toChannel(unit: Unit, row: ChannelsTable): Promise<Channel> {
  const [channel] = await toFewChannels(unit, [row]);
  if (!channel) throw notFound();
  return channel;
}

export async function channelsOf(unit: Unit, serverId: string): Promise<Channel[]> {
  return toChannels(unit, await selectChannels(unit.db, [serverId]));
}

/** By server, in one question where they are few. */
export async function channelsIn(unit: Unit, serverIds: readonly string[]): Promise<Map<string, Channel[]>> {
  // One server is one question in any case.
  const counts = serverIds.length > 1 ? await countChannels(unit.db, serverIds) : new Map<string, number>();
  const channels = new Map<string, Channel[]>();
  for (const some of pieces(serverIds, (id) => counts.get(id) ?? 0, rowsAtOnce)) {
    // Not before the first: when all come back at once, each of them would wait half-way for all the others.
    if (channels.size > 0) await nextTurn();
    const shown = await toChannels(unit, await selectChannels(unit.db, some));
    const byServer = Map.groupBy(shown, (channel) => channel.server_id);
    for (const id of some) channels.set(id, byServer.get(id) ?? []);
  }
  return channels;
}

/** Those of these servers whose channels the person can see. */
export async function seenServers(
  unit: Unit,
  serverIds: readonly string[],
  userId: string,
): Promise<string[]> {
  const standings = await standingsOf(unit, serverIds, userId);
  return serverIds.filter((id) => {
    const standing = standings.get(id);
    return standing !== undefined && holds(standing, permission.VIEW_CHANNEL);
  });
}
