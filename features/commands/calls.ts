// Calls of the operations about commands, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const createCommand = calling<typeof contract.createCommand>("POST", "/bots/{id}/commands");
export const deleteCommand = calling<typeof contract.deleteCommand>("DELETE", "/bots/{id}/commands/{cmdID}");
export const listServerCommands = calling<typeof contract.listServerCommands>(
  "GET",
  "/servers/{serverID}/commands",
);
