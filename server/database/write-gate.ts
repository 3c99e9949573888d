// Lets writes through or refuses them all: shut by a failure of the disk, opened again by a trial that succeeds.
import { setTimeout as sleep } from "node:timers/promises";

const betweenTrialsMs = 1000;
/** Who asks how it is waits for a trial under way, but not for a disk that does not answer. */
const askMs = 2000;

/** Why nothing is written at the moment. */
export interface Trouble {
  /** For the operator, beginning small: what is wrong, and what to do when it does not pass by itself. */
  sentence: string;
  cause: unknown;
}

/** Nothing is written at the moment, and this was not. */
export class StorageFault extends Error {
  override name = "StorageFault";
}

export class WriteGate {
  readonly #tryToWrite: () => Promise<void>;
  #hear: (trouble: Trouble | undefined) => void = () => {};
  #trouble: Trouble | undefined;
  #trial: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  /** `tryToWrite` resolves when something small has been written for good. */
  constructor(tryToWrite: () => Promise<void>) {
    this.#tryToWrite = tryToWrite;
  }

  /** Throws StorageFault while it is shut: what would fail is not begun, and holds up nobody. */
  check(): void {
    if (this.#trouble) throw new StorageFault(this.#trouble.sentence, { cause: this.#trouble.cause });
  }

  /** Told once when it is shut, and when it is open again. */
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

  /** As `check`, of this moment: while it is shut, the trial that is due is waited for. */
  async checkNow(): Promise<void> {
    if (this.#trial) await Promise.race([this.#trial, sleep(askMs)]);
    this.check();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #tryLater(): void {
    clearTimeout(this.#timer);
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#try(), betweenTrialsMs);
  }

  async #try(): Promise<void> {
    const before = this.#trouble;
    this.#trial = this.#tryToWrite().then(
      () => {
        // What has come up meanwhile is not disproved.
        if (this.#trouble === before) this.#trouble = undefined;
      },
      // Why it fails may have changed: full first, then gone.
      (error) => {
        if (error instanceof StorageFault) this.#trouble = { sentence: error.message, cause: error.cause };
      },
    );
    await this.#trial;
    this.#trial = undefined;
    if (this.#trouble) this.#tryLater();
    else this.#hear(undefined);
  }
}
