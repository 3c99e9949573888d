// What a test's listener has heard: every frame is looked through and kept, and tests wait for the one they are about.
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
  /** Those who wait for a frame more. */
  #waiting: (() => void)[] = [];
  #end: string | undefined;
  #indiscretion: Error | undefined;

  abstract say(type: string, data?: unknown): void;

  /** The text is what came; what it says is kept. */
  protected keep(text: string): void {
    // An error thrown where frames arrive would be lost, so it is kept for whoever waits next.
    try {
      lookThroughFrame(text);
    } catch (error) {
      this.#indiscretion ??= error as Error;
    }
    this.frames.push(JSON.parse(text));
    this.#wake();
  }

  /** Nothing more comes; those who wait for a frame are told why. */
  protected end(why: string): void {
    this.#end = why;
    this.#wake();
  }

  #wake(): void {
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  /** The next frame, from where the last wait ended, that fits. An error once none can come, or none came for long. */
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

  /** Waits until all that was heard is such, in whichever order it came; uses up no frame. */
  async untilAll(isSo: () => boolean): Promise<void> {
    const end = performance.now() + patienceMs;
    for (; ; await this.#more(end)) {
      this.#beDiscreet();
      if (isSo()) return;
    }
  }

  /** Waits for one frame more. `end`: until when, by performance.now(), as tests set the other clock. */
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

  /** Everything that was on its way has arrived: a PING went there and back after it. */
  async settle(): Promise<void> {
    this.say("PING");
    await this.next("PONG");
  }

  heard(type: string): HeardFrame[] {
    return this.frames.filter((frame) => frame.type === type);
  }

  /** In which order what came, but for presences: that one came oneself is told beside the greeting, at any moment. */
  get types(): string[] {
    return this.frames.map(({ type }) => type).filter((type) => type !== "PRESENCE_UPDATE");
  }

  get ready(): Loose {
    const ready = this.frames.find((frame) => frame.type === "READY");
    if (!ready) throw new Error("there was no READY");
    return ready.data;
  }
}
