// Parses the arguments of `hearth` into the words of the command, settings and flags.

export interface Spoken {
  words: string[];
  /** In the form that readConfig takes: `--name value` or `--name=value`. */
  settings: string[];
  /** Options that are not settings and take no value: `--check`, `--stay`. */
  flags: string[];
  /** The value of `--to`. */
  to?: string | undefined;
  asksForHelp: boolean;
}

const flags = ["--check", "--stay"];

/** Thrown for a command line that Hearth does not understand; exit code 2. */
export class Misunderstood extends Error {
  override name = "Misunderstood";
}

export function wordsAndSettings(argv: readonly string[]): Spoken {
  const spoken: Spoken = { words: [], settings: [], flags: [], asksForHelp: false };
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (word === "--help" || word === "-h") spoken.asksForHelp = true;
    else if (flags.includes(word)) spoken.flags.push(word);
    else if (word === "--to") spoken.to = argv[++i] ?? "";
    // A dash alone stands for standard input or output.
    else if (!word.startsWith("-") || word === "-") spoken.words.push(word);
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
