// Places: where an event happens, which decides the logs that it is written to, and the listeners that hear it.
import type { Audience } from "../protocol/event.ts";
import { ownStream } from "../protocol/frames.ts";
import type { Home } from "../protocol/permissions.ts";

export type { Home } from "../protocol/permissions.ts";

/** Names the numbered log of one server, or of one person (`@me` on the wire). */
export type StreamKey = `server:${string}` | `person:${string}`;

/** The listeners of a stream that hold the audience. */
export interface StreamAudience {
  stream: StreamKey;
  audience: Audience;
}

/** The place of an event: a server, channel or person gives it; an event never names its listeners. */
export interface Place {
  home: Home;
  /** The logs that each get the event, by a number of their own. */
  streams: readonly StreamKey[];
  /** Listeners of a stream that hold this name hear the event. */
  audience: Audience;
}

/** The audience that every listener of a stream holds. */
export const everybody: Audience = "members";

/** The subject of messages that belong to no stream, for every process. */
export const everyProcess = "everybody";

export function serverStream(serverId: string): StreamKey {
  return `server:${serverId}`;
}

export function personStream(userId: string): StreamKey {
  return `person:${userId}`;
}

export function directHome(id: string): Home {
  return `direct:${id}`;
}

/** Returns all listeners of a stream. */
export function everybodyIn(stream: StreamKey): StreamAudience {
  return { stream, audience: everybody };
}

/** Returns the place of events that concern the members of a server who hold the audience. */
export function serverPlace(serverId: string, audience: Audience = everybody): Place {
  const home = serverStream(serverId);
  return { home, streams: [home], audience };
}

/** Returns the place of events that concern one person, on all of their devices. */
export function personPlace(userId: string): Place {
  const home = personStream(userId);
  return { home, streams: [home], audience: everybody };
}

/** True if the home is a stream, with events of its own. */
export function hasLog(home: Home): home is StreamKey {
  return isOfServer(home) || isOfPerson(home);
}

export function isOfServer(home: Home): boolean {
  return home.startsWith("server:");
}

export function isOfPerson(home: Home): boolean {
  return home.startsWith("person:");
}

/** Returns the id of the server, person or conversation. */
export function idOf(home: Home): string {
  return home.slice(home.indexOf(":") + 1);
}

/** Returns the rows of `streams` that an event at this place changes: those of its streams and of its home. */
export function rowsOf({ home, streams }: Place): readonly Home[] {
  const rows: readonly Home[] = streams;
  return rows.includes(home) ? rows : [home, ...rows];
}

/** Returns the JSON member of a frame that names its stream. */
export function streamOnWire(stream: StreamKey): string {
  return isOfServer(stream) ? `"server_id":"${idOf(stream)}"` : `"stream":"${ownStream}"`;
}
