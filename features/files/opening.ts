// Detects whether a text is markup, by the first thing in it. Text may speak of markup further in: files are served
// with a text type, as attachments, with `nosniff` and in a sandbox, and are not pages there.

/** A fragment begins with a tag that people also write at the top of a Markdown text, a page with one of the others. */
export type Markup = "page" | "fragment";

/**
 * Tags from the list by which browsers sniff HTML (WHATWG, MIME Sniffing), and others that begin an SVG or load
 * something.
 */
const ofPages = new Set([
  ...["html", "head", "body", "script", "iframe", "style", "title"],
  ...["svg", "embed", "frameset", "meta", "object"],
]);
/** The other tags of that list, and `img`. */
const ofFragments = new Set(["a", "b", "br", "div", "font", "h1", "img", "p", "table"]);
const pageNamespace = /http:\/\/www\.w3\.org\/(?:2000\/svg|1999\/xhtml)/;

/** The UTF-8 byte order mark, which may have been read as Windows-1252. */
const misreadMark = "\u00ef\u00bb\u00bf";
const noBlank = /\S/g;
/** Ends of invisible parts: comments, other declarations, processing instructions, and end tags without a beginning. */
const ends = { comment: /--!?>/g, unseen: />/g };
/** Characters kept at the end of a piece, in which an end of a part may begin. */
const mostOfEnd = "--!".length;

/**
 * The most invisible parts at the beginning: a text with more was made to take long, and is nothing but markup so far.
 */
const mostUnseen = 1000;

export class Opening {
  /** Undefined if the text is not markup, and while that is not known. */
  markup: Markup | undefined;
  #isKnown = false;
  #isFirst = true;
  #within: keyof typeof ends | undefined;
  #unseen = 0;
  /** The end of the text read so far, which needs what follows to be judged. */
  #held = "";

  /** Takes the next piece of the text; an empty one is the end. */
  read(piece: string): void {
    if (this.#isKnown) return;
    const text = this.#held + piece;
    this.#held = "";
    let at = this.#isFirst && text.startsWith(misreadMark) ? misreadMark.length : 0;
    this.#isFirst = false;
    for (;;) {
      if (this.#within) {
        const end = found(ends[this.#within], text, at);
        if (!end) {
          this.#held = text.slice(Math.max(at, text.length - mostOfEnd));
          return;
        }
        at = end.to;
        this.#within = undefined;
      }
      const start = found(noBlank, text, at)?.from;
      if (start === undefined) return;
      const judged =
        this.#unseen > mostUnseen ? "page" : judge(text.slice(start, start + mostOfTag), piece === "");
      if (judged === "comment" || judged === "unseen") {
        this.#within = judged;
        this.#unseen++;
        at = start + (judged === "comment" ? "<!--".length : 1);
      } else {
        if (judged === "cut off") this.#held = text.slice(start);
        else this.#isKnown = true;
        if (judged === "page" || judged === "fragment") this.markup = judged;
        return;
      }
    }
  }
}

function found(what: RegExp, text: string, at: number): { from: number; to: number } | undefined {
  what.lastIndex = at;
  const match = what.exec(text);
  return match ? { from: match.index, to: what.lastIndex } : undefined;
}

/** Length from which a tag is judged by its beginning alone. */
const mostOfTag = 4096;
const doctype = "<!doctype";
/** Ends of a comment to a browser, and beginnings of one to an XML parser. */
const twoFaced = ["<!-->", "<!--->"];
const tagName = /^<([a-z][^\s/>]*)[\s/>]/i;

function judge(rest: string, isEnd: boolean): Markup | keyof typeof ends | "text" | "cut off" {
  if (!rest.startsWith("<")) return "text";
  const close = rest.indexOf(">") + 1;
  const mayGoOn = !isEnd && close === 0 && rest.length < mostOfTag;
  if (mayGoOn && rest.length < doctype.length) return "cut off";
  const word = rest.slice(0, doctype.length).toLowerCase();
  if ([doctype, "<?xml", ...twoFaced].some((page) => word.startsWith(page))) return "page";
  if (word.startsWith("<!--")) return "comment";
  if (/^<[!?/]/.test(word)) return "unseen";
  if (mayGoOn) return "cut off";
  const tag = rest.slice(0, close || mostOfTag);
  const name = tagName.exec(tag)?.[1]?.toLowerCase();
  if (name === undefined) return "text";
  // Elements of an SVG may have any namespace prefix.
  if (ofPages.has(name.slice(name.lastIndexOf(":") + 1)) || pageNamespace.test(tag)) return "page";
  return ofFragments.has(name) ? "fragment" : "text";
}
