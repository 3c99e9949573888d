// A client's copy of its servers: their names and owners.

import { is } from "../../protocol/event.ts";
import type { ServerFrame } from "../../protocol/frames.ts";
import { eachAfter, withFields, without } from "../../protocol/unchanged.ts";
import type { SharedServer } from "./contract.ts";
import { serverDeleted, serverGained, serverUpdated } from "./events.ts";

/** Returns the servers with a frame applied. `toOwnServer` converts the server that SERVER_CREATE brings. */
export function serversAfter<S extends SharedServer, Entry extends SharedServer>(
  servers: readonly S[],
  frame: ServerFrame,
  toOwnServer: (gained: Entry) => S,
): readonly S[] {
  if (is(frame, serverGained)) {
    const gained = toOwnServer(frame.data as Entry);
    return [...servers.filter((server) => server.id !== gained.id), gained];
  }
  if (is(frame, serverDeleted)) return without(servers, (server) => server.id === frame.data.id);
  if (is(frame, serverUpdated)) {
    const told: SharedServer = frame.data;
    return eachAfter(servers, (server) =>
      server.id === told.id ? (withFields<SharedServer>(server, told) as S) : server,
    );
  }
  return servers;
}
