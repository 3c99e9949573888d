// Events about a person's push subscriptions.
import { kind } from "../../protocol/event.ts";

export const pushSubscriptionsUpdated = kind<Record<string, never>>("PUSH_SUBSCRIPTIONS_UPDATE");
