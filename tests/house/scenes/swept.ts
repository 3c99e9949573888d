// Runs the sweep now that a house runs every few seconds: the rows that deletions left behind go.
import { sweeping } from "../../../server/house/sweeping.ts";
import type { TestHouse } from "../open/engines.ts";

export async function sweep({ running }: TestHouse): Promise<void> {
  while (await sweeping.run(running.house));
}
