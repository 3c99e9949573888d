// Several processes: whether this one knows of every browser and setting for whose sake a message is to be queued.
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

/** A person subscribed, or wants to be told of every message of something: the change with this number. */
export interface News {
  version: number;
  userId: string;
}

/** How long news may be under way, in milliseconds; then all is read anew. */
const patienceMs = 3000;
/** Changes that may wait to be read one by one; with more of them all is read anew. */
const mostUnlearnt = 1000;
/** The pause after the database did not say what is new, in milliseconds. */
const againMs = 1000;

const certainty = perHouse("cache", (house) => new Certainty(house));

class Certainty {
  readonly #house: House;
  readonly #heard = new Heard();
  readonly #recalls = new OnceMore();
  /** By the number of the change: the person whose it is. */
  readonly #unlearnt = new Map<number, string>();
  /** Since when a change is missing, by performance.now(). */
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

  /** Remembers all anew, until it succeeds. */
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

  /** What a recall of all has learnt meanwhile is not asked for again. */
  async #learnAll(): Promise<void> {
    for (const [version, userId] of this.#unlearnt) {
      if (version > this.#heard.upTo) await recallSubscriber(this.#house, this.#house.database.read, userId);
      this.#heard.note(version);
      this.#unlearnt.delete(version);
    }
  }

  /** Whether all that was committed before this moment of `db` is known. */
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

/** Before the server listens: remembers who gets pushes. */
export function recallAll(house: House): Promise<void> {
  return certainty(house).recall();
}

/** What other processes have committed meanwhile is not known. */
export function recallAgain(house: House): void {
  certainty(house).recallAgain();
}

/** Lets every process know, from this unit's commit on, that it has to look what this person wants to be pushed. */
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
