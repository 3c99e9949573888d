// The progress of the first run, which survives a reload.
import { keep, kept } from "../ui/browser/kept.ts";

export interface Progress {
  step: "house" | "server" | "invite";
  /** Set once the server is created. */
  server?: { id: string; name: string };
  inviteUrl?: string;
}

export const steps = ["owner", "house", "server", "invite"] as const;
export type Step = (typeof steps)[number];

const key = "setup";

export function isSettingUp(): boolean {
  return progress() !== undefined;
}

export function progress(): Progress | undefined {
  return kept<Progress | null>(key) ?? undefined;
}

export function keepProgress(reached: Progress): void {
  keep(key, reached);
}

/** Ends the first run and opens the house. Settings of skipped steps keep their defaults. */
export function finish(to = "/"): void {
  keep(key, null);
  location.assign(to);
}
