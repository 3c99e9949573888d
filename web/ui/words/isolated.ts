// Names that run from right to left, in sentences that do not: each keeps its own direction, and turns nothing beside it.

/** Letters that run from right to left: Hebrew, Arabic, Syriac, Thaana, N'Ko and their forms for print. */
export const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** The same words, which isolate such texts of all that they are given: names stand in sentences at a hundred places. */
export function isolating<Words>(words: Words): Words;
export function isolating(words: unknown): unknown {
  if (typeof words === "function") return (...given: unknown[]) => needed(words(...given.map(isolated)));
  if (typeof words !== "object" || words === null || Array.isArray(words)) return words;
  return Object.fromEntries(Object.entries(words).map(([name, each]) => [name, isolating(each)]));
}

/** A name at the end turns nothing: "Message #…" is what programs look for, to the letter. */
function needed(said: unknown): unknown {
  return typeof said === "string"
    ? said.replace(/^([^\u2068]*)\u2068([^\u2068\u2069]*)\u2069$/, "$1$2")
    : said;
}

/** Between U+2068 and U+2069, which nobody sees; what has no such letters stays as it is. */
function isolated(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(isolated);
  return typeof given === "string" && fromRight.test(given) ? `\u2068${given}\u2069` : given;
}
