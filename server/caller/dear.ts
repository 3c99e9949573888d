// Expensive ("dear") calls: their cost in the caller's rate limit, and how many of one account run at a time.

import { setTimeout as sleep } from "node:timers/promises";
import { dearAtOnce, mostCost } from "../../protocol/cost.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { Operation } from "../../protocol/operation.ts";
import type { Caller } from "../house/feature.ts";
import { dearWriteTurn, pieceTurn } from "../house/pieces.ts";
import { Queue, Queues } from "../queue.ts";
import type { Draws } from "./draws.ts";

/** How long a call waits for its account's earlier calls, and for a slot, in milliseconds. */
const patienceMs = 5000;
/**
 * The same for a call whose file has been uploaded, and would have to be sent again. Shorter than the minute after
 * which a proxy in between times out.
 */
const filePatienceMs = 45_000;
/** A post waits for the writes that began before it, so few expensive ones run at a time, of all accounts together. */
const dearWritesAtOnce = 4;
/**
 * How long a write keeps its slot, in milliseconds. A write that runs longer has done its work, and waits for a row
 * that another transaction holds: four on one server would block those of all other servers.
 */
const placeMs = 4000;
/** As many calls as the rate limit lets an account begin at once. */
const mostWaiting = 50;

/** Returns how many calls a call with this query and body counts as. */
export function costOf({ cost }: Pick<Operation, "cost">, query?: unknown, body?: unknown): number {
  if (!cost) return 1;
  const wanted = cost.of?.({ ...(query ?? {}), ...(body ?? {}) }) ?? cost.worst;
  return Math.min(Math.max(wanted, 1), cost.worst, mostCost);
}

/** Bytes of a JSON answer, or characters of its text, that take about 2 ms to read, write and encode. */
export const lengthForOne = 128 * 1024;

/** Returns how many more calls an answer of this length counts as: one for each 128 KiB beyond those drawn already. */
export function costOfLength(length: number, drawn: number): number {
  return Math.max(0, Math.min(Math.floor(length / lengthForOne) + 1, mostCost) - drawn);
}

interface Counted {
  draws: Draws;
  cost: number;
  /** A call with an upload takes no slot while its file arrives: its handler requests one by `carryOut`. */
  bringsFile: boolean;
  writes: boolean;
  /** Aborts when the caller hangs up. */
  hungUp: AbortSignal;
}

export class DearCalls {
  /** By account: a person with all their sessions and bots. */
  readonly #places = new Queues({ atOnce: dearAtOnce, mostWaiting });
  /** At most two calls of each account wait in it. */
  readonly #writes = new Queue({ atOnce: dearWritesAtOnce });

  /**
   * Draws the call's cost, and runs its work once fewer than two of the account's calls run. Throws rate_limited (429)
   * when the bucket has too little, or the others take too long. A caller that hangs up no longer waits.
   */
  async run<T>(caller: Caller, counted: Counted, work: () => Promise<T>): Promise<T> {
    await counted.draws.takeAll(caller.userId, counted.cost);
    return counted.bringsFile ? work() : this.#inPlace(caller, counted, patienceMs, work);
  }

  /** Runs the part of a call that follows its upload: its cost has already been drawn. */
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

  /** Runs the work in its turn, and frees its slot when it ends, or after `placeMs`. */
  async #write<T>(begin: () => Promise<T>, givenUp: AbortSignal): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    const inPlace = async () => {
      await dearWriteTurn();
      const done = begin();
      resolve(done);
      // The work's failure goes to its caller, who waits for `promise`.
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
