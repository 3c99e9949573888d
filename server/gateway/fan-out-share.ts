// How much is told to many before everybody else has their turn; servers that have more to tell take turns.

/** Characters, counted once for each who gets them: the system takes some milliseconds for them. */
const charactersAtOnce = 4 * 1024 * 1024;

/**
 * What many wrote together is told together, after their commit; and of readers who have stopped the system's own buffers
 * take megabytes each, as fast as memory is copied.
 */
export class FanOutShare {
  #room = charactersAtOnce;
  #waiting: { characters: number; begin: () => void }[] = [];

  /** Whether so much may be told now; what goes beyond the share is the last of it. */
  takes(characters: number): boolean {
    if (this.#room <= 0) return false;
    this.#room -= characters;
    if (this.#room <= 0) setImmediate(this.#begin);
    return true;
  }

  /** Until it may be told: in the order in which they ask. */
  async turn(characters: number): Promise<void> {
    if (this.takes(characters)) return;
    await new Promise<void>((begin) => {
      this.#waiting.push({ characters, begin });
    });
  }

  readonly #begin = () => {
    this.#room = charactersAtOnce;
    for (let next = this.#waiting[0]; next && this.takes(next.characters); next = this.#waiting[0]) {
      this.#waiting.shift();
      next.begin();
    }
  };
}
