// The channel that opens for people who are new in a server: its first text channel, in the order of the list.
import type { Channel } from "../contract.ts";
import { inOrder } from "./order.ts";

export function firstChannel(channels: readonly Channel[]): Channel | undefined {
  return inOrder(channels).find(({ type }) => type === "text");
}
