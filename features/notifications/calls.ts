// Calls of the operations about notifications, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const setServerNotifications = calling<typeof contract.setServerNotifications>(
  "PUT",
  "/servers/{id}/notification-settings",
);
export const setChannelNotifications = calling<typeof contract.setChannelNotifications>(
  "PUT",
  "/channels/{channelID}/notification-settings",
);
export const getPushSettings = calling<typeof contract.getPushSettings>("GET", "/auth/me/push-settings");
export const setPushSettings = calling<typeof contract.setPushSettings>("PUT", "/auth/me/push-settings");
