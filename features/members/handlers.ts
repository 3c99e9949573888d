// Operations on members and bans: listing, leaving, removing.
import { invalidField, notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Feature, handle, when } from "../../server/house/feature.ts";
import { inPieces } from "../../server/house/pieces.ts";
import { whenAsked } from "../../server/house/question.ts";
import { page, pageLength } from "../../server/house/reply.ts";
import { type ServerRights, standingOf } from "../../server/house/standing.ts";
import { leave, sweepOf } from "../../server/house/sweeping.ts";
import { acquaintances, needKnown, selectUser, toUser } from "../accounts/access.ts";
import { needRankAbovePerson, rightsOfRoles } from "../roles/access.ts";
import { findMembership, furnishServer, need, serversById } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import { addMember, membershipsOf, removeMember, toBans, toMembers } from "./access.ts";
import { deleteBan, selectBan, selectBans, upsertBan } from "./bans.ts";
import * as contract from "./contract.ts";
import { selectAsked } from "./finding.ts";
import { memberMigrations, selectServersOf, sharersAmong } from "./store.ts";

const membersOfServer = sweepOf("members", "server_id", ["server_id", "user_id"]);
const bansOfServer = sweepOf("bans", "server_id", ["server_id", "user_id"]);

export const members: Feature = {
  name: "members",
  migrations: memberMigrations,
  events: [contract.memberAdded, contract.memberRemoved],
  operations: [
    handle(contract.getUser, async ({ caller, params, unit }) => {
      const row = await selectUser(unit.db, params.id);
      if (!row) throw notFound();
      await needKnown(unit, caller.userId, row.id);
      return toUser(unit.house, row);
    }),

    handle(contract.listMembers, async ({ caller, params, query, unit }) => {
      await findMembership(unit, caller.userId, params.id);
      const { rows, hasMore } = await selectAsked(unit, params.id, query);
      return page(await inPieces(rows, (piece) => toMembers(unit, params.id, piece)), hasMore);
    }),

    handle(contract.leaveServer, async ({ caller, params, unit }) => {
      const standing = await findMembership(unit, caller.userId, params.id);
      if (standing.isOwner) {
        throw new Refusal("conflict", "The owner cannot leave. Hand the server over first, or delete it.");
      }
      await removeMember(unit, params.id, caller.userId, "left");
    }),

    handle(contract.kickMember, async ({ caller, params, unit }) => {
      const standing = await findMembership(unit, caller.userId, params.id);
      const target = await standingOf(unit, params.id, params.userID);
      if (!target) throw notFound();
      need(standing, "KICK_MEMBERS");
      needRankAbovePerson(standing, target);
      await removeMember(unit, params.id, params.userID, "kicked");
    }),

    handle(contract.listBans, async ({ caller, params, query, unit }) => {
      need(await findMembership(unit, caller.userId, params.id), "BAN_MEMBERS");
      const after = query.after && (await selectBan(unit.db, params.id, query.after));
      if (query.after && !after) throw invalidField("after", "is not the id of somebody who is banned here");
      const limit = pageLength(query.limit, limits.members_page_max);
      const rows = await selectBans(unit.db, params.id, after || undefined, limit + 1);
      const shown = await inPieces(rows.slice(0, limit), (piece) => toBans(unit, caller.userId, piece));
      return page(shown, rows.length > limit);
    }),

    handle(contract.banUser, async ({ caller, params, body, unit }) => {
      const standing = await findMembership(unit, caller.userId, params.id);
      need(standing, "BAN_MEMBERS");
      // A person who is not a member can be banned in advance.
      if (!(await selectUser(unit.db, params.userID))) throw notFound();
      const target = await standingOf(unit, params.id, params.userID);
      if (target) needRankAbovePerson(standing, target);
      await upsertBan(unit.db, params.id, params.userID, body.reason ?? null);
      if (target) await removeMember(unit, params.id, params.userID, "banned");
    }),

    handle(contract.unbanUser, async ({ caller, params, unit }) => {
      need(await findMembership(unit, caller.userId, params.id), "BAN_MEMBERS");
      await deleteBan(unit.db, params.id, params.userID);
    }),
  ],
  eventHandlers: [
    when(serverDeleted, async (unit, _, { id }) => {
      await leave(unit, membersOfServer, [id]);
      await leave(unit, bansOfServer, [id]);
    }),
  ],
  answers: [
    whenAsked(acquaintances, ({ db }, userId, ids) => sharersAmong(db, userId, ids)),
    whenAsked(furnishServer, async (unit, serverId, ownerId) => {
      await addMember(unit, serverId, ownerId);
    }),
  ],
  sweeps: [membersOfServer, bansOfServer],
  rights: {
    async servers(unit, serverIds) {
      const rights = new Map<string, ServerRights>();
      const roles = await rightsOfRoles(unit, serverIds);
      for (const [id, { owner_id }] of await serversById(unit, serverIds)) {
        rights.set(id, { ownerId: owner_id, roles: roles.get(id) ?? [] });
      }
      return rights;
    },
    members: membershipsOf,
    serversOf: (unit, userId) => selectServersOf(unit.db, userId),
  },
};
