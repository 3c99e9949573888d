// Slash commands: offered by a bot in a server, for clients to complete while a person types.
import { z } from "zod";
import { costByLimit } from "../../protocol/cost.ts";
import { pageHeaders } from "../../protocol/headers.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id, integerInQuery, text } from "../../protocol/shapes.ts";

export const command = z
  .object({
    id,
    bot_id: id,
    server_id: id,
    name: z.string(),
    description: z.string(),
  })
  .meta({ id: "Command" });

export type Command = z.infer<typeof command>;

const commandName = z
  .string()
  .regex(/^[\w-]{1,32}$/, { error: "must be 1 to 32 letters, digits, dashes or underscores", abort: true })
  .toLowerCase();
const params = z.object({ id });

export const createCommand = operation({
  name: "createCommand",
  method: "POST",
  path: "/bots/{id}/commands",
  summary: "Offer a command in a server that the bot is in; by its owner or itself",
  caller: "account",
  lane: "write",
  params,
  body: z.object({
    server_id: id,
    name: commandName,
    description: text(limits.command_description_max).nullable().optional(),
  }),
  answers: { 201: { description: "The command", body: command } },
  errors: ["conflict"],
});

export const listBotCommands = operation({
  name: "listBotCommands",
  method: "GET",
  path: "/bots/{id}/commands",
  summary: "The commands of a bot in all its servers, page by page; for its owner and itself",
  caller: "account",
  lane: "read",
  cost: costByLimit(limits.commands_page_max, 250),
  params,
  query: z.object({
    limit: integerInQuery.optional().meta({ description: `1 to ${limits.commands_page_max}` }),
    after: id.optional(),
  }),
  answers: {
    200: { description: "The commands, oldest first", body: z.array(command), headers: pageHeaders },
  },
});

export const deleteCommand = operation({
  name: "deleteCommand",
  method: "DELETE",
  path: "/bots/{id}/commands/{cmdID}",
  summary: "Withdraw a command; by the bot's owner or the bot itself",
  caller: "account",
  lane: "write",
  params: z.object({ id, cmdID: id }),
  answers: { 204: { description: "It is gone" } },
});

export const listServerCommands = operation({
  name: "listServerCommands",
  method: "GET",
  path: "/servers/{serverID}/commands",
  summary: "All commands of a server, for its members",
  caller: "account",
  lane: "read",
  cost: { worst: 4 },
  params: z.object({ serverID: id }),
  answers: { 200: { description: "The commands, by name", body: z.array(command) } },
});
