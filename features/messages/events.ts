// Events about the messages of a channel.
import { kind } from "../../protocol/event.ts";
import type { SharedMessage } from "./contract.ts";

export const messageCreated = kind<SharedMessage>("MESSAGE_CREATE");
export const messageUpdated = kind<SharedMessage>("MESSAGE_UPDATE");
export const messageDeleted = kind<{ id: string; channel_id: string }>("MESSAGE_DELETE");
