// Signs what a process sends through Redis, and tells what another process of this Hearth signed from anything else.
import { createHmac, timingSafeEqual } from "node:crypto";
import { offsetAfter } from "./steady-offset.ts";

/** Senders whose last number is remembered: every process that a long roll-out may bring, many times over. */
const mostSenders = 1000;
/** The most that the answer about the time may have been on its way to a sender, in milliseconds. */
const lateMs = 2000;
/** A line that is older is late, in milliseconds: what waits in Redis or in a busy process is younger by far. */
const mostAgeMs = 30_000;

interface Time {
  /** Milliseconds since 1970 by the clock of the database, which all processes ask. */
  at: number;
  /** The steady clock of this process, in milliseconds. */
  steady?: () => number;
}

/**
 * A line has the number of the microsecond in which it was signed, by the clock of the database, or one more than the line
 * before it, so that an earlier line that is sent again is told from a new one: also where its sender is gone, and by a
 * process that began after it. The first line of a signed text is `<sender> <number> <signature>`: a release that signs
 * nothing reads no further than the sender, whose name has a fixed length, and takes the rest for part of it.
 */
export class Signatures {
  readonly #key: Buffer;
  readonly #me: string;
  readonly #steady: () => number;
  /** From the steady clock to that of the database. */
  #offsetMs = 0;
  #sent = 0;
  /** By sender: the number of its last line. */
  readonly #heard = new Map<string, number>();
  /** The lines of all other senders have higher numbers. */
  #floor: number;

  /** `key`: known to every process of this Hearth, and to nobody else. */
  constructor(key: string, me: string, { at, steady = () => performance.now() }: Time) {
    this.#key = Buffer.from(key);
    this.#me = me;
    this.#steady = steady;
    this.#offsetMs = at - steady();
    // Nobody sent anything to this process before it began.
    this.#floor = numberAt(at - lateMs);
  }

  /**
   * What time it was by the clock of the database at some moment since `asked`, by the steady clock, which goes on from
   * there.
   */
  tellTime(at: number, asked: number): void {
    const before = this.#offsetMs;
    this.#offsetMs = offsetAfter(before, { at, asked, heard: this.#steady() });
    // The database's clock was set back: whoever was not heard yet has lower numbers from now on.
    if (this.#offsetMs < before - lateMs) this.#floor = Math.min(this.#floor, numberAt(at - lateMs));
  }

  /** Returns the text with a first line that says who sends it, where to, and that it is theirs. */
  sign(subject: string, text: string): string {
    const number = Math.max(this.#sent + 1, numberAt(this.#now()));
    this.#sent = number;
    const signature = this.#signature(subject, this.#me, number, text).toString("base64url");
    return `${this.#me} ${number} ${signature}\n${text}`;
  }

  /**
   * Whether a signed line with this first line is what a process of this Hearth sent here. A late one is true, but its
   * sender has said a later one, or it is too old, on its way or because somebody sends it again: it is not taken, and
   * proves nothing against anybody.
   */
  judge(subject: string, firstLine: string, text: string): "new" | "late" | "forged" {
    const [sender = "", numbered = "", signature = ""] = firstLine.split(" ");
    const number = Number(numbered);
    const given = Buffer.from(signature, "base64url");
    const right = this.#signature(subject, sender, number, text);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return "forged";
    const least = Math.max(this.#heard.get(sender) ?? this.#floor, numberAt(this.#now() - mostAgeMs));
    if (number <= least) return "late";
    this.#note(sender, number);
    return "new";
  }

  #note(sender: string, number: number): void {
    this.#heard.delete(sender);
    this.#heard.set(sender, number);
    if (this.#heard.size <= mostSenders) return;
    const [[oldest, last] = ["", 0]] = this.#heard;
    this.#heard.delete(oldest);
    this.#floor = Math.max(this.#floor, last);
  }

  #now(): number {
    return this.#steady() + this.#offsetMs;
  }

  #signature(subject: string, sender: string, number: number, text: string): Buffer {
    return createHmac("sha256", this.#key).update(`${subject}\n${sender} ${number}\n${text}`).digest();
  }
}

function numberAt(ms: number): number {
  return Math.floor(ms * 1000);
}
