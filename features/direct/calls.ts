// Calls of the operations about conversations, for pages.
import { calling, listing } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const openConversation = calling<typeof contract.openConversation>("POST", "/direct");
export const listConversations = listing<typeof contract.listConversations>("GET", "/direct");
export const hideConversation = calling<typeof contract.hideConversation>("DELETE", "/direct/{id}");
export const addRecipient = calling<typeof contract.addRecipient>(
  "PUT",
  "/channels/{id}/recipients/{userID}",
);
export const removeRecipient = calling<typeof contract.removeRecipient>(
  "DELETE",
  "/channels/{id}/recipients/{userID}",
);
