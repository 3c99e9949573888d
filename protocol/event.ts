// An event of the gateway, declared once: its name, its shape, who hears it and what it changes for the listeners.
import type { z } from "zod";
import type { ServerFrame } from "./frames.ts";

/** Who of a server hears a logged event: all members, or those who hold VIEW_CHANNEL. */
export type Audience = "members" | "viewers";

export interface EventDeclaration<Data extends z.ZodType = z.ZodType> {
  /** The word on the wire: `MESSAGE_CREATE`. */
  type: string;
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
