// Where somebody was before opening settings: the way back.
import { keepInTab, keptInTab } from "./tab-store.ts";

const key = "hearth.place";

/** What is left for settings is kept, for as long as the tab is open. */
export function notePlace(from: string): void {
  if (!from.includes("/settings") && !from.startsWith("/admin")) keepInTab(key, from);
}

export function placeBefore(): string {
  return keptInTab(key) ?? "/";
}
