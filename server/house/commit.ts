// The commit that hot operations share: one transaction for the rows of many calls.
import type { LoggedEvent } from "../bus/bus.ts";
import { type Db, InDoubt } from "../database/database.ts";
import { type Home, rowsOf } from "../place.ts";
import { idsRiseFrom } from "../tokens.ts";
import { riseAbove, runAlone } from "./commit-alone.ts";
import { CommitApart } from "./commit-apart.ts";
import {
  eventsOf,
  insertTogether,
  isOvertaken,
  isStale,
  parted,
  told,
  versionsSeen,
  type Waiting,
  type Work,
} from "./commit-group.ts";
import { CommitQueue } from "./commit-queue.ts";
import { publishDoubt } from "./doubt.ts";
import { numberEvents, Stale } from "./event-log.ts";
import type { Caller } from "./feature.ts";
import type { House } from "./house.ts";
import { OwnTransactionNeeded } from "./own-transaction.ts";
import { nextTurn } from "./pieces.ts";
import { lockStreams, Overtaken } from "./streams.ts";
import { UnitOfWork } from "./unit.ts";

/** The longest that a commit waits for more operations, in milliseconds. */
const usualGatherMs = 4;
/** A commit that failed after this long because the database is away is not retried, in milliseconds. */
const longMs = 5000;

/** How long streams are locked first after a commit was overtaken by another process, in milliseconds. */
const rivalMs = 10_000;

/** Operations that were run again, inside the transaction, and are not part of the commit. */
interface Left {
  /** Each with its error. */
  readonly failed: Map<Waiting, unknown>;
  /** Operations that need a transaction of their own by now. */
  readonly own: Waiting[];
}

/** Gathers hot operations: their work runs at once against cached facts, their rows wait for the next shared commit. */
export class SharedCommit {
  readonly #house: House;
  readonly #gatherMs: number;
  readonly #waiting = new CommitQueue();
  #running = false;
  /** Until then another process is assumed to post to the same streams. */
  #rivalUntil = Number.NEGATIVE_INFINITY;
  /** Commits the operations of streams that another transaction holds. */
  readonly #apart: CommitApart;

  constructor(house: House, gatherMs = usualGatherMs) {
    this.#house = house;
    this.#gatherMs = gatherMs;
    this.#apart = new CommitApart(house, (group) => this.#commit(group));
  }

  /** Runs the work at once; resolves with its result when its changes are committed. Throws the work's errors. */
  async run<T>(work: Work<T>, caller?: Caller): Promise<T> {
    const house = this.#house;
    const unit = new UnitOfWork(house, house.database.read, "cached", caller);
    const result = await work(unit);
    await house.runHandlers(unit);
    if (!unit.changes) {
      house.bus.publish(unit.items);
      return result;
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.add({ unit, work, result, resolve, reject, since: performance.now() });
    if (!this.#running) {
      this.#running = true;
      void this.#drain();
    }
    return (await promise) as T;
  }

  /** Runs the operation again, alone, so that only the failing one is refused. Resolves with its error, if any. */
  async #again(each: Waiting): Promise<unknown> {
    try {
      each.resolve(await runAlone(this.#house, each.work, each.unit.caller, "once"));
      return undefined;
    } catch (error) {
      if (this.#house.database.isHeld(error)) {
        await this.#apart.part([each]);
        return undefined;
      }
      each.reject(error);
      return error;
    }
  }

  /**
   * Locks the streams of the group before its rows, so that no other process overtakes it, and reruns operations that
   * were overtaken before. Without this, where several processes post to the same servers, most commits would fail, one
   * stream after the other.
   */
  async #aboveOthers(db: Db, group: readonly Waiting[], left: Left): Promise<Waiting[]> {
    const lastIds = await lockStreams(db, [
      ...new Set(eventsOf(group).flatMap(({ place }) => rowsOf(place))),
    ]);
    const [late, others] = parted(group, ({ unit }) => isOvertaken(unit, lastIds));
    if (late.length === 0) return others;
    this.#wasOvertaken();
    for (const id of lastIds.values()) idsRiseFrom(id);
    return [...others, ...(await this.#madeAnew(late, left))];
  }

  #wasOvertaken(): void {
    this.#rivalUntil = performance.now() + rivalMs;
  }

  /** Runs operations again, inside the transaction. Returns those that succeeded; adds the others to `left`. */
  async #madeAnew(group: readonly Waiting[], left: Left): Promise<Waiting[]> {
    const house = this.#house;
    const again = group.map(async (each) => {
      const unit = new UnitOfWork(house, house.database.read, "cached", each.unit.caller);
      unit.isWaitedFor = true;
      try {
        const result = await each.work(unit);
        await house.runHandlers(unit);
        return [{ ...each, unit, result }];
      } catch (error) {
        if (error instanceof OwnTransactionNeeded) left.own.push(each);
        else left.failed.set(each, error);
        return [];
      }
    });
    return (await Promise.all(again)).flat();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const group = this.#apart.take(this.#waiting.take());
      if (group.length > 0) await this.#commit(group);
    }
    this.#running = false;
  }

  /**
   * Waits as long as more operations arrive: a commit costs much the same for one as for many. Without this wait,
   * clients that were just answered and call again find the next commit already running, and the callers split into two
   * halves that take turns, each with its own commits.
   */
  async #gather(): Promise<void> {
    const latest = performance.now() + this.#gatherMs;
    for (let were = 0; this.#waiting.length > were && performance.now() < latest; ) {
      were = this.#waiting.length;
      // In the first turn the answers go out, in the second the clients' next calls come in. When a turn is long
      // because of other work, one turn has to do.
      await nextTurn();
      if (performance.now() < latest) await nextTurn();
    }
  }

  /** `above`: a stream whose ids were overtaken, so that the work has to run again. */
  async #commit(group: readonly Waiting[], above?: Home): Promise<void> {
    const house = this.#house;
    let ran = group;
    // Rejected when the transaction has ended: the database may retry it, and then they may not fail.
    let left: Left = { failed: new Map(), own: [] };
    let refused: Waiting[] = [];
    let committed: readonly Waiting[] = [];
    let logged: LoggedEvent[] = [];
    const begun = performance.now();
    try {
      await house.database.transaction(async (db) => {
        ran = group;
        left = { failed: new Map(), own: [] };
        if (above) {
          await riseAbove(house, db, above);
          ran = await this.#madeAnew(group, left);
        } else if (performance.now() < this.#rivalUntil) ran = await this.#aboveOthers(db, group, left);
        await house.runCommitting(
          db,
          ran.map((each) => each.unit),
        );
        refused = await insertTogether(house, db, ran);
        committed = refused.length === 0 ? ran : ran.filter((each) => !refused.includes(each));
        logged = await numberEvents(house.database, db, eventsOf(committed), versionsSeen(committed));
        const units = committed.map((each) => each.unit);
        if (house.isShared) await house.others.leaveNotices(db, units, logged);
      }, "once");
    } catch (error) {
      const units = committed.map((each) => each.unit);
      if (error instanceof InDoubt) publishDoubt(house, units, logged);
      await this.#goBack(ran, error, performance.now() - begun, above);
      return this.#oneByOne(left.own);
    } finally {
      for (const [{ reject }, error] of left.failed) reject(error);
    }
    house.metrics.commits++;
    house.metrics.rowsPerCommit.add(committed.length);
    house.bus.publish(told(logged, committed));
    for (const { resolve, result } of committed) resolve(result);
    await this.#oneByOne([...refused, ...left.own]);
  }

  /** Fails the operations of a failed commit, or runs them again. `tookMs`: how long the commit took. */
  async #goBack(
    group: readonly Waiting[],
    error: unknown,
    tookMs: number,
    above: Home | undefined,
  ): Promise<void> {
    const { database, log } = this.#house;
    // A commit in doubt may have happened, so running it again could post a message twice; a client that repeats its
    // call with the same nonce is safe. When the database was away for `longMs`, another attempt would make every
    // waiting operation wait as long once more.
    if (database.isHeld(error)) {
      // Two processes may each hold a key that the other wants: with their streams locked first they take turns.
      this.#wasOvertaken();
      const others = await this.#apart.part(group);
      if (others.length > 0) await this.#commit(others);
    } else if (error instanceof InDoubt || (tookMs > longMs && database.isAway(error))) {
      for (const each of group) each.reject(error);
    } else if (error instanceof Overtaken && error.stream !== above) {
      if (database.locksRows) this.#wasOvertaken();
      const lastIds = new Map([[error.stream, error.lastId]]);
      const [late, others] = parted(group, ({ unit }) => isOvertaken(unit, lastIds));
      if (others.length > 0) await this.#commit(others);
      await this.#commit(late, error.stream);
    } else if (error instanceof Stale) {
      const [stale, others] = parted(group, ({ unit }) => isStale(unit, error));
      if (others.length > 0) await this.#commit(others);
      await this.#oneByOne(stale);
    } else {
      log.debug({ err: error, group: group.length }, "a shared commit failed; its parts run one by one");
      await this.#oneByOne(group);
    }
  }

  /**
   * Runs the operations again, each alone. Once one finds the database away, the rest fail with it: each would find
   * that out only by waiting, and keep the next from trying.
   */
  async #oneByOne(parts: readonly Waiting[]): Promise<void> {
    let away: unknown;
    for (const each of parts) {
      if (away !== undefined) each.reject(away);
      else if (this.#apart.take([each]).length > 0) {
        const error = await this.#again(each);
        if (this.#house.database.isAway(error)) away = error;
      }
    }
  }
}
