// Migrations since the last release leave that release working: both versions run side by side for a while.
import { expect, test } from "bun:test";
import { isExpanding } from "../../server/database/migrate.ts";
import { features } from "../../server/features.ts";
import { allMigrations } from "../../server/open.ts";
import { hasLastRelease, migrationsOfLastRelease } from "../house/servers/last-release.ts";

test.skipIf(!hasLastRelease)(
  `every migration since the last release is marked as expanding${hasLastRelease ? "" : " (skipped: no history here)"}`,
  () => {
    const before = migrationsOfLastRelease();
    expect(before.size).toBeGreaterThan(50);
    const since = Object.entries(allMigrations(features, "postgres")).filter(([name]) => !before.has(name));
    expect(since.flatMap(([name, migration]) => (isExpanding(migration) ? [] : name))).toEqual([]);
  },
);
