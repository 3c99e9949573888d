// A finding of `hearth doctor`, in words for the operator.
import { withoutSecrets } from "../server/secrets.ts";

/** `off`: not set up, which is fine. `note`: it works, with a caution. `wrong`: it does not work. */
export type State = "ok" | "off" | "note" | "wrong";

export interface Finding {
  about: string;
  state: State;
  says: string;
}

export function finding(about: string, state: State, says: string): Finding {
  return { about, state, says };
}

/** The first line of an error, with the secrets in it blanked. */
export function reason(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return withoutSecrets((message || code || String(error)).split("\n", 1)[0] ?? "").replace(/[.?!]+$/, "");
}
