// Sets the refill rate of a house's token buckets: next to nothing, so that a test may take its time, or all at once.
import type { TestHouse } from "../open/engines.ts";

/** Tokens a second, less than a setting can say. */
const hardly = 0.0001;

/** Sets how many calls a second are allowed, for every class of limits, until the house is opened again. */
export function letFlow(house: TestHouse, perSecond = hardly): void {
  for (const { house: process } of house.all)
    for (const rate of Object.values(process.config.rates)) rate.perSecond = perSecond;
}
