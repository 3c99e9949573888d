// With several processes: whether this one knows all subscriptions and settings that cause messages to be queued.
import { setTimeout as sleep } from "node:timers/promises";
import { Heard } from "../../server/bus/heard.ts";
import type { Db } from "../../server/database/database.ts";
import { logFailure } from "../../server/house/failure.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { OnceMore } from "../../server/once-more.ts";
import { raiseVersion, selectVersion } from "./store.ts";
import { recallSubscriber, recallSubscribers } from "./subscribers.ts";

/** A change, by version: a person subscribed, or chose to get every message of a server or channel. */
export interface News {
  version: number;
  userId: string;
}

/** How long a notice may be missing, in milliseconds, before everything is read again. */
const patienceMs = 3000;
/** Pending changes that are read one by one; with more, everything is read again. */
const mostUnlearnt = 1000;
/** Delay before a retry after the database failed, in milliseconds. */
const againMs = 1000;

const certainty = perHouse("cache", (house) => new Certainty(house));

class Certainty {
  readonly #house: House;
  readonly #heard = new Heard();
  readonly #recalls = new OnceMore();
  /** The person concerned, by version of the change. */
  readonly #unlearnt = new Map<number, string>();
  /** Since when a change has been missing, by performance.now(). */
  #behindSince: number | undefined;
  #isClosed = false;

  constructor(house: House) {
    this.#house = house;
  }

  async recall(): Promise<void> {
    const { isShared, database } = this.#house;
    const version = isShared ? await selectVersion(database.read) : 0;
    await recallSubscribers(this.#house);
    this.#heard.reach(version);
  }

  /** Reads everything again, until that succeeds. */
  recallAgain(): void {
    const recall = () => this.#untilDone(() => this.recall());
    void this.#recalls.run("all", recall);
  }

  learn({ version, userId }: News): void {
    if (version <= this.#heard.upTo) return;
    this.#unlearnt.set(version, userId);
    if (this.#unlearnt.size > mostUnlearnt) {
      this.#unlearnt.clear();
      this.recallAgain();
    } else void this.#recalls.run("news", () => this.#untilDone(() => this.#learnAll()));
  }

  /** Skips changes that a full read has covered meanwhile. */
  async #learnAll(): Promise<void> {
    for (const [version, userId] of this.#unlearnt) {
      if (version > this.#heard.upTo) await recallSubscriber(this.#house, this.#house.database.read, userId);
      this.#heard.note(version);
      this.#unlearnt.delete(version);
    }
  }

  /** True if everything committed before this moment of `db` is known. */
  async isComplete(db: Db): Promise<boolean> {
    if (!this.#house.isShared) return true;
    const isComplete = (await selectVersion(db)) <= this.#heard.upTo;
    const now = performance.now();
    if (isComplete) this.#behindSince = undefined;
    else if (this.#behindSince === undefined) this.#behindSince = now;
    else if (now - this.#behindSince > patienceMs) {
      this.#behindSince = now;
      this.recallAgain();
    }
    return isComplete;
  }

  close(): void {
    this.#isClosed = true;
  }

  async #untilDone(work: () => Promise<void>): Promise<void> {
    while (!this.#isClosed) {
      try {
        return await work();
      } catch (error) {
        if (!this.#isClosed) logFailure(this.#house, error, "who gets pushes could not be remembered");
      }
      await sleep(againMs, undefined, { ref: false });
    }
  }
}

/** Loads who gets pushes, before the server listens. */
export function recallAll(house: House): Promise<void> {
  return certainty(house).recall();
}

/** Call when commits of other processes may have been missed. */
export function recallAgain(house: House): void {
  certainty(house).recallAgain();
}

/** Notifies every process, from this unit's commit on, to read this person's push settings again. */
export async function tellNews(unit: UnitOfWork, userId: string): Promise<void> {
  if (!unit.house.isShared) return;
  const news: News = { version: await raiseVersion(unit.db), userId };
  unit.tellProcesses("push", news);
}

export function learnNews(house: House, news: News): void {
  certainty(house).learn(news);
}

export function isComplete(house: House, db: Db): Promise<boolean> {
  return certainty(house).isComplete(db);
}

export function stopLearning(house: House): void {
  certainty(house).close();
}
