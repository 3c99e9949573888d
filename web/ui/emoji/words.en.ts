// The words of the emoji picker in English.
import type { Group } from "./picker-rows.ts";

const groups: Readonly<Record<Group, string>> = {
  recent: "Recent",
  found: "Found",
  0: "Smileys",
  1: "People",
  3: "Animals and nature",
  4: "Food and drink",
  5: "Travel and places",
  6: "Activities",
  7: "Objects",
  8: "Symbols",
  9: "Flags",
};

export const english = {
  emoji: "Emoji",
  search: "Search emoji",
  groups: "Groups of emoji",
  group: (group: Group): string => groups[group] ?? "",
  tone: "Skin tone",
  tones: ["as they are", "light", "medium light", "medium", "medium dark", "dark"] as readonly string[],
  nothing: (query: string) => `Nothing called “${query}” here.`,
  cannotLoad: "The emoji could not be loaded.",
};
