// The job that looks at pictures: those uploaded before pictures were looked at, and those that had no turn in time.
import type { Job } from "../../server/house/feature.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { picturesFound } from "./access.ts";
import { countUninspected, selectUninspected } from "./store.ts";

/** Pictures after which the log says how many are left, and later features hear of it. */
const stretch = 100;

/** Pictures looked at since the last line of the log. */
const progressOf = perHouse("queue", () => ({ pictures: 0 }));

/** One picture a run. What was found is committed before the next one, so a kill costs one look. */
export const inspectBacklog: Job = {
  name: "look at pictures",
  everyMs: 60_000,
  async run(house) {
    const row = await selectUninspected(house.database.read);
    const isDone = row !== undefined && (await (await import("./inspecting.ts")).inspectUpload(house, row));
    const progress = progressOf(house);
    if (isDone) progress.pictures++;
    if (progress.pictures === stretch || (!isDone && progress.pictures > 0)) {
      const left = await countUninspected(house.database.read);
      house.log.info({ pictures: progress.pictures, left }, "pictures were looked at");
      progress.pictures = 0;
      await house.write((unit) => unit.ask(picturesFound));
    }
    return isDone;
  },
};
