// Limits how much is sent to listeners in one turn of the event loop; streams with more to send take turns.

/** Characters of one share, counted once per socket: the system takes some milliseconds to send them. */
const charactersAtOnce = 4 * 1024 * 1024;

/**
 * A shared commit brings the events of many calls at once. And for sockets whose readers have stopped, the system's
 * buffers take megabytes each, as fast as memory is copied, so nothing else would bound a turn.
 */
export class FanOutShare {
  #room = charactersAtOnce;
  #waiting: { characters: number; begin: () => void }[] = [];

  /**
   * Takes this many characters from the share. Returns false when the share is used up; the event that exceeds it is
   * the last of its turn.
   */
  takes(characters: number): boolean {
    if (this.#room <= 0) return false;
    this.#room -= characters;
    if (this.#room <= 0) setImmediate(this.#begin);
    return true;
  }

  /** Resolves when this many characters may be sent, in the order of the calls. */
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
