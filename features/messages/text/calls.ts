// The people and roles that a text calls, and the channels that it names: found while it is read, so that code and links
// keep theirs. The server counts as called what the page shows so.
import { Ahead, isAnyOf, matching } from "./ahead.ts";
import { comparable, type Found, type NameIndex, nameIndexOf, nameOf } from "./name-index.ts";
import type { Steps } from "./steps.ts";
import type { Inline } from "./tree.ts";

/** The names that a text may call, in small letters (`inSmall`), with the ids behind them. */
export interface Names {
  people: ReadonlyMap<string, string>;
  roles: ReadonlyMap<string, string>;
  channels: ReadonlyMap<string, string>;
  /** Whether `@everyone` calls: from an author who may not, it is a word. */
  everyone: boolean;
}

export interface Call extends Omit<Extract<Inline, { kind: "call" }>, "kind"> {
  /** As it was typed. */
  raw: string;
}

const longestName = 40;
const byId = /<@(&?)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/iy;
/**
 * A name in front of it makes it something else: an e-mail address, say. Letters without a case (Han, Hebrew, Thai) are
 * none of such a name: between those many people write no space. A dot or a hyphen is part of a name behind a letter.
 */
const beforeCall = /[\p{Lu}\p{Ll}\p{N}][.-]?$/u;
/** In UTF-16 code units: a letter of two, and a sign. */
const longestBefore = 3;
/** `host.example/@ann` and `localhost:8080/@ann` are addresses whose scheme nobody wrote. */
const hostWithPath = matching(/(?:[\p{L}\p{N}-]\.(?:\p{L}{2,}|\d{1,3})|localhost)(?::\d{1,5})?\//giu);
/** `@ann@host.example` and `@ann:host.example` are people elsewhere. */
const nameElsewhere = /[@:][\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}]/uy;
const words = /[\p{L}\p{N}_]+/gu;

const isSign = isAnyOf(/[._-]/);

const isPlainLetter = isAnyOf(/[a-z\d]/i);
const isOfName = isAnyOf(/[\w.-]/);

/** The calls of one text, which are asked for from left to right. */
export class Calls {
  readonly #text: string;
  readonly #names: Names;
  readonly #steps: Steps;
  readonly #roles: NameIndex;
  readonly #channels: NameIndex;
  /** Made once it is asked for, behind a slash. */
  #hosts: Ahead | undefined;
  #small: string | undefined;
  #isWithinWord: Uint8Array | undefined;
  /** Where the run of letters without a blank begins in which somebody asked last, and where that was. */
  #unbrokenFrom = 0;
  #asked = 0;

  constructor(text: string, names: Names, steps: Steps) {
    this.#text = text;
    this.#names = names;
    this.#steps = steps;
    this.#roles = nameIndexOf(names.roles);
    this.#channels = nameIndexOf(names.channels);
  }

  /** Returns the call that begins at a place of the text, as the server would see it. */
  at(at: number): Call | undefined {
    const mark = this.#text.charAt(at);
    if (mark === "<") return this.#text.charAt(at + 1) === "@" ? this.#byId(at) : undefined;
    if ((mark !== "@" && mark !== "#") || isPlainLetter(this.#text, at - 1)) return undefined;
    const call = mark === "@" ? this.#personOrRole(at) : this.#named(at, this.#channels, "channel");
    return call && !this.#isWithin(at) ? call : undefined;
  }

  /** Whether it stands in a name or an address. Underscores around a call are marks of emphasis. */
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

  /** The longer one of a person and a role that are called so. */
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
    // `@bob.` is Bob and a full stop, unless somebody is called so.
    for (let length = small.length; length > 0; length--) {
      const name = small.slice(0, length);
      const isAll = name === "everyone";
      const id = isAll ? "" : this.#names.people.get(name);
      if (id !== undefined) return this.#personOrAllUpTo(from + length, { at, isAll, id });
      this.#steps.take(1);
      if (!isSign(small, length - 1)) break;
    }
    return undefined;
  }

  #personOrAllUpTo(end: number, { at, isAll, id }: { at: number; isAll: boolean; id: string }) {
    nameElsewhere.lastIndex = end;
    if (nameElsewhere.test(this.#text) || (isAll && !this.#names.everyone)) return undefined;
    const raw = this.#text.slice(at, end);
    return { raw, what: isAll ? ("everyone" as const) : ("person" as const), id, text: raw };
  }

  /** The longest name that stands there, and ends there. */
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

  /** Marks the places between two letters of a word, where no name ends: once, which the small letters have paid for. */
  #placesWithinWords(): Uint8Array {
    const places = new Uint8Array(this.#text.length + 1);
    for (const { 0: word, index } of this.#text.matchAll(words))
      places.fill(1, index + 1, index + word.length);
    return places;
  }
}
