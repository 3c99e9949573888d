// The frames that a test's listener received: each is searched for secrets and kept, and tests wait for some of them.
import { lookThroughFrame } from "./canary.ts";
import type { Loose } from "./people.ts";

export interface HeardFrame {
  type: string;
  data: Loose;
  server_id?: string;
  stream?: "@me";
  seq?: number;
  ts: string;
}

const patienceMs = 180_000;

export abstract class Heard {
  readonly frames: HeardFrame[] = [];
  #taken = 0;
  /** Waiters for one frame more. */
  #waiting: (() => void)[] = [];
  #end: string | undefined;
  #indiscretion: Error | undefined;

  abstract say(type: string, data?: unknown): void;

  /** Keeps a frame, given as the text of the socket. */
  protected keep(text: string): void {
    // An error thrown in the socket's callback would be lost, so the next waiter throws it.
    try {
      lookThroughFrame(text);
    } catch (error) {
      this.#indiscretion ??= error as Error;
    }
    this.frames.push(JSON.parse(text));
    this.#wake();
  }

  /** Marks the end of the connection; waiters fail with the reason `why`. */
  protected end(why: string): void {
    this.#end = why;
    this.#wake();
  }

  #wake(): void {
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  /** Returns the next matching frame after the last wait's. Fails once the connection ended, or after a timeout. */
  async until(fits: (frame: HeardFrame) => boolean): Promise<HeardFrame> {
    const end = performance.now() + patienceMs;
    for (;;) {
      this.#beDiscreet();
      for (; this.#taken < this.frames.length; this.#taken++) {
        const frame = this.frames[this.#taken];
        if (frame && fits(frame)) {
          this.#taken++;
          return frame;
        }
      }
      await this.#more(end);
    }
  }

  /** Waits until the frames so far satisfy the condition, in whichever order they came; consumes none. */
  async untilAll(isSo: () => boolean): Promise<void> {
    const end = performance.now() + patienceMs;
    for (; ; await this.#more(end)) {
      this.#beDiscreet();
      if (isSo()) return;
    }
  }

  /** Waits for one frame more. `end`: the deadline by performance.now(), as tests set the other clock. */
  async #more(end: number): Promise<void> {
    const left = end - performance.now();
    const why = this.#end ?? (left > 0 ? undefined : "not heard in time");
    if (why) throw new Error(`${why}; heard: ${this.frames.map(({ type }) => type).join(", ") || "nothing"}`);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #beDiscreet(): void {
    if (this.#indiscretion) throw this.#indiscretion;
  }

  /** The next frame of this type. */
  next(type: string): Promise<HeardFrame> {
    return this.until((frame) => frame.type === type);
  }

  /** Waits until everything that was on its way has arrived: a PING and its PONG come after it. */
  async settle(): Promise<void> {
    this.say("PING");
    await this.next("PONG");
  }

  heard(type: string): HeardFrame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  /** The types of the frames in order, without presences: one's own arrival is told beside READY, at any moment. */
  get types(): string[] {
    return this.frames.map(({ type }) => type).filter((type) => type !== "PRESENCE_UPDATE");
  }

  get ready(): Loose {
    const ready = this.frames.find((frame) => frame.type === "READY");
    if (!ready) throw new Error("there was no READY");
    return ready.data;
  }
}
