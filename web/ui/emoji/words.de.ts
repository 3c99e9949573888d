// The words of the emoji picker in German.
import type { Group } from "./picker-rows.ts";

const groups: Readonly<Record<Group, string>> = {
  recent: "Zuletzt benutzt",
  found: "Gefunden",
  0: "Gesichter",
  1: "Menschen",
  3: "Tiere und Natur",
  4: "Essen und Trinken",
  5: "Reisen und Orte",
  6: "Aktivitäten",
  7: "Gegenstände",
  8: "Symbole",
  9: "Flaggen",
};

export const german = {
  emoji: "Emoji",
  search: "Emoji suchen",
  groups: "Gruppen von Emoji",
  group: (group: Group): string => groups[group] ?? "",
  tone: "Hautton",
  tones: ["wie sie sind", "hell", "mittelhell", "mittel", "mitteldunkel", "dunkel"] as readonly string[],
  nothing: (query: string) => `„${query}“ gibt es hier nicht.`,
  cannotLoad: "Die Emoji konnten nicht geladen werden.",
};
