// Where a server opens for people who have not been there: its first text channel, as the list has them.
import type { Channel } from "../contract.ts";
import { inOrder } from "./order.ts";

export function firstChannel(channels: readonly Channel[]): Channel | undefined {
  return inOrder(channels).find(({ type }) => type === "text");
}
