// What people do with channels.
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { holds, permission } from "../../protocol/permissions.ts";
import { type Feature, handle, when } from "../../server/feature.ts";
import { standingOf } from "../../server/standing.ts";
import { newId } from "../../server/tokens.ts";
import { liveFrame } from "../../server/unit.ts";
import { findMembership, need } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import { channelsOf, findChannel, toChannel } from "./access.ts";
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
      const existing = await selectChannels(unit.db, body.server_id);
      if (existing.length >= limits.channels_per_server_max) {
        throw new Refusal(
          "conflict",
          `A server can have at most ${limits.channels_per_server_max} channels. Delete one first.`,
        );
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
      await updateChannel(unit.db, channel.id, { deleted_at: Date.now() });
      unit.drop("channel-servers", channel.id);
      unit.emit(contract.channelDeleted, channel.server_id, { id: channel.id });
    }),
  ],
  hears: [when(serverDeleted, (unit, serverId) => markAllDeleted(unit.db, serverId))],
  async founded(unit, serverId) {
    await insertChannel(
      unit.db,
      newChannel(serverId, { name: "general", type: "text", category: null, position: 0 }),
    );
  },
  async ready(unit, caller, serverIds) {
    const parts = new Map<string, Record<string, unknown>>();
    for (const serverId of serverIds) {
      const standing = await standingOf(unit, serverId, caller.userId);
      if (!standing || !holds(standing, permission.VIEW_CHANNEL)) continue;
      parts.set(serverId, { channels: await channelsOf(unit, serverId) });
      // The embedded engine answers without waiting: somebody with a hundred full servers must not hold up all others.
      // Not after the last: when all come back at once, each of them would wait half-way for all the others.
      if (serverId !== serverIds.at(-1)) await new Promise(setImmediate);
    }
    return parts;
  },
  async viewChanged(unit, userId, serverId, gained) {
    const frames = [];
    const to = { userId };
    if (gained) {
      for (const channel of await channelsOf(unit, serverId)) {
        frames.push(liveFrame(contract.channelCreated.type, to, channel, undefined, serverId));
      }
      return frames;
    }
    // Deleted ones too: whoever loses the sight of a server does not hear of those that go at the same time.
    for (const id of await selectChannelIds(unit.db, serverId)) {
      frames.push(liveFrame(contract.channelDeleted.type, to, { id }, undefined, serverId));
    }
    return frames;
  },
};

function newChannel(
  serverId: string,
  given: Pick<ChannelsTable, "name" | "type" | "category" | "position">,
): ChannelsTable {
  return { id: newId(), server_id: serverId, ...given, created_at: Date.now(), deleted_at: null };
}
