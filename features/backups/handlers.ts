// Automatic backups: one is made when the newest is old enough, and a limited number is kept.
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
  close: stopMaking,
};
