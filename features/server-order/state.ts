// A client's copy of the order in which the user keeps their servers.
import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { without } from "../../protocol/unchanged.ts";
import { endsMembership } from "../members/state.ts";
import { serverOrderUpdated } from "./events.ts";

/** Returns the ids in order with a frame applied. Servers that the user joins later, or joins again, are not among them. */
export function serverOrderAfter(
  order: readonly string[],
  userId: string,
  frame: ServerFrame,
): readonly string[] {
  if (is(frame, serverOrderUpdated)) return frame.data.server_ids;
  return endsMembership(userId, frame) ? without(order, (id) => id === frame.server_id) : order;
}

/** Returns the servers in this order, those that it does not name at the end. */
export function inOrder<S extends { id: string }>(
  servers: readonly S[],
  order: readonly string[],
): readonly S[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: S) => places.get(id) ?? order.length;
  return [...servers].sort((one, other) => placeOf(one) - placeOf(other));
}
