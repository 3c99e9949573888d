// How many requests are begun in one turn of the event loop; the others wait for the next, in the order in which they came.

/** With what the cheap ones cost, refusals above all, some milliseconds. */
const begunPerTurn = 100;

/**
 * One connection may send thousands of requests at once without waiting for an answer (pipelining), and the runtime would
 * begin all of them before anybody else has their turn. It closes a connection that sends more while an answer is awaited,
 * so of such a crowd only those are answered that begin in the turn in which they come.
 */
export class TurnShare {
  #begun = 0;
  #waiting: (() => void)[] = [];

  /** Undefined: this one may begin at once. */
  wait(): Promise<void> | undefined {
    if (this.#begun === 0) setImmediate(this.#endTurn);
    if (this.#begun < begunPerTurn) {
      this.#begun++;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  readonly #endTurn = () => {
    const next = this.#waiting.splice(0, begunPerTurn);
    this.#begun = next.length;
    if (next.length > 0) setImmediate(this.#endTurn);
    for (const begin of next) begin();
  };
}
