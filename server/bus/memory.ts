// The bus of a single process: every subscriber is called before `publish` returns.
import type { Bus, BusItem } from "./bus.ts";

/** A subscriber's exception goes to `failed`, and the other subscribers are still called: the commit stands. */
export function memoryBus(failed: (error: unknown) => void): Bus {
  const subscribers: ((items: readonly BusItem[]) => void)[] = [];
  const take = (items: readonly BusItem[]) => {
    for (const hear of subscribers) {
      try {
        hear(items);
      } catch (error) {
        failed(error);
      }
    }
  };
  return {
    trouble: undefined,
    isCarried: true,
    take,
    publish: take,
    subscribe(hear) {
      subscribers.push(hear);
    },
    // There is no other process.
    tell() {},
    follow() {},
    async caughtUp() {},
    close() {},
  };
}
