// The gateway's side of a socket: its frames, its time limits, and the close codes that clients know.

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

/** The codes by which a client decides what to do after the server has closed its socket. */
export const closedWith = {
  notAuthenticated: 4001,
  notUnderstood: 4002,
  tooFast: 4008,
  sessionEnded: 4010,
  replaced: 4011,
} as const;

export const heartbeatIntervalMs = 30_000;
/** Seconds without a frame after which a socket is closed; protocol pongs count as frames. */
export const silenceLimitS = 75;
/** Time in milliseconds within which a new socket must send its AUTH frame. */
export const authLimitMs = 10_000;
