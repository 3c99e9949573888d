// Where somebody was before opening settings: the way back.
import { keepInTab, keptInTab } from "../browser/tab-store.ts";

const key = "hearth.place";

/** What is left for settings is kept, for as long as the tab is open; not what begins like the name of another host. */
export function notePlace(from: string): void {
  if (!from.includes("/settings") && !/^\/(admin|\/)/.test(from)) keepInTab(key, from);
}

export function placeBefore(): string {
  return keptInTab(key) ?? "/";
}
