// Calls of the operations about webhooks, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const createWebhook = calling<typeof contract.createWebhook>("POST", "/channels/{channelID}/webhooks");
export const listWebhooks = calling<typeof contract.listWebhooks>("GET", "/channels/{channelID}/webhooks");
export const deleteWebhook = calling<typeof contract.deleteWebhook>("DELETE", "/webhooks/{webhookID}");
export const executeWebhook = calling<typeof contract.executeWebhook>(
  "POST",
  "/webhooks/{webhookID}/{token}",
);
