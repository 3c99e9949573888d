// Makes commits durable: syncs the write-ahead log outside of the event loop, once for all waiting commits.
import { closeSync, fdatasync, openSync } from "node:fs";
import { InDoubt } from "./database.ts";

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

/** How long a commit waits for the disk, in milliseconds. */
const patienceMs = 5000;

interface Troubles {
  /** A sync has not returned in time. It is still running. */
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

  /** SQLite's locks are on the database and its index, so this file may be opened and closed beside it. */
  constructor(file: string, troubles: Troubles) {
    this.#fd = openSync(file, "r+");
    this.#troubles = troubles;
  }

  /** True if a running sync has taken too long. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** True if a sync failed: the system may have lost a part of the log, though it can still be read. See `mended`. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /**
   * Resolves when all earlier commits are durable. Rejects with InDoubt when the disk fails, or does not answer within
   * 5 s.
   */
  synced(): Promise<void> {
    if (this.#isBroken || this.#isStalled) return Promise.reject(inDoubt());
    return new Promise((resolve, reject) => {
      this.#next.push({ resolve, reject });
      // A running sync may have begun before the commit: the next one covers all commits that come meanwhile.
      if (!this.#isRunning) this.#run();
    });
  }

  /** Ends `isBroken`: the log was copied into the database file and restarted, so the failed sync no longer matters. */
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
