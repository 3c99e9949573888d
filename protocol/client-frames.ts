// The shapes of what a client says on the socket, as the gateway reads it.
import { z } from "zod";
import { resumeStreamsMax } from "./frames.ts";

/** A client frame before its data is checked by whoever knows the type. */
export const clientFrame = z.object({ type: z.string().max(64), data: z.unknown().optional() });

export const resumeData = z.object({
  epoch: z.string().max(128),
  streams: z.record(z.string().max(64), z.number()),
  /** By server: the `ts` of the frame with the number in `streams`, or of READY when none came since. */
  seen: z.record(z.string().max(64), z.iso.datetime({ offset: true })).optional(),
});

export type Resume = z.infer<typeof resumeData>;

export const authData = z.object({
  token: z.string().max(256).optional(),
  // Read once its sender is known: strangers say a lot.
  resume: z.unknown().optional(),
});

/**
 * What a client kept may be damaged, too much, of another log (`epoch`) or of other servers than the `servers` that it is
 * in, by their number: then there is nothing to resume, and it gets a fresh READY. Only what may hold is read.
 */
export function readResume(given: unknown, epoch: string, servers: number): Resume | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const { streams, seen = {}, ...of } = given as { epoch?: unknown; streams?: unknown; seen?: unknown };
  if (of.epoch !== epoch || countOf(streams) !== servers) return undefined;
  if (servers > resumeStreamsMax || !(countOf(seen) <= resumeStreamsMax)) return undefined;
  return resumeData.safeParse(given).data;
}

function countOf(record: unknown): number {
  return typeof record === "object" && record !== null ? Object.keys(record).length : Number.NaN;
}
