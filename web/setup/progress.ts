// How far the first run has come; it survives a reload.
import { keep, kept } from "../ui/browser/kept.ts";

export interface Progress {
  step: "house" | "server" | "invite";
  /** Once it is made. */
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

/** Opens the house. What was not answered stays as it is by default. */
export function finish(to = "/"): void {
  keep(key, null);
  location.assign(to);
}
