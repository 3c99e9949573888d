// In which order blocks of code get their colours: one that takes too long keeps no other waiting for long.

export interface Block {
  text: string;
  language: string;
}

/** Undefined where it took longer than so many milliseconds. */
type Colour<Answer> = (block: Block, ms: number) => Promise<Answer | undefined>;

/** Code that people wrote takes less time. */
const firstMs = 50;
/**
 * A block that took longer gets a second chance, as the machine may have been busy with other things. It comes when no
 * other block waits: a message may hold code that takes as long as it is allowed to, and a channel many of these.
 */
const secondMs = 500;

interface Waiting<Answer> {
  block: Block;
  left: AbortSignal;
  end(answer: Answer | undefined): void;
}

export class ColourTurns<Answer> {
  readonly #colour: Colour<Answer>;
  readonly #fresh: Waiting<Answer>[] = [];
  readonly #tried: Waiting<Answer>[] = [];
  #isRunning = false;

  constructor(colour: Colour<Answer>) {
    this.#colour = colour;
  }

  /** Undefined where both tries took too long, or nobody waits for it any more. */
  coloursOf(block: Block, left: AbortSignal): Promise<Answer | undefined> {
    return new Promise((end) => {
      this.#fresh.push({ block, left, end });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#next(); next; next = this.#next()) {
      const { waiting, ms } = next;
      const { block, left, end } = waiting;
      const answer = left.aborted ? undefined : await this.#colour(block, ms).catch(() => undefined);
      if (answer === undefined && ms === firstMs && !left.aborted) this.#tried.push(waiting);
      else end(answer);
    }
    this.#isRunning = false;
  }

  /** The shortest of those that were not tried yet: code that takes long on purpose is long. */
  #next(): { waiting: Waiting<Answer>; ms: number } | undefined {
    const lengths = this.#fresh.map(({ block }) => block.text.length);
    const [fresh] = this.#fresh.splice(lengths.indexOf(Math.min(...lengths)), 1);
    if (fresh) return { waiting: fresh, ms: firstMs };
    const tried = this.#tried.shift();
    return tried && { waiting: tried, ms: secondMs };
  }
}
