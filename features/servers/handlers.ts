// Operations on servers: create, read, change, transfer and delete.

import { full, notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { allPermissions } from "../../protocol/permissions.ts";
import { renamed } from "../../protocol/renamed.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import { inPieces } from "../../server/house/pieces.ts";
import { standingOf, standingsOf } from "../../server/house/standing.ts";
import { openStream } from "../../server/house/streams.ts";
import { serverPlace, serverStream } from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";
import { avatarReleased, lockUser, selectUser } from "../accounts/access.ts";
import {
  changeServer,
  existingServer,
  findMembership,
  furnishServer,
  isIconOf,
  lockOwnServer,
  needOwner,
  serversById,
  toServer,
  toSharedServer,
} from "./access.ts";
import * as contract from "./contract.ts";
import {
  countOwned,
  insertServer,
  removeServer,
  type ServersTable,
  serverMigrations,
  updateServer,
} from "./store.ts";

export const servers: Feature = {
  name: "servers",
  migrations: serverMigrations,
  events: [contract.serverUpdated, contract.serverDeleted],
  operations: [
    handle(contract.createServer, async ({ caller, body, unit }) => {
      await lockUser(unit, caller.userId);
      if ((await countOwned(unit.db, caller.userId)) >= limits.servers_owned_max) {
        throw full("One person can own", limits.servers_owned_max, "servers");
      }
      const row: ServersTable = {
        id: newId(),
        name: body.name,
        icon: body.icon ?? null,
        own_icon: null,
        owner_id: caller.userId,
        member_count: 1,
        created_at: Date.now(),
      };
      await insertServer(unit.db, row);
      await openStream(unit.db, serverStream(row.id));
      await unit.ask(furnishServer, row.id, caller.userId);
      return { ...toSharedServer(unit.house, row), permissions: allPermissions };
    }),

    handle(contract.listServers, async ({ caller, unit }) => {
      const ids = await unit.house.rights.serversOf(unit, caller.userId);
      return inPieces(ids, async (some) => {
        const standings = await standingsOf(unit, some, caller.userId);
        return [...(await serversById(unit, some))].flatMap(([id, row]) => {
          const standing = standings.get(id);
          return standing ? [toServer(unit.house, row, standing)] : [];
        });
      });
    }),

    handle(contract.getServer, async ({ caller, params, unit }) => {
      const standing = await findMembership(unit, caller.userId, params.id);
      return toServer(unit.house, await existingServer(unit, params.id), standing);
    }),

    handle(contract.updateServer, async ({ caller, params, body, unit }) => {
      const { standing, row: before } = await lockOwnServer(unit, caller.userId, params.id);
      const hasIcon = body.icon === undefined || isIconOf(before, body.icon);
      const after = await changeServer(unit, before, {
        name: renamed("name", before.name, body.name, contract.serverName),
        ...(!hasIcon && { icon: body.icon, own_icon: null }),
      });
      return toServer(unit.house, after, standing);
    }),

    handle(contract.deleteServer, async ({ caller, params, unit }) => {
      const { own_icon } = (await lockOwnServer(unit, caller.userId, params.id)).row;
      await removeServer(unit.db, params.id);
      if (own_icon !== null) await unit.ask(avatarReleased, own_icon);
      unit.emit(contract.serverDeleted, serverPlace(params.id), { id: params.id });
    }),

    handle(contract.handOver, async ({ caller, params, body, unit }) => {
      needOwner(await findMembership(unit, caller.userId, params.id));
      if (!(await standingOf(unit, params.id, body.user_id))) throw notFound();
      const heir = await selectUser(unit.db, body.user_id);
      if (heir?.is_bot === 1) throw new Refusal("forbidden", "A bot cannot own a server.");
      if (body.user_id === caller.userId) return;
      await lockUser(unit, body.user_id);
      const { row } = await lockOwnServer(unit, caller.userId, params.id);
      if ((await countOwned(unit.db, body.user_id)) >= limits.servers_owned_max) {
        throw new Refusal("conflict", "That person owns as many servers as one can.");
      }
      await updateServer(unit.db, params.id, { owner_id: body.user_id });
      const after = { ...row, owner_id: body.user_id };
      unit.emit(contract.serverUpdated, serverPlace(params.id), toSharedServer(unit.house, after), [
        caller.userId,
        body.user_id,
      ]);
    }),
  ],
  readyShapes: contract.readyShapes,
  async ready(unit, caller, serverIds) {
    const standings = await standingsOf(unit, serverIds, caller.userId);
    const parts = new Map<string, Record<string, unknown>>();
    for (const [id, row] of await serversById(unit, serverIds)) {
      const standing = standings.get(id);
      if (standing) parts.set(id, { ...toServer(unit.house, row, standing), role_ids: standing.roleIds });
    }
    return parts;
  },
};
