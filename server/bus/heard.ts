// The numbers of a stream that this process has heard: others' commits may arrive out of order, twice, or not at all.

/** The most numbers above a gap that are remembered; further ones are not deduplicated. */
const mostAhead = 20_000;

export class Heard {
  /** Every number up to this one was heard; -1 until the starting point is known. */
  #upTo = -1;
  readonly #ahead = new Set<number>();
  /** Resolves when other processes' events are arriving. */
  coming: Promise<void> = Promise.resolve();
  isComing = false;
  /** True if the log was searched for events published before they were arriving. */
  isSettled = false;
  /** True if the notices of what was told before they were arriving have been read. */
  isCaughtUp = false;

  get upTo(): number {
    return this.#upTo;
  }

  get isStarted(): boolean {
    return this.#upTo >= 0;
  }

  /** Sets the number after which hearing begins; a second call changes nothing. */
  start(after: number): void {
    if (!this.isStarted) this.reach(after);
  }

  /** Records a number. Returns whether it is new. */
  note(seq: number): boolean {
    if (seq <= this.#upTo || this.#ahead.has(seq)) return false;
    if (this.#ahead.size < mostAhead) this.#ahead.add(seq);
    this.#closeUp();
    return true;
  }

  /** Marks everything up to this number as heard: it was read from the log. */
  reach(seq: number): void {
    if (seq <= this.#upTo) return;
    this.#upTo = seq;
    for (const each of this.#ahead) if (each <= seq) this.#ahead.delete(each);
    this.#closeUp();
  }

  #closeUp(): void {
    if (this.isStarted) while (this.#ahead.delete(this.#upTo + 1)) this.#upTo++;
  }
}
