// A commit of which nobody heard how it ended: who followed it begins again, and when it turns out to be done, it is told.
import { setTimeout as sleep } from "node:timers/promises";
import type { LoggedEvent } from "./bus/bus.ts";
import type { House } from "./house.ts";
import { isInLog } from "./outbox.ts";
import type { Unit } from "./unit.ts";

const againMs = 1000;

/** What may have been committed: nobody goes on in the belief that it was, or that it was not. */
export function tellDoubt(house: House, units: readonly Unit[], logged: readonly LoggedEvent[]): void {
  const items = units.flatMap((unit) => unit.items);
  const ended = items.flatMap((item) => (item.kind === "sessions-ended" ? item.userId : []));
  house.bus.publish([
    ...items.filter((item) => item.kind === "dropped"),
    {
      kind: "doubted",
      serverIds: [...new Set(logged.map((event) => event.serverId))],
      touches: [...new Set([...logged.flatMap((event) => event.touches), ...ended])],
    },
  ]);
  const [first] = logged;
  if (first) void whenKnown(house, first, (isDone) => isDone && house.bus.publish([...logged, ...items]));
}

/** The database may still be at it, and come to the end of it after those who began again have looked. */
async function whenKnown(house: House, event: LoggedEvent, hear: (isDone: boolean) => void): Promise<void> {
  for (;;) {
    await sleep(againMs, undefined, { ref: false });
    try {
      hear(await house.database.transaction((db) => isInLog(house.database, db, event)));
      return;
    } catch (error) {
      // When the house is closed nobody is left to be told.
      if (!house.database.isAway(error)) return;
    }
  }
}
