// The bus of a single process: every subscriber is called before `publish` returns.
import type { Bus, BusItem } from "./bus.ts";

/** A subscriber's exception goes to `failed`, and the other subscribers are still called: the commit stands. */
export function memoryBus(failed: (error: unknown) => void): Bus {
  const hearers: ((items: readonly BusItem[]) => void)[] = [];
  return {
    publish(items) {
      for (const hear of hearers) {
        try {
          hear(items);
        } catch (error) {
          failed(error);
        }
      }
    },
    subscribe(hear) {
      hearers.push(hear);
    },
  };
}
