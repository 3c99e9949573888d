// One emoji as the list has it (tools/emoji.ts makes the list), how it is found, and its skin tones.

export interface Emoji {
  emoji: string;
  /** Without the colons. */
  code: string;
  /** A number of emojibase's: smileys are 0, flags 9. */
  group: number;
  /** The five tones; none where it has no skin. */
  tones: readonly string[];
  name: string;
  /** What it is found by besides. */
  words: readonly string[];
}

/** 0: as it is; 1 to 5: light to dark. */
export type Tone = 0 | 1 | 2 | 3 | 4 | 5;

export function emojiIn(list: string): Emoji[] {
  return list
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [emoji = "", code = "", group = "", tones = "", name = "", words = ""] = line.split("\t");
      return {
        emoji,
        code,
        group: Number(group),
        tones: tonesOf(emoji, tones),
        name,
        words: words.split(","),
      };
    });
}

function tonesOf(emoji: string, tones: string): string[] {
  if (tones === "") return [];
  if (tones !== "+") return tones.split(" ");
  const [first = "", ...rest] = emoji;
  if (rest[0] === "\ufe0f") rest.shift();
  return [0, 1, 2, 3, 4].map((tone) => first + String.fromCodePoint(0x1f3fb + tone) + rest.join(""));
}

export function inTone({ emoji, tones }: Emoji, tone: Tone): string {
  return tone === 0 ? emoji : (tones[tone - 1] ?? emoji);
}

/** Returns those that fit the words, best first: by short code, then by name, then by what else they are found by. */
export function foundEmoji(all: readonly Emoji[], query: string, most = Number.POSITIVE_INFINITY): Emoji[] {
  // Not by the rules of the browser's language: in Turkish the small form of "Italy" has another first letter.
  const wanted = query.trim().toLowerCase().replace(/^:|:$/g, "");
  if (wanted === "") return [];
  const ranked: { each: Emoji; rank: number }[] = [];
  for (const each of all) {
    const rank = rankOf(each, wanted);
    if (rank !== undefined) ranked.push({ each, rank });
  }
  return ranked
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ each }) => each);
}

function rankOf({ code, name, words, emoji }: Emoji, wanted: string): number | undefined {
  const label = name.toLowerCase();
  const asCode = wanted.replace(/[\s-]/g, "_");
  if (code === asCode || emoji === wanted) return 0;
  if (label === wanted || words.includes(wanted)) return 1;
  if (code.startsWith(asCode) || label.startsWith(wanted)) return 2;
  if (words.some((word) => word.startsWith(wanted))) return 3;
  if (code.includes(`_${asCode}`) || label.includes(` ${wanted}`)) return 4;
  return code.includes(asCode) || label.includes(wanted) ? 5 : undefined;
}
