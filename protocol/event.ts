// Events of the gateway: a kind, which clients load too, and its declaration with shape, audience and effects.
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

/** Names of cached parts of a home, `standing:<user id>` for example; `*` for all of them. */
export type Forgotten = readonly string[] | "*";

/** The name of an audience: listeners that hold it receive the events of a place with this name. */
export type Audience = string;

export interface EventDeclaration<Data extends z.ZodType = z.ZodType> extends EventKind<z.infer<Data>> {
  /** Description of the event, for the API documentation. */
  summary: string;
  data: Data;
  /** The kind of place of the event, which decides who receives it. */
  happensIn: "server" | "channel" | "person" | "people";
  /** Sent live only: without a number or a row, and not replayed. */
  live?: boolean;
  /** Cached parts of the home that the event invalidates; `*` for all of them. */
  forgets?: (data: z.infer<Data>) => Forgotten;
  /**
   * True if a check that passed before the event may fail after it: a commit that relies on such a check repeats it.
   */
  revokes?: boolean;
  /**
   * Members whose rights the event may change: user ids, `role:<id>` for all holders of a role, or `*` for all members.
   * Names that begin with `audience:` say that listeners hold other audiences with it, though nobody's rights change.
   */
  touches?: (data: z.infer<Data>) => readonly string[];
  /** The user id of the person whose last event of the stream this is, or `*`. */
  ends?: (data: z.infer<Data>) => string;
  /**
   * Names the state that the event replaces: a later event of the same kind and name makes it obsolete, so the log
   * keeps only the newest.
   */
  replaces?: (data: z.infer<Data>) => string;
  /** An id that increases with the numbers of the log: a listener that has received one has received all below it. */
  risingId?: (data: z.infer<Data>) => string;
}

/** Declares the event of a kind; its shape must match the kind's type. A feature's `contract.ts` lists its own. */
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
