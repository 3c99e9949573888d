// What flows into the buckets of a house's limits: nothing, so that a test may take its time, or all at once.
import type { TestHouse } from "../open/engines.ts";

/** Less than a setting can say. */
const hardly = 0.0001;

/** So many calls a second come to be allowed, of whatever class, until the house is opened again. */
export function letFlow(house: TestHouse, perSecond = hardly): void {
  for (const { house: process } of house.all)
    for (const rate of Object.values(process.config.rates)) rate.perSecond = perSecond;
}
