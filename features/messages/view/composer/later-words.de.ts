// Texts of suggestions and of what was left in the composer, in German.
import type { Sign } from "./tokens.ts";

const suggestions: Readonly<Record<Sign, string>> = {
  "@": "Menschen",
  "#": "Kanäle",
  ":": "Emoji",
  "/": "Befehle",
};

export const german = {
  ctrlEnterSends: "Strg und Enter senden",
  ctrlEnterSendsHint: "Enter allein beginnt dann eine neue Zeile.",
  suggestions,
  found: (count: number) => (count === 1 ? "1 Vorschlag" : `${count} Vorschläge`),
  leftBehind: "Was du hier geschrieben hattest",
  throwAway: "Wegwerfen",
};
