// Kinds of events about a person's browsers that get pushes.
import { kind } from "../../protocol/event.ts";

export const pushSubscriptionsUpdated = kind<Record<string, never>>("PUSH_SUBSCRIPTIONS_UPDATE");
