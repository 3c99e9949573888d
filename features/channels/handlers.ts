// What people do with channels.
import { full } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { holds, permission } from "../../protocol/permissions.ts";
import { sightChanged } from "../../server/gateway/sight.ts";
import { type Feature, handle, when } from "../../server/house/feature.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import { whenAsked } from "../../server/house/question.ts";
import { frameOf, type Unit } from "../../server/house/unit.ts";
import { newId } from "../../server/tokens.ts";
import { findMembership, furnishServer, need } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import { channelsIn, channelsOf, findChannel, seenServers, toChannel } from "./access.ts";
import * as contract from "./contract.ts";
import {
  type ChannelsTable,
  channelMigrations,
  insertChannel,
  markAllDeleted,
  selectChannelIds,
  selectChannels,
  updateChannel,
} from "./store.ts";

export const channels: Feature = {
  name: "channels",
  migrations: channelMigrations,
  events: [contract.channelCreated, contract.channelUpdated, contract.channelDeleted],
  operations: [
    handle(contract.createChannel, async ({ caller, body, unit }) => {
      need(await findMembership(unit, caller.userId, body.server_id), "MANAGE_CHANNELS");
      const existing = await selectChannels(unit.db, [body.server_id]);
      if (existing.length >= limits.channels_per_server_max) {
        throw full("A server can have", limits.channels_per_server_max, "channels");
      }
      const last = existing.at(-1)?.position ?? -1;
      const row = newChannel(body.server_id, {
        name: body.name,
        type: body.type,
        category: body.category ?? null,
        position: body.position ?? Math.min(last + 1, limits.position_max),
      });
      await insertChannel(unit.db, row);
      const channel = await toChannel(unit, row);
      unit.emit(contract.channelCreated, row.server_id, channel);
      return channel;
    }),

    handle(contract.listChannels, async ({ caller, query, unit }) => {
      const standing = await findMembership(unit, caller.userId, query.server_id);
      return holds(standing, permission.VIEW_CHANNEL) ? channelsOf(unit, query.server_id) : [];
    }),

    handle(contract.getChannel, async ({ caller, params, unit }) => {
      const { channel } = await findChannel(unit, caller.userId, params.id);
      return toChannel(unit, channel);
    }),

    handle(contract.updateChannel, async ({ caller, params, body, unit }) => {
      const { channel: before, standing } = await findChannel(unit, caller.userId, params.id);
      need(standing, "MANAGE_CHANNELS");
      const after: ChannelsTable = {
        ...before,
        name: body.name ?? before.name,
        category: body.category === undefined ? before.category : body.category,
        position: body.position ?? before.position,
      };
      const channel = await toChannel(unit, after);
      if (JSON.stringify(after) === JSON.stringify(before)) return channel;
      await updateChannel(unit.db, after.id, {
        name: after.name,
        category: after.category,
        position: after.position,
      });
      unit.emit(contract.channelUpdated, after.server_id, channel);
      return channel;
    }),

    handle(contract.deleteChannel, async ({ caller, params, unit }) => {
      const { channel, standing } = await findChannel(unit, caller.userId, params.id);
      need(standing, "MANAGE_CHANNELS");
      noteDeleted(unit.house, channel);
      await updateChannel(unit.db, channel.id, { deleted_at: Date.now() });
      unit.drop("channel-servers", channel.id);
      unit.emit(contract.channelDeleted, channel.server_id, { id: channel.id });
    }),
  ],
  hears: [when(serverDeleted, (unit, serverId) => markAllDeleted(unit.db, serverId))],
  answers: [
    whenAsked(furnishServer, (unit, serverId) => insertChannel(unit.db, generalIn(serverId))),
    whenAsked(sightChanged, (unit, serverId, gained) =>
      gained ? comeIntoSight(unit, serverId) : goOutOfSight(unit, serverId),
    ),
  ],
  readyFields: ["channels"],
  async ready(unit, caller, serverIds) {
    const seen = await seenServers(unit, serverIds, caller.userId);
    const channels = await channelsIn(unit, seen);
    return new Map(serverIds.map((id) => [id, { channels: channels.get(id) ?? [] }]));
  },
};

async function comeIntoSight(unit: Unit, serverId: string): Promise<string[]> {
  const channels = await channelsOf(unit, serverId);
  return channels.map((channel) => frameOf(contract.channelCreated, serverId, channel));
}

async function goOutOfSight(unit: Unit, serverId: string): Promise<string[]> {
  // Deleted ones too: whoever loses the sight of a server does not hear of those that go at the same time.
  const ids = new Set(await selectChannelIds(unit.db, serverId));
  for (const [id, server] of deletedOfLate(unit.house)) if (server === serverId) ids.add(id);
  return [...ids].map((id) => frameOf(contract.channelDeleted, serverId, { id }));
}

/** Channels of the last minute, by id their server: the row may be swept before all have been told that it is deleted. */
const deletedOfLate = perHouse(() => new Map<string, string>());
const ofLateMs = 60_000;

function noteDeleted(house: House, { id, server_id }: ChannelsTable): void {
  const ids = deletedOfLate(house);
  ids.set(id, server_id);
  setTimeout(() => ids.delete(id), ofLateMs).unref();
}

function generalIn(serverId: string): ChannelsTable {
  return newChannel(serverId, { name: "general", type: "text", category: null, position: 0 });
}

function newChannel(
  serverId: string,
  given: Pick<ChannelsTable, "name" | "type" | "category" | "position">,
): ChannelsTable {
  return { id: newId(), server_id: serverId, ...given, created_at: Date.now(), deleted_at: null };
}
