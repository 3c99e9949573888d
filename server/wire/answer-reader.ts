// Reads one HTTP/1.1 answer from the bytes of a socket, within bounds. The runtime's client accepts any number of
// interim answers and stays silent after an upgrade; here a host has few interim answers, and no upgrade.
import { type Answer, BadAnswer, type Head } from "./answer.ts";
import { BodyReader, type Wanted } from "./body-reader.ts";

export interface AnswerBounds {
  /** The most bytes up to the end of the final head, those of interim answers included. */
  mostHead: number;
  /** Returns how much of the body to read; with 0 none is read. Throws to refuse the answer for its head. */
  mostBody(head: Head): Wanted;
  /** How many interim answers may come; one when left out. */
  mostInterim?: number;
  /** True if the request was HEAD: then the answer has no body, whatever length it declares. */
  isHead?: boolean;
}

const nameOfHeader = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
/** Headers that frame the body: two that differ are refused, instead of using the first. */
const framing = new Set(["content-length", "transfer-encoding"]);

export class AnswerReader {
  readonly #bounds: AnswerBounds;
  #headBytes = 0;
  #line = "";
  #status: number | undefined;
  /** True if the answer's version of HTTP keeps connections open by default. */
  #isLasting = false;
  #headers = new Map<string, string>();
  #interims = 0;
  #body: BodyReader | undefined;

  constructor(bounds: AnswerBounds) {
    this.#bounds = bounds;
  }

  /** Returns the answer once it is complete: nothing more may be read then. Throws BadAnswer. */
  take(bytes: Buffer): Answer | undefined {
    const bodyAt = this.#body ? 0 : this.#takeHead(bytes);
    if (!this.#body?.take(bytes.subarray(bodyAt))) return undefined;
    return this.#answer(this.#body);
  }

  /** Ends the answer after the host has closed its side. Throws BadAnswer unless that completes it. */
  end(): Answer {
    if (!this.#body) throw new BadAnswer("closed without an answer");
    this.#body.end();
    return this.#answer(this.#body);
  }

  /** True if the host wants the announced body: undefined until it has said anything. */
  get wantsBody(): boolean | undefined {
    if (this.#status !== undefined && this.#status >= 200) return false;
    return this.#interims > 0 || undefined;
  }

  /** True if the host accepts another request on the same connection, after the complete answer. */
  get leavesOpen(): boolean {
    const closes = /\bclose\b/i.test(this.#headers.get("connection") ?? "");
    return this.#isLasting && !closes && this.#body?.isAtEnd === true;
  }

  #answer(body: BodyReader): Answer {
    return { status: this.#status ?? 0, headers: this.#headers, body: body.bytes };
  }

  /** Returns where the body begins. */
  #takeHead(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && !this.#body) {
      const newline = bytes.indexOf(0x0a, at);
      const next = newline < 0 ? bytes.length : newline + 1;
      this.#headBytes += next - at;
      if (this.#headBytes > this.#bounds.mostHead) throw new BadAnswer("the head is too long");
      this.#line += bytes.toString("latin1", at, next);
      at = next;
      if (newline < 0) break;
      const line = this.#line.slice(0, this.#line.endsWith("\r\n") ? -2 : -1);
      this.#line = "";
      this.#takeLine(line);
    }
    return at;
  }

  #takeLine(line: string): void {
    if (this.#status === undefined) this.#status = this.#statusOf(line);
    else if (line !== "") this.#takeHeader(line);
    else if (this.#status >= 200) this.#beginBody(this.#status);
    else {
      this.#interims++;
      this.#status = undefined;
      this.#headers = new Map();
    }
  }

  #statusOf(line: string): number {
    const [, version, code] = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/.exec(line) ?? [];
    const status = Number(code);
    this.#isLasting = version === "1";
    if (Number.isNaN(status)) throw new BadAnswer("no HTTP");
    if (status === 101) throw new BadAnswer("an upgrade that nobody asked for");
    const { mostInterim = 1 } = this.#bounds;
    if (status < 200 && this.#interims === mostInterim) throw new BadAnswer("too many interim answers");
    return status;
  }

  #takeHeader(line: string): void {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (!nameOfHeader.test(name) || /[\0\r]/.test(value)) throw new BadAnswer("a header that is none");
    const known = this.#headers.get(name);
    if (known === undefined) this.#headers.set(name, value);
    else if (known !== value && framing.has(name)) throw new BadAnswer(`two of ${name}`);
  }

  #beginBody(status: number): void {
    const head = { status, headers: this.#headers };
    const { isHead = false } = this.#bounds;
    this.#body = new BodyReader(head, this.#bounds.mostBody(head), isHead);
  }
}
