// Isolates right-to-left names in left-to-right sentences, so that they do not reorder the text beside them.

/** Right-to-left letters: Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms. */
export const fromRight = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Returns a catalogue whose functions isolate such texts in their arguments, because a hundred places insert names. */
export function isolating<Words>(words: Words): Words;
export function isolating(words: unknown): unknown {
  if (typeof words === "function") return (...given: unknown[]) => needed(words(...given.map(isolated)));
  if (typeof words !== "object" || words === null || Array.isArray(words)) return words;
  return Object.fromEntries(Object.entries(words).map(([name, each]) => [name, isolating(each)]));
}

/** Removes the isolation of a name at the end, which reorders nothing: programs look for the exact "Message #…". */
function needed(said: unknown): unknown {
  return typeof said === "string"
    ? said.replace(/^([^\u2068]*)\u2068([^\u2068\u2069]*)\u2069$/, "$1$2")
    : said;
}

/** Wraps text with right-to-left letters in the invisible U+2068 and U+2069; other text stays as it is. */
function isolated(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(isolated);
  return typeof given === "string" && fromRight.test(given) ? `\u2068${given}\u2069` : given;
}
