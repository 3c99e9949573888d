// Generates hostile texts for the message parser: pieces of all syntax, repeated, with many beginnings and ends.

/** A host label of the greatest length, of all different letters. */
const host = Array.from({ length: 59 }, (_, i) => String.fromCodePoint(0x4e00 + 331 * i)).join("");

/** Pieces of hostile texts, each for a way in which a parser might scan the same letters again and again. */
const pieces: readonly string[] = [
  ..."* ** *** _ __ ~~ ~ ` `` ``` | || [ ] ( ) ![ [] []( [a]( [a](b [a](<b [a](b( [](( [a](b) < > <a: <@ # @ \\ \\* ! - + 1. 9) = : www. http:// https://a www.a mailto: a@ a@b. a@b.c @. #a @a @a. a. a- a_".split(
    " ",
  ),
  ..."*a _a **a *a_ _a* *a* a*b a_b **a_ *_ `a ``a `a` ||a ||a|| |a ~~a [a [a] [*a ](a [`a` *[a](b)* **[ **a**b _a_b".split(
    " ",
  ),
  "a ",
  " *",
  "* ",
  "_ ",
  " _",
  "[ ",
  "\\[",
  '[a](b "',
  "[a](b '",
  "[a](b (",
  "[a]( ",
  "http://a.b/(",
  "http://a.b/)",
  "www.字(",
  "x@y.(",
  "_www.",
  "[www.字",
  "字。www.a",
  "a.aa/",
  "/@",
  "http://a&b;",
  "www.a ",
  `http://${host} `,
  `http://${host.slice(20)}.`,
  `www.${host.slice(48)} `,
  `[a](http://${host}) `,
  "http://ﷺ ",
  "<http://ﷺ.ﷺ.ﷺ> ",
  "<:",
  "<#",
  "a@b.c ",
  "https://a.example/path ",
  "<@01890000-0000-7000-8000-000000000000>",
  "#general ",
  "#general-",
  "@helpers",
  "@ann ",
  "@ann_b.c-",
  "@everyone ",
  "字",
  "🙂",
  "W",
  "ﷺ",
  "á̂̃",
  "\u200d",
  "İ",
  "&amp;",
  "&#10;",
  "<b>",
  "<!--",
  '"',
];

/** The same for line syntax. */
const linePieces: readonly string[] = [
  ..."- + * # ## > >> ``` ~~~ 1. 2) --- *** === |"
    .split(" ")
    .flatMap((piece) => [`${piece}\n`, `${piece} a\n`]),
  "-\n\n",
  " -\n",
  "  - a\n",
  "    - a\n",
  "\t- a\n",
  "- - - a\n",
  "- [ ] a\n",
  "- [ ]\n",
  "a\n",
  "a\n\n",
  "\n",
  " \n",
  "  \n",
  "a  \n",
  "a\\\n",
  "> - a\n",
  "- > a\n",
  "- ```\n",
  "```js\na\n```\n",
  "> ```\n",
  "1.\n1. a\n",
  "a\n- \n",
];

const beginnings = [
  "",
  "a",
  "*",
  "**",
  "_",
  "`",
  "[",
  "||",
  "- ",
  "> ",
  "# ",
  "```\n",
  "1. ",
  "@",
  "#",
  "http://",
  "[a](",
  "(",
  "<",
  "~~",
  "\\",
  "a\n",
];
const ends = [
  "",
  "a",
  "*",
  "**",
  "_",
  "`",
  "]",
  "](b)",
  ")",
  "||",
  ">",
  "\n",
  "\n```",
  "~~",
  " ",
  '"',
  "_b",
  ".",
  "x*",
];

/** Ports and letters after which a pattern might rescan the host. */
const portPieces: readonly string[] = [":1字", ":1𠀀", ":1字.aa"];

/** Yields texts of this length: each piece alone, with each beginning and each end, and seeded random mixtures. */
export function* hostileTexts(length: number, { mixtures, seed = 1 }: { mixtures: number; seed?: number }) {
  const all = [...pieces, ...linePieces];
  for (const piece of all) {
    yield grown("", [piece], "", length);
    for (const beginning of beginnings) yield grown(beginning, [piece], "", length);
    for (const end of ends) yield grown("", [piece], end, length);
  }
  for (const piece of portPieces) for (const end of ["", "@"]) yield grown("http://a", [piece], end, length);
  const random = randomFrom(seed);
  const oneOf = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  for (let i = 0; i < mixtures; i++) {
    const mixed = Array.from({ length: 2 + Math.floor(random() * 4) }, () => oneOf(all));
    yield grown(oneOf(beginnings), mixed, oneOf(ends), length);
  }
}

function grown(beginning: string, mixed: readonly string[], end: string, length: number): string {
  const unit = mixed.join("");
  const room = Math.max(0, length - beginning.length - end.length);
  return beginning + unit.repeat(Math.ceil(room / unit.length)).slice(0, room) + end;
}

/** Returns a pseudorandom generator of numbers from 0 to 1: the same sequence for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns people, roles and channels with long common prefixes in their names, the most that a server may have. */
export function hostileNames(): Record<"people" | "roles" | "channels", Map<string, string>> {
  const id = (i: number) => `01890000-0000-7000-8000-${String(i).padStart(12, "0")}`;
  const named = (count: number, name: (i: number) => string) =>
    new Map(Array.from({ length: count }, (_, i): [string, string] => [name(i), id(i)]));
  return {
    people: new Map([
      ["ann", id(1)],
      ["ann_b.c-d", id(2)],
      ...named(98, (i) => `a${".".repeat(i % 30)}x${i}`),
    ]),
    roles: new Map([["helpers", id(1)], ...named(249, (i) => `${"a".repeat(1 + (i % 99))}${i}`)]),
    channels: new Map([
      ["general", id(1)],
      ...named(250, (i) => `general-${"#".repeat(i % 80)}${i}`),
      ...named(99, (i) => "#".repeat(i + 1)),
      ...named(99, (i) => `${"a".repeat(i + 1)}!`),
    ]),
  };
}
