// Calls of the operations about read states, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const markChannelRead = calling<typeof contract.markChannelRead>("PUT", "/channels/{channelID}/read", {
  outlivesPage: true,
});
export const markServerRead = calling<typeof contract.markServerRead>("POST", "/servers/{id}/read", {
  outlivesPage: true,
});
