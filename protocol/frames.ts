// The gateway's frames and close codes: what client and server may send on the socket.
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

/** A client frame whose `data` is not checked yet: each type has a schema of its own. */
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
  // Checked only after the token: a client that is not signed in may send much.
  resume: z.unknown().optional(),
});

/**
 * The resume point that a client sent, or undefined when it cannot be used and the client gets a fresh READY: it does
 * not fit the schema, belongs to another log (`epoch`), or names another number of servers than the client is in.
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
 * Why the server closes a socket. Clients resume after 4009 and 1012 (and 1001, 1006) and sign in again after 4010.
 * After 4011 a client does not reconnect by itself: it would close the newer socket that replaced it.
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
/** Seconds without a frame after which a socket is closed; protocol pongs count as frames. */
export const silenceLimitS = 75;
/** Milliseconds that a new socket has to send its AUTH frame. */
export const authLimitMs = 10_000;
