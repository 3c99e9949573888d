// Folds the names anew that an earlier release wrote for searches: it kept letters that do not come apart.
import type { Job } from "../../server/house/feature.ts";
import { replaceNameWords, selectUnfolded } from "./name-words.ts";
import { lockNames } from "./store.ts";

const accountsAtOnce = 100;

/** Goes on while that release runs beside this one. */
export const foldNames: Job = {
  name: "fold the names that people are searched by",
  everyMs: 10_000,
  async run(house) {
    const ids = await selectUnfolded(house.database.read, accountsAtOnce);
    if (ids.length === 0) return false;
    await house.write(async (unit) => replaceNameWords(unit.db, await lockNames(unit, ids)));
    return ids.length === accountsAtOnce;
  },
};
