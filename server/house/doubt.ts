// A commit whose outcome is unknown: its listeners start over, and its events are published once the log has them.
import { setTimeout as sleep } from "node:timers/promises";
import type { BusItem, LoggedEvent } from "../bus/bus.ts";
import type { Database, Db } from "../database/database.ts";
import type { House } from "./house.ts";
import { readLog } from "./log-table.ts";
import { perHouse } from "./per-house.ts";
import { lockStreamNow } from "./streams.ts";
import type { UnitOfWork } from "./unit.ts";

const againMs = 1000;
/**
 * The most doubts that are tracked. A database that is away for long leaves one every few seconds; events of the oldest
 * are then not sent before the next event of their stream.
 */
const mostDoubts = 100;

/**
 * Publishes that these units may or may not be committed: caches drop what the units may have changed, and the sockets
 * concerned start over.
 */
export function publishDoubt(
  house: House,
  units: readonly UnitOfWork[],
  logged: readonly LoggedEvent[],
): void {
  const items = units.flatMap((unit) => unit.items);
  const ended = items.flatMap((item) => (item.kind === "sessions-ended" ? item.userId : []));
  house.bus.publish([
    ...items.filter((item) => item.kind === "dropped"),
    {
      kind: "doubted",
      streams: [...new Set(logged.map((event) => event.stream))],
      touches: [...new Set([...logged.flatMap((event) => event.touches), ...ended])],
    },
  ]);
  const [first] = logged;
  if (first) doubts(house).add({ first, items: [...logged, ...items] });
}

interface Doubt {
  first: LoggedEvent;
  items: BusItem[];
}

const doubts = perHouse("queue", (house) => new Doubts(house));

/**
 * Checks every second whether doubtful commits are in the log: the database may complete one after the sockets that
 * started over have read their state.
 */
class Doubts {
  readonly #house: House;
  #open: Doubt[] = [];
  #isLooking = false;

  constructor(house: House) {
    this.#house = house;
  }

  add(doubt: Doubt): void {
    this.#open = [...this.#open, doubt].slice(-mostDoubts);
    if (!this.#isLooking) void this.#look();
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#open.length > 0) {
      await sleep(againMs, undefined, { ref: false });
      for (const doubt of this.#open) {
        if (!(await this.#resolve(doubt))) break;
        this.#open = this.#open.filter((other) => other !== doubt);
      }
    }
    this.#isLooking = false;
  }

  /** Publishes the commit if the log has it. Returns whether its outcome is known now. */
  async #resolve({ first, items }: Doubt): Promise<boolean> {
    const { bus, database } = this.#house;
    try {
      if (await database.transaction((db) => isInLog(database, db, first), "once")) bus.publish(items);
      return true;
    } catch (error) {
      // Any other error, such as that of a closed database, ends the doubt: a closed house has no listeners left.
      return !database.isAway(error);
    }
  }
}

/**
 * Returns whether the log has this very event; `db` is a transaction. Throws while another transaction writes to the
 * stream, as its outcome decides what the log has.
 */
async function isInLog(database: Database, db: Db, { stream, seq, frame }: LoggedEvent): Promise<boolean> {
  await lockStreamNow(database, db, stream);
  const [event] = await readLog(db, { stream, after: seq - 1, up_to: seq }, 1);
  return event?.frame === frame;
}
