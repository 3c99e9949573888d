// An event of the gateway: its kind, which clients load too, and its declaration: shape, listeners, and what it changes for them.
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

/** Names of remembered parts, `standing:<user id>` for example, or `*`. */
export type Forgotten = readonly string[] | "*";

/** The name of those who hear what happens at a place: a listener there holds it, or does not. */
export type Audience = string;

export interface EventDeclaration<Data extends z.ZodType = z.ZodType> extends EventKind<z.infer<Data>> {
  data: Data;
  /** What it happens in, which says who hears it. */
  happensIn: "server" | "channel" | "person";
  /** Live only: no number, no row, not replayed. */
  live?: boolean;
  /** Parts that a process may remember of the server and that are not true any more; `*` for all of them. */
  forgets?: (data: z.infer<Data>) => Forgotten;
  /** A check that passed before it may not pass after it: what relies on one is checked again at its commit. */
  revokes?: boolean;
  /**
   * Members whose rights the event may change: user ids, `role:<id>` for all holders of a role, or `*` for all members.
   */
  touches?: (data: z.infer<Data>) => readonly string[];
  /** For whom it is the last event of the stream: a user id, or `*`. */
  ends?: (data: z.infer<Data>) => string;
  /** The id that rises with the numbers of the log: whoever has heard of one has heard of all below it. */
  risingId?: (data: z.infer<Data>) => string;
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
