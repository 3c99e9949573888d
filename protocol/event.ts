// An event of the gateway, declared once: its name, its shape, who hears it and what it changes for the listeners.
import type { z } from "zod";
import type { ServerFrame } from "./frames.ts";

/** Which members of a server hear a logged event: all of them, or those with VIEW_CHANNEL. */
export type Audience = "members" | "viewers";

export interface EventDeclaration<Data extends z.ZodType = z.ZodType> {
  /** The word on the wire: `MESSAGE_CREATE`. */
  type: string;
  data: Data;
  audience: Audience;
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
  /** The member for whom this is the last event of the server: a user id, or `*` for all. */
  ends?: (data: z.infer<Data>) => string;
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
