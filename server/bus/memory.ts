// The bus of a single process: whoever subscribed hears it before publish returns.
import type { Bus, BusItem } from "./bus.ts";

export function memoryBus(): Bus {
  const hearers: ((items: readonly BusItem[]) => void)[] = [];
  return {
    publish(items) {
      for (const hear of hearers) hear(items);
    },
    subscribe(hear) {
      hearers.push(hear);
    },
  };
}
