// Parses the inline content of a text in one pass from left to right: emphasis, links, code and mentions.
import { linkTarget } from "./address.ts";
import { Ahead, anyOf, earlier, isAnyOf } from "./ahead.ts";
import { type BareLinks, bareLinksIn } from "./bare-links.ts";
import { Calls, type Names } from "./calls.ts";
import { pairRuns, type Run, runAt } from "./emphasis.ts";
import { CodeEnds, codeText, type Target, targetAt } from "./inline-marks.ts";
import { type Item, nested } from "./nesting.ts";
import { mostParts, type Steps, TooManySteps } from "./steps.ts";
import type { Inline } from "./tree.ts";
import { partsOf } from "./weight.ts";

export interface Reading {
  names: Names;
  steps: Steps;
}

/** Two runs make a part. */
const mostRuns = 2 * mostParts;

/** Text without any syntax, as in most lines of a list. */
const plain = /^(?:(?!:\/\/|www\.)[^\\`*_~[@<#|\n])+$/i;

export function inlinesOf(text: string, reading: Reading): Inline[] {
  reading.steps.take(text.length);
  if (plain.test(text)) return [text];
  return new LineReader(text, reading).read();
}

/** A bracket that may turn out to open a link. */
interface Bracket {
  at: number;
  /** The start of the link's text. */
  from: number;
  /** Start of the plain text around the bracket. */
  words: number;
  /** The numbers of items, runs and counted parts before that plain text. */
  items: number;
  runs: number;
  parts: number;
}

const lineBreak = { kind: "break" } as const;
const special = anyOf(/[\\`*_~[\]!<@#|\n]/);
const isSpace = isAnyOf(/[ \t]/);
const escapable = /[!-/:-@[-`{-~]/;
const angled =
  /<([a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s\p{Cc}<>]*|[\w.!#$%&'*+/=?^`{|}~-]+(@)[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+)>/uy;

class LineReader {
  readonly #text: string;
  readonly #reading: Reading;
  /** Undefined where the text contains none. */
  readonly #links: BareLinks | undefined;
  readonly #specials: Ahead;
  // Created on first use: most of many short lines need neither.
  #codeEnds: CodeEnds | undefined;
  #calls: Calls | undefined;
  /** The end of the last word: trailing spaces make no line. */
  readonly #end: number;
  /** True if an underscore that may open emphasis came before. */
  #isEmphasized = false;
  #at = 0;
  /** Start of the plain text that is not an item yet. Characters without a meaning here belong to it. */
  #from = 0;
  #items: Item[] = [];
  #runs: Run[] = [];
  /** Undefined where none is open: arrays for hundreds of short paragraphs take time. */
  #brackets: Bracket[] | undefined;

  constructor(text: string, reading: Reading) {
    this.#text = text;
    this.#reading = reading;
    this.#links = bareLinksIn(text, reading.steps);
    this.#specials = new Ahead(text, special, reading.steps);
    this.#end = text.trimEnd().length;
  }

  read(): Inline[] {
    while (this.#at < this.#text.length) {
      const before = this.#at;
      this.#plain();
      if (this.#at < this.#text.length && !this.#link() && !this.#special()) this.#leave(1);
      this.#reading.steps.take(this.#at - before);
    }
    this.#endWords();
    pairRuns(this.#runs, this.#reading.steps);
    return nested(this.#items);
  }

  /** Skips plain text up to the next character that may be syntax. */
  #plain(): void {
    const special = this.#specials.from(this.#at);
    this.#at = this.#links ? earlier(special, this.#links.from(this.#at)) : special;
  }

  /** Leaves characters that are no syntax here in the plain text. */
  #leave(length: number): true {
    this.#at += length;
    return true;
  }

  #put(item: Item, length: number): true {
    this.#endWords();
    if (typeof item === "object" && "kind" in item) this.#reading.steps.draw(partsOf(item));
    this.#items.push(item);
    this.#at += length;
    this.#from = this.#at;
    return true;
  }

  #endWords(): void {
    if (this.#from < this.#at) this.#items.push(this.#text.slice(this.#from, this.#at));
    this.#from = this.#at;
  }

  #link(): boolean {
    if (this.#links?.from(this.#at) !== this.#at) return false;
    const link = this.#links.at(this.#at, {
      isInBrackets: this.#brackets !== undefined && this.#brackets.length > 0,
      isEmphasized: this.#isEmphasized,
    });
    return link !== undefined && this.#putLink(link.raw, link.href);
  }

  #special(): boolean {
    switch (this.#text.charAt(this.#at)) {
      case "\\":
        return this.#escape();
      case "`":
        return this.#code();
      case "*":
      case "_":
      case "~":
        return this.#run();
      case "[":
        return this.#open(false);
      case "!":
        return this.#text.charAt(this.#at + 1) === "[" && this.#open(true);
      case "]":
        return this.#close();
      case "<":
        return this.#call() || this.#angled();
      case "|":
        return this.#spoiler();
      case "\n":
        return this.#break(1);
      default:
        return this.#call();
    }
  }

  #escape(): boolean {
    const letter = this.#text.charAt(this.#at + 1);
    if (letter === "\n") return this.#break(2);
    return escapable.test(letter) && this.#put(letter, 2);
  }

  #break(length: number): boolean {
    if (this.#at + length > this.#end) return false;
    this.#endWords();
    const last = this.#items.at(-1);
    if (typeof last === "string") this.#items[this.#items.length - 1] = withoutSpaces(last);
    let past = this.#at + length;
    while (isSpace(this.#text, past)) past++;
    return this.#put(lineBreak, past - this.#at);
  }

  #code(): boolean {
    let from = this.#at;
    while (this.#text.charAt(from) === "`") from++;
    const length = from - this.#at;
    this.#codeEnds ??= new CodeEnds(this.#text, this.#reading.steps);
    const end = this.#codeEnds.after(from, length);
    if (end === undefined) return this.#leave(length);
    const text = codeText(this.#text.slice(from, end));
    return this.#put({ kind: "code", text }, end + length - this.#at);
  }

  #run(): boolean {
    const run = runAt(this.#text, this.#at);
    if (run && this.#runs.push(run) > mostRuns) throw new TooManySteps();
    if (run?.mark === "_") this.#isEmphasized ||= run.canOpen;
    if (run) return this.#put(run, run.length);
    const mark = this.#text.charAt(this.#at);
    let end = this.#at + 1;
    while (this.#text.charAt(end) === mark) end++;
    return this.#leave(end - this.#at);
  }

  #open(isPicture: boolean): boolean {
    const length = isPicture ? 2 : 1;
    this.#brackets ??= [];
    this.#brackets.push({
      at: this.#at,
      from: this.#at + length,
      words: this.#from,
      items: this.#items.length,
      runs: this.#runs.length,
      parts: this.#reading.steps.parts,
    });
    return this.#leave(length);
  }

  #close(): boolean {
    const bracket = this.#brackets?.pop();
    if (!bracket || this.#text.charAt(this.#at + 1) !== "(") return false;
    const target = targetAt(this.#text, this.#at + 1, this.#reading.steps);
    if (!target) return false;
    // Links do not nest.
    this.#brackets = undefined;
    return this.#take(bracket, target);
  }

  /** Makes a link of everything since its bracket. */
  #take({ at, from, words, items, runs, parts }: Bracket, { href, title, end }: Target): true {
    const inside = this.#text.slice(from, this.#at);
    this.#endWords();
    const within = this.#items.splice(items);
    pairRuns(this.#runs.splice(runs), this.#reading.steps);
    // The plain text around the bracket begins before it.
    const [first] = within;
    if (typeof first === "string") within[0] = first.slice(from - words);
    this.#reading.steps.parts = parts;
    this.#from = words;
    const target = linkTarget(href, this.#reading.steps);
    if (target === undefined) return this.#leave(end - this.#at);
    if (words < at) this.#items.push(this.#text.slice(words, at));
    this.#from = this.#at;
    const isPicture = from - at > 1;
    // Links within a link become text, and a picture has only text.
    const children = isPicture ? [inside] : nested(within).flatMap(withoutLinks);
    const link = { kind: "link", href: target, title, children: inside === "" ? [href] : children } as const;
    return this.#put(link, end - this.#at);
  }

  #angled(): boolean {
    angled.lastIndex = this.#at;
    const [raw, address, isMailbox] = angled.exec(this.#text) ?? [];
    this.#reading.steps.take(raw?.length ?? 1);
    if (raw === undefined || address === undefined) return false;
    return this.#putLink(raw, isMailbox ? `mailto:${address}` : address, address);
  }

  /** Adds a link. A URL that `linkTarget` refuses stays plain text, as it was typed. */
  #putLink(raw: string, address: string, words = raw): boolean {
    const href = linkTarget(address, this.#reading.steps);
    if (href === undefined) return this.#leave(raw.length);
    return this.#put({ kind: "link", href, title: "", children: [words] }, raw.length);
  }

  #spoiler(): boolean {
    const from = this.#at + 2;
    if (!this.#text.startsWith("||", this.#at) || this.#text.charAt(from) === "|") return false;
    const end = this.#text.indexOf("||", from);
    const inside = this.#text.slice(from, Math.max(from, end));
    if (inside.trim() === "") return false;
    return this.#put({ kind: "spoiler", children: inlinesOf(inside, this.#reading) }, inside.length + 4);
  }

  #call(): boolean {
    this.#calls ??= new Calls(this.#text, this.#reading.names, this.#reading.steps);
    const call = this.#calls.at(this.#at);
    if (!call) return false;
    const { raw, what, id, text } = call;
    return this.#put({ kind: "call", what, id, text }, raw.length);
  }
}

function withoutLinks(part: Inline): Inline[] {
  if (typeof part === "string" || !("children" in part)) return [part];
  const children = part.children.flatMap(withoutLinks);
  return part.kind === "link" ? children : [{ ...part, children }];
}

function withoutSpaces(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === " ") end--;
  return text.slice(0, end);
}
