// An event of the gateway: its kind, which clients load too, and its declaration: shape, audience, and what it changes.
import type { z } from "zod";
import type { ServerFrame } from "./frames.ts";

/** A kind of event: its name on the wire, `MESSAGE_CREATE`, and for the compiler the type of its data. */
interface EventKind<Data = unknown> {
  type: string;
  /** Never set: the compiler reads the type from it. */
  carries?: Data;
}

/** Names a kind of event. A feature's `events.ts` lists its own: clients load that, and no schema library with it. */
export function kind<Data>(type: string): EventKind<Data> {
  return { type };
}

/** Names of cached parts of a server, `standing:<user id>` for example; `*` for all of them. */
export type Forgotten = readonly string[] | "*";

/** The name of an audience: a listener that holds it hears the events of a place with this name. */
export type Audience = string;

export interface EventDeclaration<Data extends z.ZodType = z.ZodType> extends EventKind<z.infer<Data>> {
  /** What happened, for people who read the description. */
  summary: string;
  data: Data;
  /** The kind of place that it happens in, which decides who hears it. */
  happensIn: "server" | "channel" | "person";
  /** Live only: no number, no row, not replayed. */
  live?: boolean;
  /** Cached parts of the server that the event makes untrue; `*` for all of them. */
  forgets?: (data: z.infer<Data>) => Forgotten;
  /** A check that passed before the event may not pass after it: a commit that relies on such a check looks again. */
  revokes?: boolean;
  /**
   * Members whose rights the event may change: user ids, `role:<id>` for all holders of a role, or `*` for all members.
   */
  touches?: (data: z.infer<Data>) => readonly string[];
  /** The user id of the person for whom it is the last event of the stream, or `*`. */
  ends?: (data: z.infer<Data>) => string;
  /**
   * Names what the event says anew: a later event of the kind and with this name makes it needless, so that the log
   * keeps the newest alone.
   */
  replaces?: (data: z.infer<Data>) => string;
  /** The id that rises with the numbers of the log: a listener that has heard one has heard all below it. */
  risingId?: (data: z.infer<Data>) => string;
}

/** Declares the event of a kind; its shape has to fit the kind's type. A feature's `contract.ts` lists its own. */
export function event<Carried, Data extends z.ZodType<Carried>>(
  kind: EventKind<Carried>,
  declaration: Omit<EventDeclaration<Data>, keyof EventKind>,
): EventDeclaration<Data> {
  return { ...declaration, type: kind.type };
}

/** Returns whether a frame is this event; its data then has the declared shape. */
export function is<Data>(frame: ServerFrame, kind: EventKind<Data>): frame is ServerFrame & { data: Data } {
  return frame.type === kind.type;
}
