// Makes commits durable: one sync of the write-ahead log after the other, outside of the event loop, for all who wait.
import { closeSync, fdatasync, openSync } from "node:fs";
import { InDoubt } from "./database.ts";

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

/** Whoever waits longer is told that the disk does not answer. */
const patienceMs = 5000;

interface Troubles {
  /** A sync has not come back in time. It is still under way; `recovered` follows when it ends well. */
  stalled(): void;
  failed(error: Error): void;
}

export class WalSync {
  readonly #fd: number;
  readonly #troubles: Troubles;
  #covered: Waiting[] = [];
  #next: Waiting[] = [];
  #isRunning = false;
  #isStalled = false;
  #isBroken = false;

  /** SQLite's locks are on the database and its index, so that this file may be opened and closed beside it. */
  constructor(file: string, troubles: Troubles) {
    this.#fd = openSync(file, "r+");
    this.#troubles = troubles;
  }

  /** A sync is under way that should have come back long ago. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** A sync failed: what the system held of the log may be lost, though it can still be read. See `mended`. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /**
   * Resolves when everything is durable that was committed before the call. Rejects with InDoubt when the disk does
   * not say so within 5 s, or fails.
   */
  synced(): Promise<void> {
    if (this.#isBroken || this.#isStalled) return Promise.reject(inDoubt());
    return new Promise((resolve, reject) => {
      this.#next.push({ resolve, reject });
      // A sync under way may have begun before the commit: the one after it covers all who come meanwhile.
      if (!this.#isRunning) this.#run();
    });
  }

  /** The whole log has been brought into the database file and begun anew: what failed to be synced is of no account. */
  mended(): void {
    this.#isBroken = false;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #run(): void {
    this.#isRunning = true;
    this.#covered = this.#next;
    this.#next = [];
    const timer = setTimeout(() => this.#stall(), patienceMs);
    fdatasync(this.#fd, (error) => {
      clearTimeout(timer);
      this.#isRunning = false;
      this.#isStalled = false;
      if (error) return this.#break(error);
      for (const each of this.#covered.splice(0)) each.resolve();
      if (this.#next.length > 0) this.#run();
    });
  }

  #stall(): void {
    this.#isStalled = true;
    this.#doubt();
    this.#troubles.stalled();
  }

  #break(error: Error): void {
    this.#isBroken = true;
    this.#doubt(error);
    this.#troubles.failed(error);
  }

  #doubt(cause?: Error): void {
    const all = [...this.#covered.splice(0), ...this.#next.splice(0)];
    for (const each of all) each.reject(inDoubt(cause));
  }
}

function inDoubt(cause?: Error): InDoubt {
  return new InDoubt("the disk did not take a commit", { cause });
}
