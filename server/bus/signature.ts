// Signs the texts that a process sends through Redis, and verifies those of other processes of this Hearth.
import { createHmac, timingSafeEqual } from "node:crypto";
import { offsetAfter } from "./steady-offset.ts";

/** The most senders whose last number is remembered: many times the processes that a long roll-out may bring. */
const mostSenders = 1000;
/** The longest that the answer with the database's time may have taken to a sender, in milliseconds. */
const lateMs = 2000;
/** The maximum age of a line, in milliseconds: lines that wait in Redis or in a busy process are far younger. */
const mostAgeMs = 30_000;

interface Time {
  /** Milliseconds since 1970 by the clock of the database, which all processes ask. */
  at: number;
  /** The monotonic clock of this process, in milliseconds. */
  steady?: () => number;
}

/**
 * Each line is numbered with the microsecond in which it was signed, by the database's clock, or with one more than the
 * line before it. So a replayed line is told from a new one, even when its sender is gone, and by a process that
 * started after it. The first line of a signed text is `<sender> <number> <signature>`: a release that does not sign
 * reads no further than the sender, whose name has a fixed length, and takes the rest for part of the text.
 */
export class Signatures {
  readonly #key: Buffer;
  readonly #me: string;
  readonly #steady: () => number;
  /** Offset from the monotonic clock to the database's clock, in milliseconds. */
  #offsetMs = 0;
  #sent = 0;
  /** The number of each sender's last line. */
  readonly #heard = new Map<string, number>();
  /** The minimum for senders that are not remembered: their lines have higher numbers. */
  #floor: number;

  /** `key`: the secret that all processes of this Hearth share, and nobody else knows. */
  constructor(key: string, me: string, { at, steady = () => performance.now() }: Time) {
    this.#key = Buffer.from(key);
    this.#me = me;
    this.#steady = steady;
    this.#offsetMs = at - steady();
    // No line was sent to this process before it started.
    this.#floor = numberAt(at - lateMs);
  }

  /**
   * Sets the database's time: the clock showed `at` at some moment since `asked`, which is a time of the monotonic
   * clock.
   */
  tellTime(at: number, asked: number): void {
    const before = this.#offsetMs;
    this.#offsetMs = offsetAfter(before, { at, asked, heard: this.#steady() });
    // The database's clock was set back: senders that are not remembered have lower numbers from now on.
    if (this.#offsetMs < before - lateMs) this.#floor = Math.min(this.#floor, numberAt(at - lateMs));
  }

  /** Returns the text with a first line that names its sender and proves sender and subject. */
  sign(subject: string, text: string): string {
    const number = Math.max(this.#sent + 1, numberAt(this.#now()));
    this.#sent = number;
    const signature = this.#signature(subject, this.#me, number, text).toString("base64url");
    return `${this.#me} ${number} ${signature}\n${text}`;
  }

  /**
   * Judges a signed line by its first line: whether a process of this Hearth sent it to this subject. A late line is
   * authentic, but older than its sender's last one, or too old, because it was delayed or replayed: it is dropped, and
   * is no evidence of an attack.
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
