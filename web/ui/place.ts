// Where somebody was before opening settings: the way back.

const key = "hearth.place";

/** What is left for settings is kept, for as long as the tab is open. */
export function notePlace(from: string): void {
  if (!from.includes("/settings") && !from.startsWith("/admin")) sessionStorage.setItem(key, from);
}

export function placeBefore(): string {
  return sessionStorage.getItem(key) ?? "/";
}
