// The bus of a single process: whoever subscribed hears it before publish returns.
import type { Bus, BusItem } from "./bus.ts";

/** What a hearer throws is told to `failed`: what was committed is so, and the others hear it all the same. */
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
