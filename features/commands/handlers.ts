// Operations on slash commands, for bots, their owners and members.

import { full, notFound, Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { type Feature, handle, when } from "../../server/house/feature.ts";
import { inPieces } from "../../server/house/pieces.ts";
import { page, pageLength } from "../../server/house/reply.ts";
import { standingOf } from "../../server/house/standing.ts";
import { idOf } from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";
import { findBot } from "../bots/access.ts";
import { botLeft } from "../bots/contract.ts";
import { findMembership } from "../servers/access.ts";
import { serverDeleted } from "../servers/contract.ts";
import * as contract from "./contract.ts";
import {
  type CommandsTable,
  commandMigrations,
  countCommands,
  deleteCommand,
  deleteCommandsIn,
  insertCommand,
  selectCommandsIn,
  selectCommandsOf,
} from "./store.ts";

export const commands: Feature = {
  name: "commands",
  migrations: commandMigrations,
  operations: [
    handle(contract.createCommand, async ({ caller, params, body, unit }) => {
      const bot = await findBot(unit, caller.userId, params.id);
      // Reading the bot's standing also keeps it from leaving before this is committed.
      if (!(await standingOf(unit, body.server_id, bot.id))) throw notFound();
      if ((await countCommands(unit.db, body.server_id, bot.id)) >= limits.commands_per_bot_and_server_max) {
        throw full("A bot can offer", limits.commands_per_bot_and_server_max, "commands in a server");
      }
      if ((await countCommands(unit.db, body.server_id)) >= limits.commands_per_server_max) {
        throw full("A server can have", limits.commands_per_server_max, "commands");
      }
      const row: CommandsTable = {
        id: newId(),
        bot_id: bot.id,
        server_id: body.server_id,
        name: body.name,
        description: body.description ?? "",
      };
      if (!(await insertCommand(unit.db, row))) {
        throw new Refusal("conflict", "This bot has a command of that name in the server already.");
      }
      return row;
    }),

    handle(contract.listBotCommands, async ({ caller, params, query, unit }) => {
      const bot = await findBot(unit, caller.userId, params.id);
      const limit = pageLength(query.limit, limits.commands_page_max);
      const rows = await selectCommandsOf(unit.db, bot.id, query.after, limit + 1);
      return page(await inPieces(rows.slice(0, limit), asTheyAre), rows.length > limit);
    }),

    handle(contract.deleteCommand, async ({ caller, params, unit }) => {
      const bot = await findBot(unit, caller.userId, params.id);
      if (!(await deleteCommand(unit.db, bot.id, params.cmdID))) throw notFound();
    }),

    handle(contract.listServerCommands, async ({ caller, params, unit }) => {
      await findMembership(unit, caller.userId, params.serverID);
      return inPieces(await selectCommandsIn(unit.db, params.serverID), asTheyAre);
    }),
  ],
  eventHandlers: [
    when(botLeft, (unit, { home }, { user_id }) => deleteCommandsIn(unit.db, idOf(home), user_id)),
    when(serverDeleted, (unit, _, { id }) => deleteCommandsIn(unit.db, id)),
  ],
};

const asTheyAre = (rows: readonly CommandsTable[]) => rows;
