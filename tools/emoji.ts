// Generates the page's lists of emoji (web/ui/emoji) from an unpacked `emojibase-data`: `npm pack
// emojibase-data@17.0.0`, unpack it, `bun tools/emoji.ts FOLDER`. The package has 49 MB, so it is no dependency.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Emoji {
  label: string;
  hexcode: string;
  emoji: string;
  tags?: string[];
  group?: number;
  order?: number;
  version: number;
  skins?: (Emoji & { tone: number | number[] })[];
}

type Codes = Readonly<Record<string, string | string[] | undefined>>;

/** The newest emoji version to include: later ones are empty boxes on many machines. */
const newestVersion = 15.1;
/** The group of components of other emoji: skin tones and hair. */
const components = 2;
const languages = ["en", "de"];

const [, , folder = "emojibase-data"] = process.argv;
const codes = read<Codes>("en/shortcodes/github.json");
const moreCodes = read<Codes>("en/shortcodes/emojibase.json");

for (const language of languages) {
  const lines = read<Emoji[]>(`${language}/data.json`)
    .filter(({ group, version }) => group !== undefined && group !== components && version <= newestVersion)
    .sort((one, other) => (one.order ?? 0) - (other.order ?? 0))
    .map((each) => lineOf(each, language));
  writeFileSync(join("web/ui/emoji", `${language}.txt`), `${lines.join("\n")}\n`);
  console.log(`${language}: ${lines.length}`);
}

/** Returns tab-separated fields: emoji, short code, group, skin tones, name, search words. */
function lineOf(each: Emoji, language: string): string {
  const all = [codes[each.hexcode] ?? [], moreCodes[each.hexcode] ?? []].flat();
  // Alphabetic codes come first: they say more than "+1" and "-1".
  const [code = ""] = all.filter((name) => /^[a-z]/.test(name)).concat(all);
  const words = new Set([...all, ...(each.tags ?? [])].map((word) => word.toLocaleLowerCase(language)));
  words.delete(code);
  return [plain(each.emoji), code, each.group, tonesOf(each), each.label, [...words].join(",")].join("\t");
}

/** Returns "" for no skin tones, "+" if the tone follows the first code point, or else all five, joined by spaces. */
function tonesOf({ emoji, skins = [] }: Emoji): string {
  const five = [1, 2, 3, 4, 5].map((tone) => skins.find((skin) => skin.tone === tone)?.emoji);
  if (five.some((skin) => skin === undefined)) return "";
  return five.every((skin, i) => skin === toned(emoji, i)) ? "+" : five.join(" ");
}

function toned(emoji: string, tone: number): string {
  const [first = "", ...rest] = emoji;
  if (rest[0] === "\ufe0f") rest.shift();
  return first + String.fromCodePoint(0x1f3fb + tone) + rest.join("");
}

/** Drops a redundant variation selector from emoji that are drawn as such anyway, as other clients send them. */
function plain(emoji: string): string {
  return /^\p{Emoji_Presentation}\ufe0f$/u.test(emoji) ? emoji.slice(0, -1) : emoji;
}

function read<T>(path: string): T {
  return JSON.parse(readFileSync(join(folder, path), "utf8"));
}
