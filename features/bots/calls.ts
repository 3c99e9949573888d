// Calls of the operations about bots, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const createBot = calling<typeof contract.createBot>("POST", "/bots");
export const listBots = calling<typeof contract.listBots>("GET", "/bots");
export const updateBot = calling<typeof contract.updateBot>("PATCH", "/bots/{id}");
export const deleteBot = calling<typeof contract.deleteBot>("DELETE", "/bots/{id}");
export const addBotToServer = calling<typeof contract.addBotToServer>("POST", "/bots/{id}/servers");
export const removeBotFromServer = calling<typeof contract.removeBotFromServer>(
  "DELETE",
  "/bots/{id}/servers/{serverID}",
);
export const regenerateToken = calling<typeof contract.regenerateToken>(
  "POST",
  "/bots/{id}/regenerate-token",
);
