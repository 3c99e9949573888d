// The gateway's frames and close codes: what either side may say on the socket.
import { z } from "zod";

/** How a client names its person's own stream. */
export const ownStream = "@me";

/** What the server says. `seq` numbers the events of one stream: of a server, or of the person; live frames have none. */
export interface ServerFrame {
  type: string;
  data: unknown;
  server_id?: string;
  stream?: typeof ownStream;
  seq?: number;
  ts: string;
}

/** A client frame before its data is checked by whoever knows the type. */
export const clientFrame = z.object({ type: z.string().max(64), data: z.unknown().optional() });

export const resumeData = z.object({
  epoch: z.string().max(128),
  streams: z.record(z.string().max(64), z.number()),
  /** By stream: the `ts` of the frame with the number in `streams`, or of READY when none came since. */
  seen: z.record(z.string().max(64), z.iso.datetime({ offset: true })).optional(),
});

export type Resume = z.infer<typeof resumeData>;

/** Streams of servers a client may name in `resume`; each costs a look. */
export const resumeStreamsMax = 1000;

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
  if (of.epoch !== epoch || servers > resumeStreamsMax || countOf(streams) !== servers) return undefined;
  if (!(countOf(seen) <= resumeStreamsMax)) return undefined;
  return resumeData.safeParse(given).data;
}

/** How many servers it names. */
function countOf(record: unknown): number {
  if (typeof record !== "object" || record === null) return Number.NaN;
  return Object.keys(record).length - (Object.hasOwn(record, ownStream) ? 1 : 0);
}

/**
 * Why the server ends a socket; clients resume after 4009 and 1012 (and 1001, 1006), sign in again after 4010. After 4011
 * they do not come back by themselves: they would put an end to the next one.
 */
export const closeCode = {
  notAuthenticated: { code: 4001, reason: "not authenticated" },
  notUnderstood: { code: 4002, reason: "not understood" },
  tooFast: { code: 4008, reason: "too many frames" },
  tooManyHere: { code: 4008, reason: "too many connections from this address; wait a moment" },
  tooOften: { code: 4008, reason: "signing in too often; wait a moment" },
  tooSlow: { code: 4009, reason: "too slow; resume" },
  sessionEnded: { code: 4010, reason: "session ended" },
  replaced: { code: 4011, reason: "replaced: too many connections of one account, the oldest ends" },
  restart: { code: 1012, reason: "restart; resume" },
} as const;

export type CloseReason = keyof typeof closeCode;

export const heartbeatIntervalMs = 30_000;
/** Silence after which a socket is closed, in seconds; protocol pongs count as life. */
export const silenceLimitS = 75;
/** Time a socket has for its AUTH frame. */
export const authLimitMs = 10_000;
