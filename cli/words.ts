// What was typed after `hearth`, sorted: the words of the command, and the settings among them.

export interface Spoken {
  words: string[];
  /** As readConfig takes them: `--name value` or `--name=value`. */
  settings: string[];
  asksForHelp: boolean;
}

/** A command that Hearth does not understand, in a sentence; exit code 2. */
export class Misunderstood extends Error {
  override name = "Misunderstood";
}

export function wordsAndSettings(argv: readonly string[]): Spoken {
  const spoken: Spoken = { words: [], settings: [], asksForHelp: false };
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--help" || word === "-h") spoken.asksForHelp = true;
    else if (!word.startsWith("-")) spoken.words.push(word);
    else {
      spoken.settings.push(word);
      const value = argv[i + 1];
      if (!word.includes("=") && value !== undefined) {
        spoken.settings.push(value);
        i++;
      }
    }
  }
  return spoken;
}
