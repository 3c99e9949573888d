// The channels of a server by their names, as texts name them.
import type { ServerEntry } from "../../../../client/ready.ts";
import type { Channel } from "../../../channels/contract.ts";
import type { Names } from "../../text/calls.ts";
import { inSmall } from "../../text/name-index.ts";

export const noNames: Names["channels"] = new Map();

/** By server: the names of its channels, and of which list they are. */
const named = new Map<string, { of: readonly Channel[]; names: Names["channels"] }>();

/**
 * Each message is the last one of its channel, which makes another list of channels with the same names: as long as they
 * are the same, so is the map, and no text has to be read again.
 */
export function namesOfChannels({ id, channels }: Pick<ServerEntry, "id" | "channels">): Names["channels"] {
  const before = named.get(id);
  if (before?.of === channels) return before.names;
  const texts = channels.filter(({ type }) => type === "text");
  const now = new Map(texts.map((channel) => [inSmall(channel.name), channel.id]));
  const names = before && isSame(before.names, now) ? before.names : now;
  named.set(id, { of: channels, names });
  return names;
}

function isSame(one: Names["channels"], other: Names["channels"]): boolean {
  return one.size === other.size && [...one].every(([name, id]) => other.get(name) === id);
}
