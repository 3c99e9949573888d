// The place from which settings were opened, to return to.
import { keepInTab, keptInTab } from "../browser/tab-store.ts";

const key = "hearth.place";

/** Stores a place for this tab, unless it is in settings or the console, or a path that begins with two slashes. */
export function notePlace(from: string): void {
  if (!from.includes("/settings") && !/^\/(admin|\/)/.test(from)) keepInTab(key, from);
}

export function placeBefore(): string {
  return keptInTab(key) ?? "/";
}
