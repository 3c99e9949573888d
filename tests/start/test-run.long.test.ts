// `npm test` ends, and its PostgreSQL with it, whatever happens to either of them.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { endProcess, spawnServer, untilEnd } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const withPostgres = test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES);

/** Runs one test with the body `does`, as `npm test -- …args`; it prints the address of its PostgreSQL first. */
function startRun(does: string, args: string[] = []) {
  const file = join(folder.path, "one.test.ts");
  const shown = 'console.info("<" + process.env.HEARTH_TEST_POSTGRES + ">");';
  writeFileSync(
    file,
    `import { test } from "bun:test";\ntest("one", async () => { ${shown} ${does} }, 60_000);\n`,
  );
  const { PATH = "" } = Bun.env;
  return spawnServer({ PATH }, [], [process.execPath, "tests/run.ts", ...args, file]);
}

async function isThere(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  withPostgres(`a run that gets ${signal} ends, and its PostgreSQL with it`, async () => {
    const run = startRun("await Bun.sleep(60_000);");
    let said = "";
    for (const stream of [run.stdout, run.stderr]) stream.on("data", (chunk) => (said += chunk));
    await until(() => said.includes(">"), "it did not begin");
    const [, url = ""] = /<(.*)>/.exec(said) ?? [];
    expect(await isThere(url)).toBe(true);
    await endProcess(run, signal);
    await until(async () => !(await isThere(url)), "its PostgreSQL is still there");
  });
}

test("a run of files side by side that gets SIGTERM ends, and its workers with it", async () => {
  const note = join(folder.path, "worker");
  const run = startRun(`await Bun.write("${note}", String(process.pid)); await Bun.sleep(60_000);`, [
    "--parallel=2",
    "--no-isolate",
    // A single file would be run without a worker.
    "protocol/client-frames.test.ts",
  ]);
  await until(() => existsSync(note) && readFileSync(note, "utf8") !== "", "it did not begin");
  const worker = `/proc/${readFileSync(note, "utf8")}`;
  expect(readFileSync(`${worker}/cmdline`, "utf8")).toContain("--test-worker");
  await endProcess(run, "SIGTERM");
  await until(() => !existsSync(worker), "its worker is still there");
});

withPostgres("a run whose PostgreSQL ended before it ends all the same", async () => {
  const killing = `
    const client = new (require("${require.resolve("pg")}").Client)({ connectionString: process.env.HEARTH_TEST_POSTGRES });
    client.on("error", () => {});
    await client.connect();
    const { rows } = await client.query("select pg_read_file('postmaster.pid') as file");
    process.kill(parseInt(rows[0].file), "SIGINT");
    await new Promise((done) => client.on("end", done));
    await Bun.sleep(500);`;
  const { exitCode } = await untilEnd(startRun(killing), 300_000);
  expect(exitCode).toBe(0);
});
