// The order in which code blocks are highlighted: a slow block delays no other for long.

export interface Block {
  text: string;
  language: string;
}

/** Resolves to undefined if the block took longer than `ms` milliseconds. */
type Colour<Answer> = (block: Block, ms: number) => Promise<Answer | undefined>;

/** Enough for code as people write it. */
const firstMs = 50;
/**
 * A block that took longer gets a second attempt, as the machine may have been busy. It waits for all other blocks: a
 * message may hold code that takes all the time allowed, and a channel many of those.
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

  /** Resolves to undefined if both attempts took too long, or the caller no longer waits. */
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

  /** Picks the shortest new block: code that is slow on purpose is long. */
  #next(): { waiting: Waiting<Answer>; ms: number } | undefined {
    const lengths = this.#fresh.map(({ block }) => block.text.length);
    const [fresh] = this.#fresh.splice(lengths.indexOf(Math.min(...lengths)), 1);
    if (fresh) return { waiting: fresh, ms: firstMs };
    const tried = this.#tried.shift();
    return tried && { waiting: tried, ms: secondMs };
  }
}
