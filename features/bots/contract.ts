// Bots: accounts that belong to a person, authenticate with a token and are added to servers.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { givenName, id, personalName, text, time } from "../../protocol/shapes.ts";
import * as kinds from "./events.ts";

/** A bot as the members of its servers see it, also in events. */
const sharedBot = z.object({
  id: id.meta({ description: "Also its user id" }),
  owner_id: id,
  name: z.string(),
  description: z.string(),
  avatar: z.string().nullable(),
  created_at: time,
});

/** A bot as its owner and the bot itself see it: with the ids of its servers. */
export const bot = sharedBot.extend({ server_ids: z.array(id) }).meta({ id: "Bot" });

const token = z.string().meta({ description: "Shown this once" });

const newBot = bot.extend({ token }).meta({ id: "NewBot" });

export type SharedBot = z.infer<typeof sharedBot>;
export type Bot = z.infer<typeof bot>;

export const botName = personalName(limits.bot_name_max);
const description = text(limits.bot_description_max).nullable();
const params = z.object({ id });

export const createBot = operation({
  name: "createBot",
  method: "POST",
  path: "/bots",
  summary: "Make a bot; the answer is the only one that shows its token",
  caller: "person",
  lane: "write",
  body: z.object({ name: botName, description: description.optional() }),
  answers: { 201: { description: "The bot and its token", body: newBot } },
  errors: ["conflict"],
});

export const listBots = operation({
  name: "listBots",
  method: "GET",
  path: "/bots",
  summary: "The caller's bots",
  caller: "person",
  lane: "read",
  answers: { 200: { description: "The bots, oldest first", body: z.array(bot) } },
});

export const getBot = operation({
  name: "getBot",
  method: "GET",
  path: "/bots/{id}",
  summary: "One bot, for its owner or itself",
  caller: "account",
  lane: "read",
  params,
  answers: { 200: { description: "The bot", body: bot } },
});

export const updateBot = operation({
  name: "updateBot",
  method: "PATCH",
  path: "/bots/{id}",
  summary: "Rename a bot or describe it anew (its owner only)",
  caller: "person",
  lane: "write",
  params,
  body: z.object({ name: givenName(limits.bot_name_max).optional(), description: description.optional() }),
  answers: { 200: { description: "The bot as it is now", body: bot } },
});

export const deleteBot = operation({
  name: "deleteBot",
  method: "DELETE",
  path: "/bots/{id}",
  summary: "Delete a bot: it leaves all its servers, what it wrote stays (its owner only)",
  caller: "person",
  // Runs in several commits: the bot may be in hundreds of servers, and other writers need their turn.
  lane: "own",
  cost: { worst: 2 },
  params,
  answers: { 204: { description: "It is gone" } },
});

export const addBotToServer = operation({
  name: "addBotToServer",
  method: "POST",
  path: "/bots/{id}/servers",
  summary: "Bring one's bot into a server; again changes nothing",
  caller: "person",
  lane: "write",
  cost: { worst: 2 },
  params,
  body: z.object({ server_id: id }),
  answers: { 204: { description: "It is a member" } },
  errors: ["forbidden", "banned", "conflict"],
});

export const removeBotFromServer = operation({
  name: "removeBotFromServer",
  method: "DELETE",
  path: "/bots/{id}/servers/{serverID}",
  summary:
    "Take a bot out of a server: by its owner, itself, or whoever manages the server and ranks above it",
  caller: "account",
  lane: "write",
  cost: { worst: 2 },
  params: z.object({ id, serverID: id }),
  answers: { 204: { description: "It is no member any more" } },
  errors: ["forbidden", "hierarchy"],
});

export const regenerateToken = operation({
  name: "regenerateBotToken",
  method: "POST",
  path: "/bots/{id}/regenerate-token",
  summary: "Give a bot a new token; the old one and its sockets end (its owner only)",
  caller: "person",
  lane: "write",
  params,
  answers: { 200: { description: "The new token", body: z.object({ token }) } },
});

const presentBot = z.object({ user_id: id, bot: sharedBot });

export type PresentBot = z.infer<typeof presentBot>;

export const botJoined = event(kinds.botJoined, {
  summary: "A bot came into the server; SERVER_MEMBER_ADD came before, because a bot is a member",
  data: presentBot,
  happensIn: "server",
});

export const botLeft = event(kinds.botLeft, {
  summary: "A bot left the server, in whatever way; SERVER_MEMBER_REMOVE says why",
  data: presentBot,
  happensIn: "server",
});
