// A damaged database file: operations on the damaged part fail with advice, and all others go on.

import { Database as SQLite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { spawnServer, untilEnd } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { towns } from "./town.ts";

const { start, openTown } = towns();

/** Overwrites a page, like a disk that returns wrong data. */
function damage(dataDir: string, table: string): void {
  const file = join(dataDir, "hearth.db");
  const database = new SQLite(file);
  const { rootpage } = database
    .query<{ rootpage: number }, [string]>("select rootpage from sqlite_master where name = ?")
    .get(table) ?? { rootpage: 0 };
  database.close();
  const fd = openSync(file, "r+");
  writeSync(fd, Buffer.alloc(4096, 0xee), 0, 4096, (rootpage - 1) * 4096);
  closeSync(fd);
}

test("whoever needs the damaged part gets 500, the log names the doctor, and others are served", async () => {
  const { settings, alice, general, ...town } = await openTown();
  await town.server.stop();
  damage(settings.DATA_DIR, "messages");
  const server = await start(settings);
  expect((await alice.get(`/channels/${general}/messages`)).status).toBe(500);
  expect((await alice.get("/auth/me")).status).toBe(200);
  expect((await alice.patch("/auth/me", { display_name: "Alice" })).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await until(
    () => /database file is damaged.*hearth doctor/.test(server.stderr()),
    "the log does not say it",
  );
});

test("a file that is damaged where every start looks is a sentence, and code 1", async () => {
  const { settings, server } = await openTown();
  await server.stop();
  damage(settings.DATA_DIR, "instance");
  const ended = await untilEnd(spawnServer(settings), 180_000);
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toMatch(/^The database file is damaged\. .*hearth doctor.*\n$/);
});
