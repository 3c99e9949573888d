// Limits how many of a kind begin in one turn of the event loop; the rest wait for later turns, addresses in turn.

export class TurnShare {
  readonly #perTurn: number;
  #begun = 0;
  /** By address, next turn first: the work that waits from there, in order. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
  }

  /**
   * Returns undefined when it may begin at once. Otherwise the promise resolves in its turn: an address with few
   * requests does not wait behind all those of others. A start that `isGone` by then takes up no share.
   */
  wait(addressOf: () => string, isGone: () => boolean): Promise<void> | undefined {
    if (this.#begun === 0) setImmediate(this.#endTurn);
    if (this.#begun < this.#perTurn) {
      this.#begun++;
      return undefined;
    }
    const address = addressOf();
    return new Promise((begin) => {
      const same = this.#waiting.get(address);
      if (same) same.push({ begin, isGone });
      else this.#waiting.set(address, [{ begin, isGone }]);
    });
  }

  readonly #endTurn = () => {
    this.#begun = 0;
    // An address that has more is put back behind all others, where this loop reaches it again.
    for (const [address, same] of this.#waiting) {
      if (this.#begun === this.#perTurn) break;
      this.#waiting.delete(address);
      const next = same.shift();
      if (same.length > 0) this.#waiting.set(address, same);
      if (!next?.isGone()) this.#begun++;
      next?.begin();
    }
    if (this.#begun > 0) setImmediate(this.#endTurn);
  };
}

interface Waiting {
  begin(): void;
  isGone(): boolean;
}
