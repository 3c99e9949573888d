// Mentions of people, roles and channels, found while the text is parsed, so that code and links are left alone. The
// server counts as mentioned what the page shows as such.
import { Ahead, isAnyOf, matching } from "./ahead.ts";
import { comparable, type Found, type NameIndex, nameIndexOf, nameOf } from "./name-index.ts";
import type { Steps } from "./steps.ts";
import type { Inline } from "./tree.ts";

/** The names that a text may mention, in lower case (`inSmall`), with their ids. */
export interface Names {
  people: ReadonlyMap<string, string>;
  roles: ReadonlyMap<string, string>;
  channels: ReadonlyMap<string, string>;
  /** True if `@everyone` is a mention: from an author without the right it is a plain word. */
  everyone: boolean;
}

export interface Call extends Omit<Extract<Inline, { kind: "call" }>, "kind"> {
  /** The mention as it was typed. */
  raw: string;
}

const longestName = 40;
const byId = /<@(&?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/iy;
/**
 * A name right before a mention makes it something else, for example an e-mail address. Letters without case (Han,
 * Hebrew, Thai) do not count, as many people write no space between those. A dot or hyphen after a letter is part of a
 * name.
 */
const beforeCall = /[\p{Lu}\p{Ll}\p{N}][.-]?$/u;
/** In UTF-16 code units: a letter of two, and a punctuation character. */
const longestBefore = 3;
/** `host.example/@ann`, `host.example?of=/@ann`, `nas:8080/@ann`, `[::1]:80/@ann`, `steam://@ann`: parts of URLs. */
const hostWithPath = matching(
  /[\p{L}\p{N}-]\.(?:\d{1,3}|\p{L}[\p{L}\d-]{1,62})\.?(?::\d+)?[/?#]|[\p{L}\]]\d*:(?:\d{2,5}|\/)\/|localhost\//giu,
);
/**
 * `@ann@host.example` and `@ann:host.example` are people on other servers, and `@josé` is not Jos; letters without case
 * may follow a name.
 */
const otherName = /[@:][\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}]|[\p{Lu}\p{Ll}\p{M}]/uy;
/** Words with marks and underscores inside of them; underscores around them are emphasis marks. */
const words = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}]|_+(?=[\p{L}\p{N}]))*/gu;
const isSign = isAnyOf(/[._-]/);
const isStop = isAnyOf(/[.-]/);

const isPlainLetter = isAnyOf(/[a-z\d]/i);
const isOfName = isAnyOf(/[\w.-]/);

/**
 * Yields the names with which these letters, signs and digits may begin, the longest first: `bob.` is Bob and a full
 * stop, and `bob...you` is Bob and another word, unless that is somebody's name.
 */
export function* namesAt(letters: string): Generator<string> {
  let end = letters.length;
  while (end > 0) {
    do yield letters.slice(0, end);
    while (isSign(letters, --end));
    // Two signs in a row may end a name: the last ones are tried first.
    while (end > 0 && !(isStop(letters, end) && isStop(letters, end - 1))) end--;
  }
}

/** The mentions of one text, queried from left to right. */
export class Calls {
  readonly #text: string;
  readonly #names: Names;
  readonly #steps: Steps;
  readonly #roles: NameIndex;
  readonly #channels: NameIndex;
  /** Created on first use, at a mention after a slash. */
  #hosts: Ahead | undefined;
  #small: string | undefined;
  #isWithinWord: Uint8Array | undefined;
  /** The start of the run without whitespace around the last query, and the position of that query. */
  #unbrokenFrom = 0;
  #asked = 0;

  constructor(text: string, names: Names, steps: Steps) {
    this.#text = text;
    this.#names = names;
    this.#steps = steps;
    this.#roles = nameIndexOf(names.roles);
    this.#channels = nameIndexOf(names.channels);
  }

  /** Returns the mention that begins at a position, as the server would see it. */
  at(at: number): Call | undefined {
    const mark = this.#text.charAt(at);
    if (mark === "<") return this.#text.charAt(at + 1) === "@" ? this.#byId(at) : undefined;
    if ((mark !== "@" && mark !== "#") || isPlainLetter(this.#text, at - 1)) return undefined;
    const call = mark === "@" ? this.#personOrRole(at) : this.#named(at, this.#channels, "channel");
    return call && !this.#isWithin(at) ? call : undefined;
  }

  /** True if the position is inside a name or a URL. Underscores around a mention are emphasis marks. */
  #isWithin(at: number): boolean {
    let before = at;
    while (this.#text.charAt(before - 1) === "_") before--;
    this.#steps.take(at - before);
    if (beforeCall.test(this.#text.slice(Math.max(0, before - longestBefore), before))) return true;
    if (this.#text.charAt(at - 1) !== "/") return false;
    this.#hosts ??= new Ahead(this.#text, hostWithPath, this.#steps);
    return this.#hosts.from(this.#unbrokenAt(at)) < at;
  }

  #unbrokenAt(at: number): number {
    let from = at;
    while (from > this.#asked && !/\s/.test(this.#text.charAt(from - 1))) from--;
    this.#steps.take(at - from + 1);
    if (from > this.#asked) this.#unbrokenFrom = from;
    this.#asked = at;
    return this.#unbrokenFrom;
  }

  #byId(at: number): Call | undefined {
    byId.lastIndex = at;
    const [raw, isRole, id = ""] = byId.exec(this.#text) ?? [];
    if (raw === undefined) return undefined;
    const known = id.toLowerCase();
    const name = nameOf(known, isRole ? this.#names.roles : this.#names.people);
    return name === undefined
      ? undefined
      : { raw, what: isRole ? "role" : "person", id: known, text: `@${name}` };
  }

  /** The longer one of a person's and a role's name at this position. */
  #personOrRole(at: number): Call | undefined {
    const person = this.#personOrAll(at);
    const role = this.#named(at, this.#roles, "role");
    return role && role.raw.length > (person?.raw.length ?? 0) ? role : person;
  }

  #personOrAll(at: number): Call | undefined {
    const from = at + 1;
    let end = from;
    while (end - from < longestName && isOfName(this.#text, end)) end++;
    if (end === from) return undefined;
    const small = this.#text.slice(from, end).toLowerCase();
    this.#steps.take(small.length);
    for (const name of namesAt(small)) {
      const isAll = name === "everyone";
      const id = isAll ? "" : this.#names.people.get(name);
      if (id !== undefined) return this.#personOrAllUpTo(from + name.length, { at, isAll, id });
      this.#steps.take(1);
    }
    return undefined;
  }

  #personOrAllUpTo(end: number, { at, isAll, id }: { at: number; isAll: boolean; id: string }) {
    otherName.lastIndex = end;
    if (otherName.test(this.#text) || (isAll && !this.#names.everyone)) return undefined;
    const raw = this.#text.slice(at, end);
    return { raw, what: isAll ? ("everyone" as const) : ("person" as const), id, text: raw };
  }

  /** The longest name that begins here and ends at the end of a word. */
  #named(at: number, names: NameIndex, what: "role" | "channel"): Call | undefined {
    if (names.isEmpty) return undefined;
    this.#small ??= this.#inSmall();
    const from = at + 1;
    const found = names.at(this.#small, from, this.#steps);
    for (let i = found.length - 1; i >= 0; i--) {
      const { length, id } = found[i] as Found;
      this.#steps.take(1);
      this.#isWithinWord ??= this.#placesWithinWords();
      if (this.#isWithinWord[from + length]) continue;
      const raw = this.#text.slice(at, from + length);
      return { raw, what, id, text: raw };
    }
    return undefined;
  }

  #inSmall(): string {
    this.#steps.take(this.#text.length);
    return comparable(this.#text);
  }

  /** Marks the positions within words, where no name may end. Done once; `#inSmall` has already paid its steps. */
  #placesWithinWords(): Uint8Array {
    const places = new Uint8Array(this.#text.length + 1);
    for (const { 0: word, index } of this.#text.matchAll(words))
      places.fill(1, index + 1, index + word.length);
    return places;
  }
}
