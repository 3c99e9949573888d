// The settings in the program's help.
import { expect, test } from "bun:test";

test("--help tells every setting", async () => {
  const help = Bun.spawnSync([process.execPath, "server/main.ts", "--help"]);
  expect(help.exitCode).toBe(0);
  for (const name of ["PORT", "DATA_DIR", "DATABASE_URL", "--rate-limits"])
    expect(help.stdout.toString()).toContain(name);
});
