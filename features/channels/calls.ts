// Calls of the operations about channels, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const createChannel = calling<typeof contract.createChannel>("POST", "/channels");
export const listChannels = calling<typeof contract.listChannels>("GET", "/channels");
export const getChannel = calling<typeof contract.getChannel>("GET", "/channels/{id}");
export const updateChannel = calling<typeof contract.updateChannel>("PATCH", "/channels/{id}", {
  outlivesPage: true,
});
export const deleteChannel = calling<typeof contract.deleteChannel>("DELETE", "/channels/{id}");
export const setOverride = calling<typeof contract.setOverride>(
  "PUT",
  "/channels/{id}/overrides/{roleOrUserID}",
);
export const deleteOverride = calling<typeof contract.deleteOverride>(
  "DELETE",
  "/channels/{id}/overrides/{roleOrUserID}",
);
export const explainPermissions = calling<typeof contract.explainPermissions>(
  "GET",
  "/channels/{id}/permissions/{userID}",
);
