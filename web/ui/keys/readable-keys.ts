// Keys as people read them, on the sheet of keyboard shortcuts and in menus.
import { isMac } from "./keys.ts";

/** Returns the names of the keys: ["Ctrl", "K"], ["⌘", "K"]. */
export function readable(keys: string): readonly string[] {
  const said = keys.split("+").filter((key) => !/^\[.+\]$/.test(key));
  return said.map((key) => signs.get(key) ?? (key.length === 1 ? key.toLocaleUpperCase() : key));
}

const signs = new Map([
  ["$mod", isMac ? "⌘" : "Ctrl"],
  ["Control", isMac ? "⌃" : "Ctrl"],
  ["Meta", isMac ? "⌘" : "Meta"],
  ["Alt", isMac ? "⌥" : "Alt"],
  ["Shift", isMac ? "⇧" : "Shift"],
  ["ArrowUp", "↑"],
  ["ArrowDown", "↓"],
  ["ArrowLeft", "←"],
  ["ArrowRight", "→"],
  ["Escape", "Esc"],
]);
