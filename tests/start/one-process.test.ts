// One process for each database: a second one on the same PostgreSQL is refused until the first has ended.
import { describe, expect, test } from "bun:test";
import { temporaryFolder } from "../house/machine/folder.ts";
import { startServer } from "../house/machine/process.ts";
import { makeHouse } from "../house/open/engines.ts";
import { expectOneSentence } from "./one-sentence.ts";
import { startRefused } from "./refused.ts";

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("a PostgreSQL (skipped where there is none)", () => {
  test("serves one process at a time, also when the first was killed", async () => {
    const [house, folder] = [await makeHouse("PostgreSQL", {}), temporaryFolder()];
    const settings = { DATA_DIR: folder.path, DATABASE_URL: house.settings.DATABASE_URL ?? "" };
    const first = await startServer({ settings });
    expectOneSentence(await startRefused(settings), /Another Hearth is running/);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    await first.kill();
    const second = await startServer({ settings });
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    await second.stop();
    folder.remove();
    await house.end();
  });
});

test("--help tells every setting", async () => {
  const help = Bun.spawnSync([process.execPath, "server/main.ts", "--help"]);
  expect(help.exitCode).toBe(0);
  for (const name of ["PORT", "DATA_DIR", "DATABASE_URL", "--rate-limits"])
    expect(help.stdout.toString()).toContain(name);
});
