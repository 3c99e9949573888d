// Backups by themselves: made when the newest is old enough, and only so many are kept.
import { accessSync, constants, statSync } from "node:fs";
import { CannotStart } from "../../server/cannot-start.ts";
import { reason } from "../../server/house/check.ts";
import type { Feature } from "../../server/house/feature.ts";
import { checkBackups } from "./doctor.ts";
import { backUpWhenDue, stopMaking } from "./making.ts";

export const backups: Feature = {
  name: "backups",
  operations: [],
  jobs: [
    {
      name: "make a backup",
      everyMs: 60_000,
      isFor: ({ config }) => config.backups !== undefined,
      run: (house) => backUpWhenDue(house),
    },
  ],
  checks: [{ about: "backups", look: checkBackups }],
  async starting({ config }) {
    if (config.backups) mustTake(config.backups.folder);
    return [];
  },
  close: stopMaking,
};

/** A folder that is not there is not made: it may be a disk that was not mounted. */
function mustTake(folder: string): void {
  try {
    if (!statSync(folder).isDirectory()) throw new Error("it is no folder");
    accessSync(folder, constants.W_OK | constants.R_OK);
  } catch (error) {
    throw new CannotStart(`Backups cannot be kept in ${folder} (BACKUP_DIR): ${reason(error)}.`);
  }
}
