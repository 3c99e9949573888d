// The job that inspects pictures: those of releases that did not inspect any, and those whose turn did not come in
// time.
import type { Job } from "../../server/house/feature.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { picturesFound } from "./access.ts";
import { countUninspected, selectUninspected } from "./store.ts";

/** Pictures per line of the log, which says how many are left, and per announcement to other features. */
const stretch = 100;

/** Pictures inspected since the last line of the log. */
const progressOf = perHouse("queue", () => ({ pictures: 0 }));

/** Inspects one picture a run. Its result is committed before the next one, so a kill costs one inspection. */
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
