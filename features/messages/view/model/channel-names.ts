// The channels of a server by name, as texts refer to them.
import type { OwnServer } from "../../../../client/servers.ts";
import type { OwnChannels } from "../../../channels/state.ts";
import { inOrder } from "../../../channels/view/order.ts";
import type { Names } from "../../text/calls.ts";
import { inSmall } from "../../text/name-index.ts";

export const noNames: Names["channels"] = new Map();

/** By server: the names of its channels, and the list that they were read from. */
const named = new Map<string, { of: OwnChannels; names: Names["channels"] }>();

/**
 * Each message updates the last message of its channel, and so makes a new list of channels. As long as the names are
 * equal the map stays the same object, so that no text is parsed again.
 */
export function namesOfChannels({ id, channels }: Pick<OwnServer, "id" | "channels">): Names["channels"] {
  const before = named.get(id);
  if (before?.of === channels) return before.names;
  const texts = inOrder(channels).filter(({ type }) => type === "text");
  const now = new Map(texts.map((channel) => [inSmall(channel.name), channel.id]));
  const names = before && isSame(before.names, now) ? before.names : now;
  named.set(id, { of: channels, names });
  return names;
}

function isSame(one: Names["channels"], other: Names["channels"]): boolean {
  return one.size === other.size && [...one].every(([name, id]) => other.get(name) === id);
}
