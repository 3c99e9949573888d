// Operations on invites.

import { randomBytes } from "node:crypto";
import { timeText } from "../../protocol/clock.ts";
import { full, invalidField, notFound } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { invitePath } from "../../protocol/links.ts";
import { pagePath } from "../../protocol/page-paths.ts";
import { type Feature, handle, when } from "../../server/house/feature.ts";
import { inPieces } from "../../server/house/pieces.ts";
import { page, pageLength, withHeaders } from "../../server/house/reply.ts";
import { standingOf } from "../../server/house/standing.ts";
import { leave, sweepOf } from "../../server/house/sweeping.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { selectUser } from "../accounts/access.ts";
import { avatarOf } from "../accounts/avatars.ts";
import { existingServer, findMembership, iconOf, need, toServer } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import { expired, findInvite, isLive, joinBy } from "./access.ts";
import * as contract from "./contract.ts";
import { preview } from "./preview.ts";
import {
  countLiveInvites,
  deleteInvite,
  type InvitesTable,
  insertInvite,
  inviteMigrations,
  selectInvite,
  selectLiveInvites,
} from "./store.ts";

const invitesToServer = sweepOf("invites", "server_id", ["code"], ["live_until"]);

export const invites: Feature = {
  name: "invites",
  migrations: inviteMigrations,
  // The code shows a server to anybody, without an account.
  secretPages: [{ path: pagePath.invite, secretParam: "code" }],
  operations: [
    handle(contract.createInvite, async ({ caller, body, unit, request }) => {
      await findMembership(unit, caller.userId, body.server_id);
      if ((await countLiveInvites(unit.db, body.server_id, caller.userId)) >= limits.invites_live_max) {
        throw full("One person can have", limits.invites_live_max, "live invites to a server");
      }
      const now = Date.now();
      const row = {
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
      const server = await outlineOf(unit, row.server_id);
      const inviter = await selectUser(unit.db, row.inviter_id);
      if (!inviter) throw notFound();
      return {
        ...countsOf(row),
        code: row.code,
        server,
        server_name: server.name,
        inviter: {
          id: inviter.id,
          username: inviter.username,
          display_name: inviter.display_name,
          avatar: avatarOf(unit.house, inviter),
        },
      };
    }),

    handle(contract.previewInvite, async ({ params, unit }) => {
      const found = await preview(unit, params.code);
      return withHeaders(found, { "X-Robots-Tag": "noindex" });
    }),

    handle(contract.joinByInvite, async ({ caller, params, unit }) => {
      const serverId = await joinBy(unit, params.code, caller.userId);
      const standing = await standingOf(unit, serverId, caller.userId);
      if (!standing) throw notFound();
      return toServer(unit.house, await existingServer(unit, serverId), standing);
    }),

    handle(contract.listInvites, async ({ caller, params, query, unit, request }) => {
      need(await findMembership(unit, caller.userId, params.id), "MANAGE_SERVER");
      const before = query.before === undefined ? undefined : await selectInvite(unit.db, query.before);
      if (query.before !== undefined && before?.server_id !== params.id)
        throw invalidField("before", "is not the code of an invite to this server");
      const limit = pageLength(query.limit, limits.invites_page_max);
      const rows = await selectLiveInvites(unit.db, params.id, before, limit + 1);
      const shown = await inPieces(rows.slice(0, limit), (piece) =>
        piece.map((row) => toInvite(row, request.publicUrl)),
      );
      return page(shown, rows.length > limit);
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
  eventHandlers: [when(serverDeleted, (unit, _, { id }) => leave(unit, invitesToServer, [id]))],
  sweeps: [invitesToServer],
};

/** Returns the server as people see it who may join. */
async function outlineOf(unit: UnitOfWork, serverId: string) {
  const row = await existingServer(unit, serverId);
  const { id, name, member_count } = row;
  return { id, name, icon: iconOf(unit.house, row), member_count };
}

function toInvite(row: Omit<InvitesTable, "live_until">, publicUrl: string): contract.Invite {
  return {
    ...countsOf(row),
    code: row.code,
    url: publicUrl + invitePath(row.code),
    server_id: row.server_id,
  };
}

function countsOf(row: Omit<InvitesTable, "live_until">) {
  return {
    expires_at: row.expires_at === null ? null : timeText(row.expires_at),
    max_uses: row.max_uses,
    uses: row.uses,
  };
}
