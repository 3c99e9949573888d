// Copies the write-ahead log into the database file and restarts it, in a thread, so that requests wait for no sync.
import { setTimeout as sleep } from "node:timers/promises";
import { threadFile } from "../own-files.ts";
import type { Queue } from "../queue.ts";
import { StorageFault } from "./write-gate.ts";

/** One step of the thread: check the log, copy while others write, copy the rest, or close. */
export interface Step {
  kind: "check" | "copy" | "restart" | "close";
  file: string;
  mostLogBytes: number;
}

export interface Answer {
  /** True if the log is readable, all of it was copied, or it has been restarted, depending on the step. */
  done: boolean;
  failed?: { message: string; code: string };
}

/** The size to which a longer log file is truncated when the log restarts, in bytes. */
export const mostLogBytes = 64 * 1024 * 1024;
/** The longest that writers wait for the last part of a checkpoint, in milliseconds. */
const patienceMs = 5000;
/** The longest that `close` waits for a running step, in milliseconds. */
const closeMs = 1000;

export class Checkpoints {
  readonly #file: string;
  readonly #writersTurn: Queue;
  #thread: Worker | undefined;
  #asked: { resolve(done: boolean): void; reject(error: Error): void } | undefined;
  #lastStep: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #isUnderWay = false;
  #isStalled = false;
  #isOwed = false;

  constructor(file: string, writersTurn: Queue) {
    this.#file = file;
    this.#writersTurn = writersTurn;
  }

  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** True if the thread has not answered in time. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** True if the last checkpoint failed. */
  get isOwed(): boolean {
    return this.#isOwed;
  }

  /**
   * Copies most of the log while others write; writers wait for the rest. Rejects with the error of SQLite or the disk.
   */
  async run(): Promise<void> {
    this.#isUnderWay = true;
    this.#isOwed = true;
    try {
      // A long reader, such as a backup, keeps the log from being copied: what gathers until it ends must not be copied
      // while writers wait.
      if (await this.#ask("copy")) await this.#writersTurn.run(() => this.#inTime(this.#ask("restart")));
      this.#isOwed = false;
    } finally {
      this.#isUnderWay = false;
    }
  }

  /**
   * Recovers from a failed sync of the log, while writes are refused: the system may have dropped pages that it could
   * not write, so the whole log is checked, however long that takes, before it is copied into the database file.
   * Rejects while that is not possible.
   */
  async salvage(): Promise<void> {
    if (!(await this.#ask("check")))
      throw new StorageFault("a part of the database's log is lost: stop Hearth and start it again");
    if (!(await this.#inTime(this.#ask("restart")))) throw new Error("somebody still reads from the log");
  }

  /** No step may be requested afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (!this.#thread) return;
    // A thread that is terminated during a step keeps its connection and its locks as long as the process lives.
    await Promise.race([this.#lastStep, sleep(closeMs)]);
    if (!this.#asked) await this.#inTime(this.#ask("close")).catch(() => {});
    this.#thread.terminate();
    this.#thread = undefined;
  }

  #ask(kind: Step["kind"]): Promise<boolean> {
    if (this.#isClosed && kind !== "close") return Promise.reject(new Error("the database is closed"));
    this.#thread ??= this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#asked = { resolve, reject };
    this.#lastStep = promise.catch(() => {});
    this.#thread.postMessage({ kind, file: this.#file, mostLogBytes } satisfies Step);
    return promise;
  }

  #start(): Worker {
    // The runtime's own Worker: node:worker_threads would be loaded at every start.
    const thread = new Worker(threadFile("server/database/checkpoint-worker.ts"));
    thread.unref();
    thread.addEventListener("message", ({ data: { done, failed } }: MessageEvent<Answer>) => {
      this.#isStalled = false;
      if (failed) this.#asked?.reject(Object.assign(new Error(failed.message), { code: failed.code }));
      else this.#asked?.resolve(done);
      this.#asked = undefined;
    });
    thread.addEventListener("error", ({ message }) => {
      this.#isStalled = false;
      this.#thread = undefined;
      this.#asked?.reject(new Error(message));
      this.#asked = undefined;
    });
    return thread;
  }

  async #inTime<T>(step: Promise<T>): Promise<T> {
    const { promise: tooLong, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#isStalled = true;
      reject(new StorageFault("the disk of the database does not answer"));
    }, patienceMs);
    try {
      return await Promise.race([step, tooLong]);
    } finally {
      clearTimeout(timer);
      step.catch(() => {});
    }
  }
}
