// Places: the stream that an event is logged in, and the audience that hears it.
import type { Audience } from "../protocol/event.ts";
import { ownStream } from "../protocol/frames.ts";

/** Names the numbered log of one server, or of one person (`@me` on the wire). */
export type StreamKey = `server:${string}` | `person:${string}`;

/** Where an event happens: a server, channel or person gives its place; an event never names its listeners. */
export interface Place {
  stream: StreamKey;
  /** Listeners of the stream that hold this name hear the event. */
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

/** Returns the place of events that concern all members of a server. */
export function serverPlace(serverId: string): Place {
  return { stream: serverStream(serverId), audience: everybody };
}

/** Returns the place of events that concern one person, on all of their devices. */
export function personPlace(userId: string): Place {
  return { stream: personStream(userId), audience: everybody };
}

export function isOfServer(stream: StreamKey): boolean {
  return stream.startsWith("server:");
}

/** Returns the id of the server or person that the stream belongs to. */
export function idOf(stream: StreamKey): string {
  return stream.slice(stream.indexOf(":") + 1);
}

/** Returns the JSON member of a frame that names its stream. */
export function streamOnWire(stream: StreamKey): string {
  return isOfServer(stream) ? `"server_id":"${idOf(stream)}"` : `"stream":"${ownStream}"`;
}
