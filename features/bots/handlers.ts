// Operations on bots: make, rename, add to servers, remove, replace the token, delete.

import { full, notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { renamed } from "../../protocol/renamed.ts";
import { type Caller, type Feature, handle, when } from "../../server/house/feature.ts";
import { inPieces, pieces } from "../../server/house/pieces.ts";
import { standingOf } from "../../server/house/standing.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { idOf, serverPlace } from "../../server/place.ts";
import { newToken } from "../../server/tokens.ts";
import { changeProfile, lockUser, setOwnAvatar } from "../accounts/access.ts";
import { join, removeMember } from "../members/access.ts";
import { memberRemoved } from "../members/contract.ts";
import { needRankAbovePerson } from "../roles/access.ts";
import { findMembership, need } from "../servers/access.ts";
import { emitLeft, findBot, lockBot, profileOf, toBots, toSharedBot } from "./access.ts";
import * as contract from "./contract.ts";
import { authenticate, endToken, keysOf, makeAccount } from "./identity.ts";
import {
  type BotsTable,
  botMigrations,
  deleteBotRow,
  insertBotRow,
  selectBot,
  selectBotsOf,
  updateBotRow,
} from "./store.ts";

/** Bots per turn, so that other work is not held up: each may list hundreds of servers. */
const botsAtOnce = 5;
/** Servers that a bot leaves per commit, for which other writers wait. */
const serversAtOnce = 5;

export const bots: Feature = {
  name: "bots",
  migrations: botMigrations,
  events: [contract.botJoined, contract.botLeft],
  authenticate,
  operations: [
    handle(contract.createBot, async ({ caller, body, unit }) => {
      await lockUser(unit, caller.userId);
      if ((await selectBotsOf(unit.db, caller.userId)).length >= limits.bots_owned_max) {
        throw full("One person can own", limits.bots_owned_max, "bots");
      }
      const token = newToken("hb_");
      const row: BotsTable = {
        id: await makeAccount(unit, caller.userId, body.name),
        owner_id: caller.userId,
        description: body.description ?? "",
        ...keysOf(token),
      };
      await insertBotRow(unit.db, row);
      return { ...(await toBots(unit, [row]))[0], token };
    }),

    handle(contract.listBots, async ({ caller, unit }) =>
      inPieces(await selectBotsOf(unit.db, caller.userId), (some) => toBots(unit, some), botsAtOnce),
    ),

    handle(contract.getBot, async ({ caller, params, unit }) => {
      return (await toBots(unit, [await findBot(unit, caller.userId, params.id)]))[0];
    }),

    handle(contract.updateBot, async ({ caller, params, body, unit }) => {
      const before = await findBot(unit, caller.userId, params.id);
      const profile = await lockUser(unit, before.id);
      if (!profile) throw notFound();
      const description = body.description === undefined ? before.description : (body.description ?? "");
      if (description !== before.description) await updateBotRow(unit.db, before.id, { description });
      await changeProfile(unit, profile, {
        display_name: renamed("name", profile.display_name, body.name, contract.botName),
      });
      return (await toBots(unit, [{ ...before, description }]))[0];
    }),

    handle(contract.deleteBot, async ({ caller, params, unit: reading }) => {
      const { rights } = reading.house;
      const write = <T>(work: (unit: UnitOfWork, bot: BotsTable) => Promise<T>) =>
        reading.write(async (unit) => work(unit, await findBot(unit, caller.userId, params.id)));
      const { id } = await findBot(reading, caller.userId, params.id);
      let isIn = await rights.serversOf(reading, id);
      do {
        for (const some of pieces(isIn, () => 1, serversAtOnce))
          await write((unit, bot) => leave(unit, bot, some));
        // A manager may have brought the bot into another server meanwhile. BOT_LEAVE looks the bot up at the end of
        // its transaction, so the bot's row is deleted in a later one.
        isIn = await write(async (unit, bot) => {
          const stillIn = await rights.serversOf(unit, bot.id);
          if (stillIn.length === 0) await end(unit, bot);
          return stillIn;
        });
      } while (isIn.length > 0);
    }),

    handle(contract.addBotToServer, async ({ caller, params, body: { server_id }, unit }) => {
      const row = await findBot(unit, caller.userId, params.id);
      need(await findMembership(unit, caller.userId, server_id), "MANAGE_SERVER");
      if (await standingOf(unit, server_id, row.id)) return;
      await join(unit, server_id, row.id, "This bot is banned from this server. Lift the ban first.");
      const bot = toSharedBot(row, await profileOf(unit, row.id));
      unit.emit(contract.botJoined, serverPlace(server_id), { user_id: row.id, bot });
    }),

    handle(contract.removeBotFromServer, ({ caller, params, unit }) =>
      takeOut(unit, caller, params.id, params.serverID),
    ),

    handle(contract.regenerateToken, async ({ caller, params, unit }) => {
      const row = await findBot(unit, caller.userId, params.id);
      const token = newToken("hb_");
      await updateBotRow(unit.db, row.id, keysOf(token));
      endToken(unit, row);
      return { token };
    }),
  ],
  eventHandlers: [
    when(memberRemoved, async (unit, { home }, { user_id }) => {
      const row = await selectBot(unit.db, user_id);
      if (row) await emitLeft(unit, idOf(home), row);
    }),
  ],
};

/** The bot's account stays, as the author of its messages, without its picture. */
async function end(unit: UnitOfWork, bot: BotsTable): Promise<void> {
  const profile = await lockUser(unit, bot.id);
  if (profile) await setOwnAvatar(unit, profile, null);
  await deleteBotRow(unit.db, bot.id);
  endToken(unit, bot);
}

async function leave(unit: UnitOfWork, bot: BotsTable, serverIds: readonly string[]): Promise<void> {
  for (const serverId of serverIds) {
    // A manager may be removing the bot at the same moment.
    if (await standingOf(unit, serverId, bot.id)) await removeMember(unit, serverId, bot.id, "left");
  }
}

async function takeOut(unit: UnitOfWork, caller: Caller, botId: string, serverId: string): Promise<void> {
  const row = await lockBot(unit, botId);
  const standing = await standingOf(unit, serverId, caller.userId);
  const target = await standingOf(unit, serverId, botId);
  const isOwn = row?.owner_id === caller.userId || botId === caller.userId;
  if (!row || !target || !(isOwn || standing)) throw notFound();
  if (!isOwn && standing) {
    if (caller.isBot) throw new Refusal("forbidden", "A bot can take only itself out of a server.");
    need(standing, "MANAGE_SERVER");
    needRankAbovePerson(standing, target);
  }
  await removeMember(unit, serverId, botId, botId === caller.userId ? "left" : "kicked");
}
