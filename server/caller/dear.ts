// Dear calls: what they draw from the caller's rate, and how many of one account are carried out at a time.

import { setTimeout as sleep } from "node:timers/promises";
import { dearAtOnce, mostCost } from "../../protocol/cost.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { Operation } from "../../protocol/operation.ts";
import type { Caller } from "../house/feature.ts";
import { dearWriteTurn, pieceTurn } from "../house/pieces.ts";
import { Queue, Queues } from "../queue.ts";
import type { Draws } from "./draws.ts";

/** How long a call waits for its account's earlier ones, and for its place, in milliseconds. */
const patienceMs = 5000;
/**
 * The same for a call whose file is there, which would have to be sent again. Shorter than the minute after which a proxy
 * in between gives up the answer.
 */
const filePatienceMs = 45_000;
/** A post waits for the writes that began before it, so of dear ones few run at a time, whoever makes them. */
const dearWritesAtOnce = 4;
/**
 * So long a write keeps its place, in milliseconds. One that is still under way has done its work, and waits for a row
 * that another transaction holds: four of one server would keep all other servers from theirs.
 */
const placeMs = 4000;
/** As many as the rate lets an account begin at once. */
const mostWaiting = 50;

/** Returns how many calls one with this query and body counts as. */
export function costOf({ cost }: Pick<Operation, "cost">, query?: unknown, body?: unknown): number {
  if (!cost) return 1;
  const wanted = cost.of?.({ ...(query ?? {}), ...(body ?? {}) }) ?? cost.worst;
  return Math.min(Math.max(wanted, 1), cost.worst, mostCost);
}

interface Counted {
  draws: Draws;
  cost: number;
  /** A call that brings a file takes no place while its file arrives: its handler asks for one by `carryOut`. */
  bringsFile: boolean;
  writes: boolean;
  /** Aborts when the caller hangs up. */
  hungUp: AbortSignal;
}

export class DearCalls {
  /** By account: a person with all their sessions and bots. */
  readonly #places = new Queues({ atOnce: dearAtOnce, mostWaiting });
  /** At most two of each account wait in it. */
  readonly #writes = new Queue({ atOnce: dearWritesAtOnce });

  /**
   * Draws the call's cost, and does its work when fewer than two of the account's are under way. Throws rate_limited
   * (429) when the bucket has too little, or the others take too long. A caller who hangs up no longer waits.
   */
  async run<T>(caller: Caller, counted: Counted, work: () => Promise<T>): Promise<T> {
    await counted.draws.takeAll(caller.userId, counted.cost);
    return counted.bringsFile ? work() : this.#inPlace(caller, counted, patienceMs, work);
  }

  /** Does the part of a call that follows once its file is there: its cost is drawn already. */
  withFile<T>(caller: Caller, hungUp: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#inPlace(caller, { writes: false, hungUp }, filePatienceMs, work);
  }

  async #inPlace<T>(
    { userId, ownerId }: Caller,
    { writes, hungUp }: Pick<Counted, "writes" | "hungUp">,
    patience: number,
    work: () => Promise<T>,
  ): Promise<T> {
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      return work();
    };
    const givenUp = AbortSignal.any([hungUp, AbortSignal.timeout(patience)]);
    try {
      return await this.#places.run(
        ownerId ?? userId,
        async () => {
          if (writes) return this.#write(begin, givenUp);
          await pieceTurn();
          return begin();
        },
        givenUp,
      );
    } catch (error) {
      throw hasBegun ? error : tooManyAtOnce();
    }
  }

  /** Does the work in its turn, and gives its place back at its end, or after `placeMs`. */
  async #write<T>(begin: () => Promise<T>, givenUp: AbortSignal): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    const inPlace = async () => {
      await dearWriteTurn();
      const done = begin();
      resolve(done);
      // Work that fails does so for its caller, who waits for `promise`.
      await Promise.race([done.catch(() => {}), sleep(placeMs, undefined, { ref: false })]);
    };
    await this.#writes.run(inPlace, givenUp);
    return promise;
  }
}

function tooManyAtOnce(): Refusal {
  const sentence = `Only ${dearAtOnce} calls as dear as this one are carried out at a time. Wait for their answers.`;
  return new Refusal("rate_limited", sentence, { retryAfter: 1 });
}
