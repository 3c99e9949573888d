// The channel that opens for people who are new in a server: its first text channel, in the order of the list.
import type { OwnChannel, OwnChannels } from "../state.ts";
import { inOrder } from "./order.ts";

export function firstChannel(channels: OwnChannels): OwnChannel | undefined {
  return inOrder(channels).find(({ type }) => type === "text");
}
