// What `hearth doctor` and the operations of the instance's admins look at, and what they find, in words for the operator.
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
  /** Of its process; undefined where a server of an earlier version does not say. */
  pid: number | undefined;
  /** Of its log; undefined as well where an earlier version runs. */
  epoch: string | undefined;
  /** What a trusted proxy wrote into X-Forwarded-For last that names no address; undefined where none did. */
  unreadHop?: string | undefined;
}

/** A look at something that the operator set up. It changes nothing, and sends nothing to people. */
export interface Check {
  /** What it looks at, in a word or two. */
  about: string;
  /** Returns undefined where there is nothing to look at. */
  look: Look;
  /** What the doctor does in its place: it takes longer, or leaves a trace elsewhere. */
  lookCloser?: Look;
}

type Look = (config: Config, running: Running | undefined) => Promise<Finding | undefined>;

export function finding(about: string, state: State, says: string): Finding {
  return { about, state, says };
}

/** The first line of an error, with the secrets in it blanked. */
export function reason(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return withoutSecrets((message || code || String(error)).split("\n", 1)[0] ?? "").replace(
    /(?<![.?!])[.?!]+$/,
    "",
  );
}
