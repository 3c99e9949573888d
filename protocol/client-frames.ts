// The shapes of the frames that clients send on the socket, as the gateway reads them.
import { z } from "zod";
import { ownStream, resumeStreamsMax } from "./frames.ts";

/** A client frame whose `data` is not yet validated: each type has a schema of its own. */
export const clientFrame = z.object({ type: z.string().max(64), data: z.unknown().optional() });

export const resumeData = z.object({
  epoch: z.string().max(128).meta({ description: "As READY said it" }),
  streams: z.record(z.string().max(64), z.number()).meta({
    description: "The last number heard of each server, by its id, and of one's own stream as `@me`",
  }),
  seen: z
    .record(z.string().max(64), z.iso.datetime({ offset: true }))
    .optional()
    .meta({
      description: "By stream: the `ts` of the frame with that number, or of READY when none came since",
    }),
});

export type Resume = z.infer<typeof resumeData>;

export const authData = z.object({
  token: z
    .string()
    .max(256)
    .optional()
    .meta({ description: "Of a session or a bot; browsers leave it out, as their cookie counts" }),
  // Validated only after the token: a client that is not signed in may send much.
  resume: z.unknown().optional(),
});

/**
 * Returns the resume point that a client sent, or undefined when it cannot be used and the client gets a fresh READY:
 * it does not match the schema, belongs to another log (`epoch`), or names another number of servers than the client is
 * in.
 */
export function readResume(given: unknown, epoch: string, servers: number): Resume | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { streams, seen = {}, ...of } = given as { epoch?: unknown; streams?: unknown; seen?: unknown };
  if (of.epoch !== epoch || servers > resumeStreamsMax || countOf(streams) !== servers) return undefined;
  if (!(countOf(seen) <= resumeStreamsMax)) return undefined;
  return resumeData.safeParse(given).data;
}

/** Returns the number of servers in the record. */
function countOf(record: unknown): number {
  if (typeof record !== "object" || record === null) return Number.NaN;
  return Object.keys(record).length - (Object.hasOwn(record, ownStream) ? 1 : 0);
}
