// A unit's work on its own: reads without a transaction, and work in a transaction of its own.
import type { LoggedEvent } from "../bus/bus.ts";
import { type Db, InDoubt } from "../database/database.ts";
import type { Home } from "../place.ts";
import { idsRiseFrom } from "../tokens.ts";
import type { Work } from "./commit-group.ts";
import { publishDoubt } from "./doubt.ts";
import { numberEvents } from "./event-log.ts";
import type { Caller } from "./feature.ts";
import type { House } from "./house.ts";
import { insertAppends } from "./inserts.ts";
import { takeTurn } from "./rights-pace.ts";
import { highestIdOf, lockStream, Overtaken } from "./streams.ts";
import { UnitOfWork } from "./unit.ts";

/** Runs work that only reads, and publishes its live frames at its end. Throws when it emitted or appended anything. */
export async function runRead<T>(house: House, work: Work<T>, caller?: Caller): Promise<T> {
  const unit = new UnitOfWork(house, house.database.read, "cached", caller);
  const result = await work(unit);
  if (unit.changes) throw new Error("a read operation wanted to change something");
  if (unit.items.length > 0) house.bus.publish(unit.items);
  return result;
}

/**
 * Runs the work in a transaction of its own: its checks and changes are committed together, or not at all. Throws the
 * work's errors, and InDoubt when the connection broke during the commit.
 */
export async function runAlone<T>(
  house: House,
  work: Work<T>,
  caller: Caller | undefined,
  tries?: "once",
): Promise<T> {
  try {
    return await transact(house, work, { caller, tries });
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    return transact(house, work, { caller, tries, above: error.stream });
  }
}

interface Way {
  caller: Caller | undefined;
  /** With "once", a row that another transaction holds fails the work after a second. */
  tries: "once" | undefined;
  /** A stream whose ids were overtaken. */
  above?: Home;
}

async function transact<T>(house: House, work: Work<T>, { caller, tries, above }: Way): Promise<T> {
  let units: UnitOfWork[] = [];
  let logged: LoggedEvent[] = [];
  try {
    const result = await house.database.transaction(
      async (db) => {
        const unit = new UnitOfWork(house, db, "transaction", caller);
        units = [unit];
        if (above) await riseAbove(house, db, above);
        const result = await work(unit);
        await house.runHandlers(unit);
        await takeTurn(unit);
        await house.runCommitting(db, units);
        await insertAppends(house.database, db, unit.appends);
        logged = await numberEvents(house.database, db, unit.events, new Map());
        if (house.isShared) await house.others.leaveNotices(db, units, logged);
        return result;
      },
      tries,
      caller && (caller.ownerId ?? caller.userId),
    );
    house.metrics.commits++;
    house.bus.publish([...logged, ...units.flatMap((unit) => unit.items)]);
    for (const [facts, sentence] of units.flatMap((unit) => unit.lines)) house.log.info(facts, sentence);
    return result;
  } catch (error) {
    if (error instanceof InDoubt) publishDoubt(house, units, logged);
    throw error;
  }
}

/**
 * Makes new ids follow those of the stream, until the transaction `db` ends: no other process can come in between. Only
 * for work whose ids were overtaken, as it makes every writer of the stream wait for the work, too.
 */
export async function riseAbove({ database }: House, db: Db, stream: Home): Promise<void> {
  if (database.locksRows) await lockStream(db, stream);
  idsRiseFrom(await highestIdOf(db, stream));
}
