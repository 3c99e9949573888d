// A client's copy of the servers that one belongs to: their names and owners.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { type SharedServer, serverDeleted, serverUpdated } from "./contract.ts";

/** Sent to a person who just joined a server, with the data that READY would have. */
export const serverGained = "SERVER_CREATE";

export function serversAfter<S extends SharedServer>(
  servers: readonly S[],
  frame: ServerFrame,
): readonly S[] {
  if (frame.type === serverGained) {
    const gained = frame.data as S;
    return [...servers.filter((server) => server.id !== gained.id), gained];
  }
  if (is(frame, serverDeleted)) return servers.filter((server) => server.id !== frame.data.id);
  if (is(frame, serverUpdated)) {
    return servers.map((server) => (server.id === frame.data.id ? { ...server, ...frame.data } : server));
  }
  return servers;
}
