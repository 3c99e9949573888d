// Places: the stream that something is logged in, and who of its listeners hears of it.
import type { Audience } from "../protocol/event.ts";

/** Names the numbered log of one server, or of one person (`@me` on the wire). */
export type StreamKey = `server:${string}` | `person:${string}`;

/** Where an event happens: a channel or a person gives its place, an event never names its listeners itself. */
export interface Place {
  stream: StreamKey;
  /** The name that a listener of the stream holds, or does not. */
  audience: Audience;
}

/** Held by all who listen to a stream. */
export const everybody: Audience = "members";

export function serverStream(serverId: string): StreamKey {
  return `server:${serverId}`;
}

export function personStream(userId: string): StreamKey {
  return `person:${userId}`;
}

/** What concerns all members of a server. */
export function serverPlace(serverId: string): Place {
  return { stream: serverStream(serverId), audience: everybody };
}

/** What concerns one person, on all of their devices. */
export function personPlace(userId: string): Place {
  return { stream: personStream(userId), audience: everybody };
}

export function isOfServer(stream: StreamKey): boolean {
  return stream.startsWith("server:");
}

/** The id of the server, or of the person, whose stream it is. */
export function idOf(stream: StreamKey): string {
  return stream.slice(stream.indexOf(":") + 1);
}
