// Refolds the search words written by an earlier release, which kept letters that have no Unicode decomposition.
import type { Job } from "../../server/house/feature.ts";
import { replaceNameWords, selectUnfolded } from "./name-words.ts";
import { lockNames } from "./store.ts";

const accountsAtOnce = 100;

/** Recurs, because that release may still run beside this one and write such words. */
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
