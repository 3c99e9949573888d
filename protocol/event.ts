// An event of the gateway: its kind, which clients load too, and its declaration: shape, hearers, and what it changes for them.
import type { z } from "zod";
import type { ServerFrame } from "./frames.ts";

/** The word on the wire, `MESSAGE_CREATE`, and for the compiler the type of what such an event carries. */
export interface EventKind<Data = unknown> {
  type: string;
  /** Never there: the compiler reads the type from it. */
  carries?: Data;
}

/** Names a kind of event. A feature's `events.ts` lists its own: clients load that, and no schema library with it. */
export function kind<Data>(type: string): EventKind<Data> {
  return { type };
}

/** Who of a server hears a logged event: all members, or those who hold VIEW_CHANNEL. */
export type Audience = "members" | "viewers";

export interface EventDeclaration<Data extends z.ZodType = z.ZodType> extends EventKind<z.infer<Data>> {
  data: Data;
  audience: Audience;
  /** Live only: no number, no row, not replayed. */
  live?: boolean;
  /** The server's rights, roles, members or channels are not what a process may have cached. */
  structural?: boolean;
  /** Whose rights it may change: user ids, `role:<id>` for whoever holds it, or `*` for everybody in the server. */
  touches?: (data: z.infer<Data>) => readonly string[];
  /** For whom it is the last event of the server: a user id, or `*`. */
  ends?: (data: z.infer<Data>) => string;
}

/** Declares the event of a kind, whose type its shape has to fit; a feature's `contract.ts` lists its own. */
export function event<Carried, Data extends z.ZodType<Carried>>(
  kind: EventKind<Carried>,
  declaration: Omit<EventDeclaration<Data>, keyof EventKind>,
): EventDeclaration<Data> {
  return { ...declaration, type: kind.type };
}

/** Whether a frame is this event; its data then has the declared shape. */
export function is<Data>(frame: ServerFrame, kind: EventKind<Data>): frame is ServerFrame & { data: Data } {
  return frame.type === kind.type;
}
