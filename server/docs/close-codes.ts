// The gateway's close codes, with their reasons and what a client should do.
import { closeCode } from "../../protocol/closing.ts";

interface CloseCode {
  code: number;
  reasons: readonly string[];
  /** The action that a client should take. */
  remedy: string;
}

/** Codes that the gateway itself does not send: the runtime, a proxy or the network does. */
const elsewhere = [
  { code: 1001, reason: "a proxy on the way stops or reloads" },
  { code: 1006, reason: "the connection is gone without a word" },
  { code: 1009, reason: "a frame is too big" },
];

const resume = "resume";
const signInAgain = "sign in again";
const mendClient = "the client is at fault: mend it";
const remedies: Readonly<Record<number, string>> = {
  1001: resume,
  1006: resume,
  1009: mendClient,
  1012: resume,
  4001: signInAgain,
  4002: mendClient,
  4008: "wait some seconds, then resume",
  4009: resume,
  4010: signInAgain,
  4011: "stay away until the person asks for it: coming back would end the newer socket",
};

/** Every code with all reasons for it, lowest first. */
export const closeCodes: readonly CloseCode[] = [
  ...Map.groupBy([...Object.values(closeCode), ...elsewhere], ({ code }) => code),
]
  .map(([code, each]) => ({
    code,
    reasons: each.map(({ reason }) => reason),
    remedy: remedies[code] ?? resume,
  }))
  .sort((one, other) => one.code - other.code);
