// Health checks for `hearth doctor` and the instance's admins, with findings in words for the operator.
import type { Config } from "../config/config.ts";
import { withoutSecrets } from "../secrets.ts";

/** `off`: not set up, which is fine. `note`: it works, with a caution. `wrong`: it does not work. */
export type State = "ok" | "off" | "note" | "wrong";

export interface Finding {
  about: string;
  state: State;
  says: string;
}

/** A server that runs on the data folder. */
export interface Running {
  version: string;
  url: string;
  engine: string;
  /** The id of its process; undefined for a server of an earlier version. */
  pid: number | undefined;
  /** The epoch of its log; undefined for an earlier version. */
  epoch: string | undefined;
  /** The last hop in a trusted proxy's X-Forwarded-For that is not an address; undefined without one. */
  unreadHop?: string | undefined;
}

/** Checks something that the operator set up. Changes nothing, and sends nothing to people. */
export interface Check {
  /** The subject of the check, in a word or two. */
  about: string;
  /** Returns undefined when there is nothing to check. */
  look: Look;
  /** A more thorough check that the doctor runs instead: it takes longer, or leaves a trace elsewhere. */
  lookCloser?: Look;
}

type Look = (config: Config, running: Running | undefined) => Promise<Finding | undefined>;

export function finding(about: string, state: State, says: string): Finding {
  return { about, state, says };
}

/** The first line of an error, with its secrets redacted. */
export function reason(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return withoutSecrets((message || code || String(error)).split("\n", 1)[0] ?? "").replace(
    /(?<![.?!])[.?!]+$/,
    "",
  );
}
