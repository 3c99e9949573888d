// Which numbers of a stream this process has heard: what others commit may come out of order, twice, or not at all.

/** Numbers above a gap that are remembered; beyond them nothing is told apart any more. */
const mostAhead = 20_000;

export class Heard {
  /** Everything up to this number was heard; -1 until it is known where hearing begins. */
  #upTo = -1;
  readonly #ahead = new Set<number>();
  /** Whether other processes' events come in. */
  isComing = false;
  /** Whether it was looked for what had been published before they came in. */
  isSettled = false;

  get upTo(): number {
    return this.#upTo;
  }

  get isStarted(): boolean {
    return this.#upTo >= 0;
  }

  /** Hearing begins after this number; a second call changes nothing. */
  start(after: number): void {
    if (!this.isStarted) this.reach(after);
  }

  /** Takes note of a number. Returns whether it is news. */
  note(seq: number): boolean {
    if (seq <= this.#upTo || this.#ahead.has(seq)) return false;
    if (this.#ahead.size < mostAhead) this.#ahead.add(seq);
    this.#closeUp();
    return true;
  }

  /** Everything up to this number counts as heard: it was read in the log. */
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
