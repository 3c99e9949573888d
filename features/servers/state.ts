// A client's copy of the servers one belongs to: which there are, their names and owners.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import type { SharedServer } from "./contract.ts";
import { serverDeleted, serverGained, serverUpdated } from "./events.ts";

export function serversAfter<S extends SharedServer>(
  servers: readonly S[],
  frame: ServerFrame,
): readonly S[] {
  if (is(frame, serverGained)) {
    const gained = frame.data as S;
    return [...servers.filter((server) => server.id !== gained.id), gained];
  }
  if (is(frame, serverDeleted)) return servers.filter((server) => server.id !== frame.data.id);
  if (is(frame, serverUpdated)) {
    return servers.map((server) => (server.id === frame.data.id ? { ...server, ...frame.data } : server));
  }
  return servers;
}
