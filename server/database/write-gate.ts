// Lets writes through or refuses them all: shut by a disk failure, opened again by a successful trial write.

const usualTrialsMs = 1000;

/** Why writing is impossible at the moment. */
export interface Trouble {
  /** For the operator, beginning with a small letter: the problem, and what to do when it does not pass by itself. */
  sentence: string;
  cause: unknown;
}

/** A write was refused because writing is impossible at the moment. */
export class StorageFault extends Error {
  override name = "StorageFault";
}

export class WriteGate {
  readonly #tryToWrite: () => Promise<void>;
  readonly #betweenTrialsMs: number;
  #hear: (trouble: Trouble | undefined) => void = () => {};
  #trouble: Trouble | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  /** `tryToWrite` resolves when something small has become durable. */
  constructor(tryToWrite: () => Promise<void>, betweenTrialsMs = usualTrialsMs) {
    this.#tryToWrite = tryToWrite;
    this.#betweenTrialsMs = betweenTrialsMs;
  }

  /** Undefined while the gate is open. */
  get trouble(): Trouble | undefined {
    return this.#trouble;
  }

  /** Throws StorageFault while the gate is shut, so that a write that would fail is not even begun. */
  check(): void {
    if (this.#trouble) throw new StorageFault(this.#trouble.sentence, { cause: this.#trouble.cause });
  }

  /** Calls `hear` once when the gate is shut, and once when it is open again. */
  onChange(hear: (trouble: Trouble | undefined) => void): void {
    this.#hear = hear;
    if (this.#trouble) hear(this.#trouble);
  }

  shut(sentence: string, cause?: unknown): void {
    if (this.#isStopped || this.#trouble?.sentence === sentence) return;
    const isNew = !this.#trouble;
    this.#trouble = { sentence, cause };
    if (!isNew) return;
    this.#hear(this.#trouble);
    this.#tryLater();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #tryLater(): void {
    clearTimeout(this.#timer);
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#try(), this.#betweenTrialsMs);
  }

  async #try(): Promise<void> {
    const before = this.#trouble;
    await this.#tryToWrite().then(
      () => {
        // A trouble that came up during the trial stays.
        if (this.#trouble === before) this.#trouble = undefined;
      },
      // The reason may have changed: first the disk was full, then gone.
      (error) => {
        if (error instanceof StorageFault) this.#trouble = { sentence: error.message, cause: error.cause };
      },
    );
    if (this.#trouble) this.#tryLater();
    else this.#hear(undefined);
  }
}
