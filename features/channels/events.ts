// Kinds of events about channels.
import { kind } from "../../protocol/event.ts";
import type { Override } from "../../protocol/overrides.ts";
import type { Channel, Conversation } from "./contract.ts";

export const channelCreated = kind<Channel | Conversation>("CHANNEL_CREATE");
export const channelUpdated = kind<Channel | Conversation>("CHANNEL_UPDATE");
export const channelDeleted = kind<{ id: string }>("CHANNEL_DELETE");
export const overridesUpdated = kind<{ channel_id: string; overrides: Override[] }>(
  "CHANNEL_OVERRIDES_UPDATE",
);
