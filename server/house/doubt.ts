// A commit of which nobody heard how it ended: who followed it begins again, and when it turns out to be done, it is told.
import { setTimeout as sleep } from "node:timers/promises";
import type { BusItem, LoggedEvent } from "../bus/bus.ts";
import { type House, perHouse } from "./house.ts";
import { isInLog } from "./log-table.ts";
import type { Unit } from "./unit.ts";

const againMs = 1000;
/** A database that is away for long leaves one every few seconds; the oldest then stay untold until the next event. */
const mostDoubts = 100;

/** What may have been committed: nobody goes on in the belief that it was, or that it was not. */
export function tellDoubt(house: House, units: readonly Unit[], logged: readonly LoggedEvent[]): void {
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
  if (first) doubts(house).add({ first, told: [...logged, ...items] });
}

interface Doubt {
  first: LoggedEvent;
  told: BusItem[];
}

const doubts = perHouse((house) => new Doubts(house));

/** The database may still be at it, and come to the end of it after those who began again have looked. */
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
        if (!(await this.#settle(doubt))) break;
        this.#open = this.#open.filter((other) => other !== doubt);
      }
    }
    this.#isLooking = false;
  }

  /** Whether it is known now how it ended. */
  async #settle({ first, told }: Doubt): Promise<boolean> {
    const { bus, database } = this.#house;
    try {
      if (await database.transaction((db) => isInLog(database, db, first))) bus.publish(told);
      return true;
    } catch (error) {
      // When the house is closed nobody is left to be told.
      return !database.isAway(error);
    }
  }
}
