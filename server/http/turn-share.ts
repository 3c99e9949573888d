// Limits how many requests begin in one turn of the event loop; the others wait for the next turn, in their order.

/** With cheap requests, refusals above all, so many take some milliseconds. */
const begunPerTurn = 100;

/**
 * A connection may send thousands of requests at once without waiting for answers (pipelining), and the runtime would
 * begin all of them before any other connection has its turn. It closes a connection that sends more while an answer is
 * awaited, so of such a pile only the requests that begin in the turn in which they arrive are answered.
 */
export class TurnShare {
  #begun = 0;
  #waiting: (() => void)[] = [];

  /** Undefined: the request may begin at once. */
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
