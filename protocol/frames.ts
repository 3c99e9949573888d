// The gateway's side of a socket: its frames, its close codes, and its time limits.

/**
 * A frame from the server. `seq` numbers the events of one stream, a server's or the person's own; live frames have
 * none.
 */
export interface ServerFrame {
  type: string;
  data: unknown;
  server_id?: string;
  /** Set on frames of the person's own stream, which belongs to no server. */
  stream?: typeof ownStream;
  seq?: number;
  ts: string;
}

/** The name of the person's own stream. */
export const ownStream = "@me";

/** Most server streams that a client may name in `resume`; each costs a lookup. */
export const resumeStreamsMax = 1000;

/**
 * Reasons for which the server closes a socket. Clients resume after 4009 and 1012 (and 1001, 1006) and sign in again
 * after 4010. After 4011 a client does not reconnect by itself: it would close the newer socket that replaced it.
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
/** Time in milliseconds within which a new socket must send its AUTH frame. */
export const authLimitMs = 10_000;
