// Bare URLs and e-mail addresses in a text.
import { Ahead, anyOf, earlier, isAnyOf, matching, type Search } from "./ahead.ts";
import type { Steps } from "./steps.ts";

interface BareLink {
  raw: string;
  href: string;
}

const isOfMailbox = isAnyOf(/[\w.+-]/);
const isInner = isAnyOf(/['&]/);
const schemes = /(?:https?|ftp)$/i;
const mailto = "mailto:";
const isW = isAnyOf(/w/i);
/** Every link contains one of these. */
const nextSign = anyOf(/[:@.]/);
/**
 * The characters that may precede a link: within a word or after other signs it is part of something else, such as a
 * path. Letters without case do not count as a word, as many people write no space between those.
 */
const before = /[\s*_~"'()[\]|>,;]|(?![\0-\x7f\p{Lu}\p{Ll}\p{Lt}\p{M}\p{N}])[\s\S]/u;

const ofWeb = /(?:(?:https?|ftp):\/\/|www\.)(?:(\[[0-9a-f:.]{1,45}\])|[\p{L}\p{N}-])/iuy;
const mail =
  /(?:mailto:)?[A-Za-z0-9._+'&-]+@[\w\p{Lu}\p{Ll}\p{M}-]+(?:\.[\w\p{Lu}\p{Ll}\p{M}-]*[A-Za-z0-9\p{Lu}\p{Ll}\p{M}])+(?![\w\p{Lu}\p{Ll}\p{M}-])/uy;

/**
 * Characters that end a URL wherever they stand: whitespace, `<`, quotation marks, bidirectional controls, and CJK
 * punctuation, which no space follows.
 */
const ends = matching(
  /[\s<"\u202a-\u202e\u2066-\u2069\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f\uff61\uff64]|(?![!-~])[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/gu,
);
const hostOf = /^(?:[a-z]+:\/\/)?[^\s/?#@]*/i;
/** No top-level domain mixes ASCII with caseless letters: those right after it are words. */
const beforeWords = /(?:\.[a-z]{2,}|:\d{1,5})(?=[\p{Lo}\p{Lm}])/iu;
const lastSign = /[?!.,:;*'"~)]|(?![!-~])[\p{Po}\p{Pd}\p{Cf}]/u;
const isLetterOrDigit = isAnyOf(/[a-z\d]/i);
const opened = anyOf(/\(/);
const closed = anyOf(/\)/);
const bracketed = anyOf(/]/);

/** Brackets and underscore emphasis that are open around a link, and end it. */
interface Around {
  isInBrackets: boolean;
  isEmphasized: boolean;
}

/** Positions in a text at which a link may begin, in ascending order. */
interface Starts {
  web: number[];
  mailboxes: number[];
}

/** Returns the links of a text, or undefined if none may begin there: most paragraphs contain none. */
export function bareLinksIn(text: string, steps: Steps): BareLinks | undefined {
  let starts: Starts | undefined;
  let lastMailSign = 0;
  for (let at = nextSign(text, 0); at < text.length; at = nextSign(text, at + 1)) {
    const isMail = text.charAt(at) === "@";
    const start = isMail ? mailboxBefore(text, at, lastMailSign) : webAround(text, at);
    if (isMail) lastMailSign = at;
    if (start === undefined) continue;
    starts ??= { web: [], mailboxes: [] };
    (isMail ? starts.mailboxes : starts.web).push(start);
  }
  steps.take(text.length);
  return starts && new BareLinks(text, steps, starts);
}

/** Returns the start of the web address whose scheme colon or `www.` dot is at this position. */
function webAround(text: string, at: number): number | undefined {
  if (text.charAt(at) === ".") return endsWww(text, at) && mayBegin(text, at - 3) ? at - 3 : undefined;
  const scheme = text.startsWith("//", at + 1) ? schemes.exec(text.slice(Math.max(0, at - 5), at)) : null;
  return scheme ? at - scheme[0].length : undefined;
}

/** Returns the start of the mailbox whose local part is between `from` and the `@` at this position. */
function mailboxBefore(text: string, at: number, from: number): number | undefined {
  let start = at;
  while (start > from && (isOfMailbox(text, start - 1) || isInName(text, start - 1))) start--;
  // Leading underscores are emphasis marks.
  while (text.charAt(start) === "_") start++;
  if (text.startsWith(mailto, start - mailto.length)) start -= mailto.length;
  return start < at && mayBegin(text, start) ? start : undefined;
}

/** An apostrophe between letters belongs to the name, as in o'brien@example.org; elsewhere it is a quotation mark. */
function isInName(text: string, at: number): boolean {
  return isInner(text, at) && isOfMailbox(text, at - 1) && isOfMailbox(text, at + 1);
}

function endsWww(text: string, at: number): boolean {
  return isW(text, at - 1) && isW(text, at - 2) && isW(text, at - 3);
}

/** Searches for the next character that ends a link, and for parentheses and brackets, which links hold in pairs. */
type Signs = ReturnType<typeof signsOf>;

function signsOf(text: string, steps: Steps) {
  const ahead = (search: Search) => new Ahead(text, search, steps);
  return { ends: ahead(ends), opening: ahead(opened), closing: ahead(closed), brackets: ahead(bracketed) };
}

/** Searches for the next of several positions in ascending order. */
function anyAt(places: readonly number[]): Search {
  let next = 0;
  return (text, from) => {
    while (next < places.length && (places[next] as number) < from) next++;
    return places[next] ?? text.length;
  };
}

/** The links of one text, queried from left to right. */
export class BareLinks {
  readonly #text: string;
  readonly #steps: Steps;
  readonly #web: Ahead;
  readonly #mailboxes: Ahead;
  /** Created on first use: most texts have no web link. */
  #signs: Signs | undefined;

  constructor(text: string, steps: Steps, { web, mailboxes }: Starts) {
    this.#text = text;
    this.#steps = steps;
    this.#web = new Ahead(text, anyAt(web), steps);
    this.#mailboxes = new Ahead(text, anyAt(mailboxes), steps);
  }

  /** Returns where the next link may begin, or the end of the text. */
  from(at: number): number {
    return earlier(this.#web.from(at), this.#mailboxes.from(at));
  }

  /** Returns the link at one of these positions. */
  at(at: number, around: Around): BareLink | undefined {
    const mailbox = this.#mailboxes.from(at) === at ? this.#mailboxAt(at) : undefined;
    return mailbox ?? (this.#web.from(at) === at ? this.#webAt(at, around) : undefined);
  }

  #mailboxAt(at: number): BareLink | undefined {
    mail.lastIndex = at;
    const [raw] = mail.exec(this.#text) ?? [];
    return raw === undefined ? undefined : { raw, href: raw.startsWith(mailto) ? raw : mailto + raw };
  }

  #webAt(at: number, { isInBrackets, isEmphasized }: Around): BareLink | undefined {
    ofWeb.lastIndex = at;
    const [begun, numbered] = ofWeb.exec(this.#text) ?? [];
    if (begun === undefined) return undefined;
    this.#signs ??= signsOf(this.#text, this.#steps);
    const { ends, brackets } = this.#signs;
    // Brackets around an IPv6 address belong to it.
    const host = numbered === undefined ? at : at + begun.length;
    const stop = earlier(ends.from(host), isInBrackets ? brackets.from(host) : this.#text.length);
    const whole = this.#text.slice(at, Math.max(host, this.#endOf(this.#signs, host, stop, isEmphasized)));
    this.#steps.take(whole.length);
    const raw = whole.slice(0, wordsIn(whole));
    return { raw, href: /^www/i.test(raw) ? `http://${raw}` : raw };
  }

  /** Returns the end of a link: before trailing punctuation, or a closing bracket without its opening one. */
  #endOf({ opening, closing }: Signs, from: number, stop: number, isEmphasized: boolean): number {
    const isClosing = (sign: string) => lastSign.test(sign) || (isEmphasized && sign === "_");
    let end = stop;
    let pairedUpTo = from;
    for (let open = opening.from(from); open < stop; open = opening.from(pairedUpTo)) {
      const close = closing.from(open);
      if (close >= stop) {
        end = open;
        break;
      }
      pairedUpTo = close + 1;
    }
    const whole = end;
    while (end > pairedUpTo && isClosing(this.#text.charAt(end - 1)))
      end = (this.#text.charAt(end - 1) === ";" ? this.#entityBefore(end - 1) : undefined) ?? end - 1;
    this.#steps.take(whole - end + 1);
    return end;
  }

  /** Returns the start of an entity like `&amp` that ends here. */
  #entityBefore(end: number): number | undefined {
    let from = end;
    while (from > 0 && isLetterOrDigit(this.#text, from - 1)) from--;
    this.#steps.take(end - from);
    return from < end && this.#text.charAt(from - 1) === "&" ? from - 1 : undefined;
  }
}

/**
 * Returns the position of words right after the host of an address, if there are any. The search starts at the last
 * dot, a trailing one excepted: a pattern that finds the dot itself would scan the rest of the host at each port.
 */
function wordsIn(address: string): number | undefined {
  const [host = ""] = hostOf.exec(address) ?? [];
  if (address.charAt(host.length) === "@") return undefined;
  const from = Math.max(0, host.lastIndexOf(".", host.length - 2));
  const found = beforeWords.exec(host.slice(from));
  return found ? from + found.index + found[0].length : undefined;
}

function mayBegin(text: string, at: number): boolean {
  return at === 0 || before.test(text.charAt(at - 1));
}
