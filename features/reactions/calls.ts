// Calls of the operations about reactions, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const addReaction = calling<typeof contract.addReaction>("POST", "/messages/{messageID}/reactions", {
  outlivesPage: true,
});
export const removeReaction = calling<typeof contract.removeReaction>(
  "DELETE",
  "/messages/{messageID}/reactions/{emoji}",
);
export const listReactions = calling<typeof contract.listReactions>("GET", "/messages/{messageID}/reactions");
