// An event of the gateway, declared once: its name, its shape, who hears it and what it changes for the listeners.
import type { z } from "zod";
import type { ServerFrame } from "./frames.ts";

/** The name of those who hear what happens at a place: whoever listens there holds it, or does not. */
export type Audience = string;

export interface EventDeclaration<Data extends z.ZodType = z.ZodType> {
  /** The word on the wire: `MESSAGE_CREATE`. */
  type: string;
  data: Data;
  /** What it happens in, which says who hears it. */
  happensIn: "server" | "channel" | "person";
  /** Live only: no number, no row, not replayed. */
  live?: boolean;
  /**
   * The event changes the server itself, its roles, members or channels, so what processes remember of them is dropped.
   */
  structural?: boolean;
  /**
   * Members whose rights the event may change: user ids, `role:<id>` for all holders of a role, or `*` for all members.
   */
  touches?: (data: z.infer<Data>) => readonly string[];
  /** For whom it is the last event of the stream: a user id, or `*`. */
  ends?: (data: z.infer<Data>) => string;
  /** The id that rises with the numbers of the log: whoever has heard of one has heard of all below it. */
  risingId?: (data: z.infer<Data>) => string;
}

/** Declares an event; a feature's `contract.ts` lists its own. */
export function event<Data extends z.ZodType>(declaration: EventDeclaration<Data>): EventDeclaration<Data> {
  return declaration;
}

/** Whether a frame is this event; its data then has the declared shape. */
export function is<Data extends z.ZodType>(
  frame: ServerFrame,
  declaration: EventDeclaration<Data>,
): frame is ServerFrame & { data: z.infer<Data> } {
  return frame.type === declaration.type;
}
