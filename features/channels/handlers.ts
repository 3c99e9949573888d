// Operations on channels.
import type { z } from "zod";
import { full, invalidField } from "../../protocol/errors.ts";
import type { Audience } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import type { Override } from "../../protocol/overrides.ts";
import type { Standing } from "../../protocol/permissions.ts";
import { renamed } from "../../protocol/renamed.ts";
import { audiencesHeld, newAudience } from "../../server/gateway/audience.ts";
import { laterAudiences } from "../../server/gateway/later.ts";
import { type SightChange, sightChanged } from "../../server/gateway/sight.ts";
import { type Feature, handle, when } from "../../server/house/feature.ts";
import { inPieces } from "../../server/house/pieces.ts";
import { whenAsked } from "../../server/house/question.ts";
import { frameOf, type UnitOfWork } from "../../server/house/unit.ts";
import { serverStream } from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";
import { findMembership, furnishServer, need } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import {
  asReadBy,
  channelsIn,
  channelsOf,
  channelsSeenWith,
  findChannel,
  findServerChannel,
  placeOf,
  toChannel,
} from "./access.ts";
import * as contract from "./contract.ts";
import { renameGroup, toConversation } from "./conversations.ts";
import { noteDeletion, selectDeleted } from "./of-late.ts";
import { checkedOverrides, needGoodEnd, needRoom } from "./override-rules.ts";
import { insertOverrides, overrideMigrations } from "./overrides.ts";
import { overrideEventHandlers, overrideOperations } from "./overriding.ts";
import { sightOf, sightOfEach } from "./sight.ts";
import {
  channelMigrations,
  classOf,
  insertChannel,
  markAllDeleted,
  type ServerChannel,
  selectChannelIds,
  selectChannels,
  updateChannel,
  viewers,
} from "./store.ts";

export const channels: Feature = {
  name: "channels",
  migrations: (engine) => ({ ...channelMigrations(engine), ...overrideMigrations(engine) }),
  events: [
    contract.channelCreated,
    contract.channelUpdated,
    contract.channelDeleted,
    contract.overridesUpdated,
  ],
  operations: [
    handle(contract.createChannel, async ({ caller, body, unit }) => {
      const standing = await findMembership(unit, caller.userId, body.server_id);
      need(standing, "MANAGE_CHANNELS");
      const existing = await selectChannels(unit.db, [body.server_id]);
      const overrides = await checkedOverrides(unit, standing, body.overrides ?? []);
      const isApart = overrides.length > 0;
      const row = rowAmong(existing, body, isApart);
      if (existing.length >= limits.channels_per_server_max) {
        throw full("A server can have", limits.channels_per_server_max, "channels");
      }
      if (isApart) await needPlaceFor(unit, standing, overrides);
      await insertChannel(unit.db, row);
      await insertOverrides(unit.db, row.id, overrides);
      const channel = await toChannel(unit, row);
      unit.emit(contract.channelCreated, placeOf(row), channel, isApart ? [newAudience] : []);
      return channel;
    }),

    handle(contract.listChannels, async ({ caller, query, unit }) => {
      const standing = await findMembership(unit, caller.userId, query.server_id);
      const seen = await channelsSeenWith(unit, query.server_id, await sightOf(unit, standing));
      return inPieces(seen, (some) => some);
    }),

    handle(contract.getChannel, async ({ caller, params, unit }) => {
      const { channel, standing, conversation } = await findChannel(unit, caller.userId, params.id);
      if (conversation) return asReadBy(standing, await toConversation(unit, conversation));
      return asReadBy(standing, await toChannel(unit, channel));
    }),

    handle(contract.updateChannel, async ({ caller, params, body, unit }) => {
      const { channel, place, standing, conversation } = await findChannel(unit, caller.userId, params.id);
      if (conversation) return renameGroup(unit, conversation, body);
      need(standing, "MANAGE_CHANNELS");
      const after = await changed(unit, channel, body);
      const shown = await toChannel(unit, after);
      if (JSON.stringify(after) === JSON.stringify(channel)) return shown;
      const { name, topic, category, position } = after;
      await updateChannel(unit.db, after.id, { name, topic, category, position });
      unit.emit(contract.channelUpdated, place, shown);
      return shown;
    }),

    handle(contract.deleteChannel, async ({ caller, params, unit }) => {
      const { channel, place, standing } = await findServerChannel(unit, caller.userId, params.id);
      need(standing, "MANAGE_CHANNELS");
      await noteDeletion(unit, channel);
      await updateChannel(unit.db, channel.id, { deleted_at: Date.now() });
      unit.drop("channel-servers", channel.id);
      // Once its row is swept nobody holds an audience of its own any more: whoever was away gets a fresh READY.
      const touches = channel.audience === viewers ? [] : ["*"];
      unit.emit(contract.channelDeleted, place, { id: channel.id }, touches);
    }),

    ...overrideOperations,
  ],
  eventHandlers: [
    when(serverDeleted, (unit, _, { id }) => markAllDeleted(unit.db, id)),
    ...overrideEventHandlers,
  ],
  answers: [
    whenAsked(furnishServer, (unit, serverId) => insertChannel(unit.db, generalIn(serverId))),
    whenAsked(audiencesHeld, sightOfEach),
    whenAsked(sightChanged, async (unit, serverId, change) => [
      ...(await comeIntoSight(unit, serverId, change)),
      ...(await goOutOfSight(unit, serverId, change)),
    ]),
  ],
  readyShapes: contract.readyShapes,
  async ready(unit, caller, serverIds) {
    const channels = await channelsIn(unit, serverIds, caller.userId);
    return new Map(serverIds.map((id) => [id, { channels: channels.get(id) ?? [] }]));
  },
};

async function needPlaceFor(unit: UnitOfWork, standing: Standing, overrides: readonly Override[]) {
  needGoodEnd(standing, overrides);
  await needRoom(unit, standing.home, overrides.length);
}

/** Returns a channel as it is to be after a change. */
async function changed(
  unit: UnitOfWork,
  before: ServerChannel,
  wished: z.output<NonNullable<typeof contract.updateChannel.body>>,
): Promise<ServerChannel> {
  if (wished.name === null) throw invalidField("name", "must not be null: only a group may have no name");
  const others = wished.category ? await selectChannels(unit.db, [before.server_id]) : [];
  return {
    ...before,
    name: renamed("name", before.name, wished.name, contract.channelName),
    topic: wished.topic === undefined ? before.topic : wished.topic,
    category: categoryAmong(others, before.category, wished.category),
    position: wished.position ?? before.position,
  };
}

/** Returns a channel as it is to be made; by default it is the last of those that exist. */
function rowAmong(
  existing: readonly ServerChannel[],
  body: z.output<NonNullable<typeof contract.createChannel.body>>,
  isApart: boolean,
): ServerChannel {
  const last = existing.at(-1)?.position ?? -1;
  const row = newChannel(body.server_id, {
    name: body.name,
    type: body.type,
    topic: body.topic ?? null,
    category: categoryAmong(existing, null, body.category),
    position: body.position ?? Math.min(last + 1, limits.position_max),
  });
  return isApart ? { ...row, audience: classOf(row.id) } : row;
}

/**
 * Returns the category of a channel after a change. A category that other channels of the server have may be older than
 * the rules for names, and takes further channels all the same.
 */
function categoryAmong(
  channels: readonly Pick<ServerChannel, "category">[],
  before: string | null,
  wished: string | null | undefined,
): string | null {
  const isThere = channels.some(({ category }) => category === wished);
  return isThere && wished ? wished : renamed("category", before, wished, contract.category);
}

async function comeIntoSight(
  unit: UnitOfWork,
  serverId: string,
  { gained, after }: SightChange,
): Promise<string[]> {
  if (gained.size === 0) return [];
  const there = await channelsOf(unit, serverId, gained);
  const moved = await movedFrom(unit, after, gained);
  const known = new Set(there.map(({ id }) => id));
  const late = await channelsOf(unit, serverId, moved.difference(gained));
  const channels = [...there, ...late.filter(({ id }) => !known.has(id))];
  return channels.map((channel) => frameOf(contract.channelCreated, serverStream(serverId), channel));
}

async function goOutOfSight(
  unit: UnitOfWork,
  serverId: string,
  { lost, held, after }: SightChange,
): Promise<string[]> {
  if (lost.size === 0) return [];
  // Deleted channels too: a listener who loses VIEW_CHANNEL at the same time does not receive the deletions.
  const ids = new Set(await selectChannelIds(unit.db, serverId, lost));
  const moved = (await movedFrom(unit, after, lost)).difference(new Set(held));
  for (const id of await selectChannelIds(unit.db, serverId, moved)) ids.add(id);
  for (const id of await selectDeleted(unit, serverId, lost)) ids.add(id);
  return [...ids].map((id) => frameOf(contract.channelDeleted, serverStream(serverId), { id }));
}

/**
 * Returns the classes for which channels have left these by later events. Asked after the rows of these are read: a
 * channel is then found in one of the two, or in both.
 */
async function movedFrom(
  { db }: UnitOfWork,
  after: SightChange["after"],
  audiences: ReadonlySet<Audience>,
): Promise<Set<Audience>> {
  const later = await laterAudiences(db, after);
  return new Set(
    later.flatMap(({ audience, replaces }) => (replaces && audiences.has(replaces) ? [audience] : [])),
  );
}

function generalIn(serverId: string): ServerChannel {
  return newChannel(serverId, { name: "general", type: "text", topic: null, category: null, position: 0 });
}

function newChannel(
  serverId: string,
  given: Pick<ServerChannel, "name" | "type" | "topic" | "category" | "position">,
): ServerChannel {
  const now = Date.now();
  return { id: newId(), server_id: serverId, audience: viewers, ...given, created_at: now, deleted_at: null };
}
