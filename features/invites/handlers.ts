// What people do with invites.

import { randomBytes } from "node:crypto";
import { timeText } from "../../protocol/clock.ts";
import { notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Feature, handle, when } from "../../server/feature.ts";
import { standingOf } from "../../server/standing.ts";
import { avatarOf, selectUser } from "../accounts/access.ts";
import { existingServer, findMembership, need, toServer } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import { expired, findInvite, isLive, joinBy } from "./access.ts";
import * as contract from "./contract.ts";
import {
  deleteInvite,
  deleteInvitesOf,
  type InvitesTable,
  insertInvite,
  inviteMigrations,
  selectLiveInvites,
} from "./store.ts";

export const invites: Feature = {
  name: "invites",
  migrations: inviteMigrations,
  operations: [
    handle(contract.createInvite, async ({ caller, body, unit, request }) => {
      await findMembership(unit, caller.userId, body.server_id);
      if (
        (await selectLiveInvites(unit.db, body.server_id, caller.userId)).length >= limits.invites_live_max
      ) {
        throw new Refusal(
          "conflict",
          `One person can have at most ${limits.invites_live_max} live invites to a server. Delete one first.`,
        );
      }
      const now = Date.now();
      const row: InvitesTable = {
        code: randomBytes(12).toString("base64url"),
        server_id: body.server_id,
        inviter_id: caller.userId,
        expires_at: body.expires_hours === 0 ? null : now + body.expires_hours * 3600_000,
        max_uses: body.max_uses,
        uses: 0,
        created_at: now,
      };
      await insertInvite(unit.db, row);
      return toInvite(row, request.publicUrl);
    }),

    handle(contract.getInvite, async ({ params, unit }) => {
      const row = await findInvite(unit, params.code);
      if (!isLive(row)) throw expired();
      const server = await existingServer(unit, row.server_id);
      const inviter = await selectUser(unit.db, row.inviter_id);
      if (!inviter) throw notFound();
      return {
        ...countsOf(row),
        code: row.code,
        server: { id: server.id, name: server.name, icon: server.icon, member_count: server.member_count },
        server_name: server.name,
        inviter: {
          id: inviter.id,
          username: inviter.username,
          display_name: inviter.display_name,
          avatar: avatarOf(unit.house, inviter),
        },
      };
    }),

    handle(contract.joinByInvite, async ({ caller, params, unit }) => {
      const serverId = await joinBy(unit, params.code, caller.userId);
      const standing = await standingOf(unit, serverId, caller.userId);
      if (!standing) throw notFound();
      return toServer(await existingServer(unit, serverId), standing);
    }),

    handle(contract.listInvites, async ({ caller, params, unit, request }) => {
      need(await findMembership(unit, caller.userId, params.id), "MANAGE_SERVER");
      return (await selectLiveInvites(unit.db, params.id)).map((row) => toInvite(row, request.publicUrl));
    }),

    handle(contract.deleteInvite, async ({ caller, params, unit }) => {
      const row = await findInvite(unit, params.code);
      const standing = await standingOf(unit, row.server_id, caller.userId);
      if (row.inviter_id !== caller.userId) {
        if (!standing) throw notFound();
        need(standing, "MANAGE_SERVER");
      }
      await deleteInvite(unit.db, row.code);
    }),
  ],
  hears: [when(serverDeleted, (unit, serverId) => deleteInvitesOf(unit.db, serverId))],
};

function toInvite(row: InvitesTable, publicUrl: string): contract.Invite {
  return {
    ...countsOf(row),
    code: row.code,
    url: `${publicUrl}/invite/${row.code}`,
    server_id: row.server_id,
  };
}

function countsOf(row: InvitesTable) {
  return {
    expires_at: row.expires_at === null ? null : timeText(row.expires_at),
    max_uses: row.max_uses,
    uses: row.uses,
  };
}
