// Calls of the operations about messages, for pages.
import { calling, listing } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const listMessages = listing<typeof contract.listMessages>("GET", "/channels/{channelID}/messages");
export const createMessage = calling<typeof contract.createMessage>("POST", "/channels/{channelID}/messages");
export const getMessage = calling<typeof contract.getMessage>("GET", "/messages/{messageID}");
export const updateMessage = calling<typeof contract.updateMessage>("PATCH", "/messages/{messageID}");
export const deleteMessage = calling<typeof contract.deleteMessage>("DELETE", "/messages/{messageID}");
export const bulkDelete = calling<typeof contract.bulkDelete>(
  "POST",
  "/channels/{channelID}/messages/bulk-delete",
  { outlivesPage: true },
);
