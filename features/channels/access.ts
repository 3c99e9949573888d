// Channels for other features, as their readers get them.
import { timeText } from "../../protocol/clock.ts";
import { notFound } from "../../protocol/errors.ts";
import type { Audience } from "../../protocol/event.ts";
import { overridableBits } from "../../protocol/overrides.ts";
import type { Standing } from "../../protocol/permissions.ts";
import { pieces, pieceTurn, rowsAtOnce } from "../../server/house/pieces.ts";
import { closeStream } from "../../server/house/streams.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { directHome, type Place } from "../../server/place.ts";
import type { Channel, Conversation, SeenChannel } from "./contract.ts";
import { conversationFound, lastMessages, placeOf, placeOfConversation } from "./finding.ts";
import { deleteOverridesOf, selectOverrides } from "./overrides.ts";
import { type Sight, sightIn } from "./sight.ts";
import {
  countChannels,
  isInServer,
  removeChannel,
  type ServerChannel,
  selectChannels,
  selectDeletion,
  selectPlace,
  viewers,
} from "./store.ts";

export {
  endConversation,
  needGroup,
  openConversation,
  toConversation,
  toConversations,
} from "./conversations.ts";
export {
  type ConversationFacts,
  channelSeenBy,
  conversationFound,
  conversationShown,
  findChannel,
  findServerChannel,
  homeOf,
  lastMessages,
  placeOf,
  placeOfConversation,
  standingInConversation,
  type VisibleChannel,
  type VisibleServerChannel,
} from "./finding.ts";
export { channelsSeen, seenAmong, sightIn, sightOf, sightOfEach } from "./sight.ts";
export {
  selectAudiences,
  selectChannelIds,
  selectChannelsById,
  viewers,
} from "./store.ts";

/** Returns the place of a channel that may be deleted by now; undefined when it is gone. */
export async function placeOfChannel(unit: UnitOfWork, channelId: string): Promise<Place | undefined> {
  const row = await selectPlace(unit.db, channelId);
  if (!row || isInServer(row)) return row && placeOf(row);
  const [conversation] = await unit.ask(conversationFound, channelId);
  return conversation && placeOfConversation(conversation);
}

/**
 * Returns when a channel was deleted (milliseconds since 1970) while its messages are not yet swept; else undefined.
 */
export async function channelDeletedAt(unit: UnitOfWork, channelId: string): Promise<number | undefined> {
  return (await selectDeletion(unit.db, channelId)) ?? undefined;
}

/** Removes the row of a deleted channel, once nothing refers to it any more. */
export async function forgetChannel(unit: UnitOfWork, channelId: string): Promise<void> {
  await deleteOverridesOf(unit.db, channelId);
  await removeChannel(unit.db, channelId);
  // A conversation has a home of its own.
  await closeStream(unit.db, directHome(channelId));
  unit.drop("channel-servers", channelId);
}

/** Channels per turn, so that other work is not held up: each looks up its last message. */
const shownAtOnce = 100;

async function toChannels(unit: UnitOfWork, rows: readonly ServerChannel[]): Promise<Channel[]> {
  const channels: Channel[] = [];
  for (const some of pieces(rows, () => 1, shownAtOnce)) {
    if (channels.length > 0) await pieceTurn();
    channels.push(...(await toFewChannels(unit, some)));
  }
  return channels;
}

async function toFewChannels(unit: UnitOfWork, rows: readonly ServerChannel[]): Promise<Channel[]> {
  const ids = rows.map((row) => row.id);
  const last = new Map((await unit.ask(lastMessages, ids)).flatMap((known) => [...known]));
  const apart = rows.filter(({ audience }) => audience !== viewers).map(({ id }) => id);
  const overrides = apart.length > 0 ? await selectOverrides(unit.db, apart) : undefined;
  return rows.map((row) => {
    const own = overrides?.get(row.id);
    return {
      id: row.id,
      server_id: row.server_id,
      name: row.name,
      type: row.type,
      topic: row.topic,
      category: row.category,
      position: row.position,
      last_message_id: last.get(row.id) ?? null,
      created_at: timeText(row.created_at),
      ...(own && { overrides: own }),
    };
  });
}

export async function toChannel(unit: UnitOfWork, row: ServerChannel): Promise<Channel> {
  const [channel] = await toFewChannels(unit, [row]);
  if (!channel) throw notFound();
  return channel;
}

/** Adds the reader's bits in the channel. */
export function asReadBy<C extends Channel | Conversation>({ bits }: Pick<Standing, "bits">, channel: C) {
  return { ...channel, permissions: bits & overridableBits };
}

async function toSeen(
  unit: UnitOfWork,
  rows: readonly ServerChannel[],
  sightIn: (serverId: string) => Sight | undefined,
): Promise<SeenChannel[]> {
  const bitsIn = ({ server_id, audience }: ServerChannel) => sightIn(server_id)?.get(audience);
  const seen = rows.filter((row) => bitsIn(row) !== undefined);
  const channels = await toChannels(unit, seen);
  return seen.flatMap((row, i) => {
    const channel = channels[i];
    return channel ? [asReadBy({ bits: bitsIn(row) ?? 0 }, channel)] : [];
  });
}

/** Returns the channels of a server in these classes. */
export async function channelsOf(
  unit: UnitOfWork,
  serverId: string,
  audiences: ReadonlySet<Audience> | Sight,
): Promise<Channel[]> {
  if (audiences.size === 0) return [];
  const rows = await selectChannels(unit.db, [serverId]);
  return toChannels(
    unit,
    rows.filter(({ audience }) => audiences.has(audience)),
  );
}

/** Returns the channels of a server as a member sees them. */
export async function channelsSeenWith(
  unit: UnitOfWork,
  serverId: string,
  sight: Sight,
): Promise<SeenChannel[]> {
  if (sight.size === 0) return [];
  return toSeen(unit, await selectChannels(unit.db, [serverId]), () => sight);
}

/** Returns the channels that the person sees, by server, in a single query when they are few. */
export async function channelsIn(
  unit: UnitOfWork,
  serverIds: readonly string[],
  userId: string,
): Promise<Map<string, SeenChannel[]>> {
  const seen = await sightIn(unit, serverIds, userId);
  const ids = serverIds.filter((id) => seen.has(id));
  // For a single server there is one query in any case.
  const counts = ids.length > 1 ? await countChannels(unit.db, ids) : new Map<string, number>();
  const channels = new Map<string, SeenChannel[]>();
  for (const some of pieces(ids, (id) => counts.get(id) ?? 0, rowsAtOnce)) {
    // No turn before the first piece: when everybody reconnects, each request would wait half-way for all the others.
    if (channels.size > 0) await pieceTurn();
    const shown = await toSeen(unit, await selectChannels(unit.db, some), (id) => seen.get(id));
    const byServer = Map.groupBy(shown, (channel) => channel.server_id);
    for (const id of some) channels.set(id, byServer.get(id) ?? []);
  }
  return channels;
}
