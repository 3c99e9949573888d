// No command prints a password, even if an error quotes it.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../house/machine/folder.ts";
import { hearth } from "./hearth.ts";

const secret = "hunter22pass";
const quoted = `postgres://hearth:${secret}@db.example/hearth`;

test("an error that nobody expected is one line, without the password in it", async () => {
  const folder = temporaryFolder();
  const file = new Database(join(folder.path, "hearth.db"));
  // SQLite quotes the name in its error.
  file.exec(`create view kysely_migration as select name from "${quoted}"`);
  file.close();
  for (const words of ["admin users", "serve"]) {
    const { exitCode, stdout, stderr } = await hearth(words, { DATA_DIR: folder.path, PORT: "0" });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toContain("@db.example/hearth");
    expect(stderr).not.toContain(secret);
  }
  folder.remove();
});

test("a command that is not understood is repeated without it", async () => {
  for (const words of [quoted, `admin ${quoted}`]) {
    const { exitCode, stdout, stderr } = await hearth(words);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("@db.example/hearth");
    expect(stderr).not.toContain(secret);
  }
});

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("the doctor says what is wrong without it", async () => {
  const folder = temporaryFolder();
  const url = new URL(Bun.env.HEARTH_TEST_POSTGRES ?? "");
  // PostgreSQL quotes invalid values.
  url.searchParams.set("options", `-c statement_timeout=${quoted}`);
  const { exitCode, stdout } = await hearth("doctor", { DATA_DIR: folder.path, DATABASE_URL: url.href });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/connections +PostgreSQL gives none: invalid value for parameter/);
  expect(stdout).toContain("@db.example/hearth");
  expect(stdout).not.toContain(secret);
  folder.remove();
});
