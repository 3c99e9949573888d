// What the house does by itself every few seconds, done now: what deletions left behind goes.
import { sweeping } from "../../../server/house/sweeping.ts";
import type { TestHouse } from "../open/engines.ts";

export async function sweep({ running }: TestHouse): Promise<void> {
  while (await sweeping.run(running.house));
}
