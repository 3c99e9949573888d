// Texts of suggestions and of what was left in the composer, in English.
import type { Sign } from "./tokens.ts";

const suggestions: Readonly<Record<Sign, string>> = {
  "@": "People",
  "#": "Channels",
  ":": "Emoji",
  "/": "Commands",
};

const plural = new Intl.PluralRules("en");

export const english = {
  ctrlEnterSends: "Ctrl and Enter send",
  ctrlEnterSendsHint: "Enter alone then breaks the line.",
  suggestions,
  found: (count: number) => (plural.select(count) === "one" ? "1 suggestion" : `${count} suggestions`),
  leftBehind: "What you had written here",
  throwAway: "Throw it away",
};
