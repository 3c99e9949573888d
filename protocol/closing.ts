// The reasons for which the server closes a socket. Pages load the codes alone, from frames.ts.
import { closedWith } from "./frames.ts";

/**
 * Clients resume after 4009 and 1012 (and 1001, 1006) and sign in again after 4010. After 4011 a client does not
 * reconnect by itself: it would close the newer socket that replaced it.
 */
export const closeCode = {
  notAuthenticated: { code: closedWith.notAuthenticated, reason: "not authenticated" },
  notUnderstood: { code: closedWith.notUnderstood, reason: "not understood" },
  tooFast: { code: closedWith.tooFast, reason: "too many frames" },
  tooManyHere: { code: closedWith.tooFast, reason: "too many connections from this address; wait a moment" },
  tooOften: { code: closedWith.tooFast, reason: "signing in too often; wait a moment" },
  tooSlow: { code: 4009, reason: "too slow; resume" },
  sessionEnded: { code: closedWith.sessionEnded, reason: "session ended" },
  replaced: {
    code: closedWith.replaced,
    reason: "replaced: too many connections of one account, the oldest ends",
  },
  restart: { code: 1012, reason: "restart; resume" },
} as const;

export type CloseReason = keyof typeof closeCode;
