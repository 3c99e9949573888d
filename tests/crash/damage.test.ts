// A database file that is damaged: what it touches fails and says what to do, and everything else goes on.

import { Database as SQLite } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../house/folder.ts";
import { TestPerson } from "../house/people.ts";
import { freePort } from "../house/port.ts";
import { spawnServer, startServer, untilEnd } from "../house/process.ts";
import { until } from "../house/waiting.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** As a disk does that gives back something else than it was given. */
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

async function leaveTown(name: string) {
  const settings = { DATA_DIR: join(folder.path, name), PORT: String(await freePort()) };
  const server = await startServer({ settings });
  const alice = await TestPerson.register(server, "alice");
  const home = await alice.makeServer();
  await alice.say(home.general.id, "hello");
  await server.stop();
  return { settings, alice, home };
}

test("whoever needs the damaged part gets 500, the log names the doctor, and others are served", async () => {
  const { settings, alice, home } = await leaveTown("messages");
  damage(settings.DATA_DIR, "messages");
  const server = await startServer({ settings });
  expect((await alice.get(`/channels/${home.general.id}/messages`)).status).toBe(500);
  expect((await alice.get("/auth/me")).status).toBe(200);
  expect((await alice.patch("/auth/me", { display_name: "Alice" })).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await until(
    () => /database file is damaged.*hearth doctor/.test(server.stderr()),
    "the log does not say it",
  );
  await server.stop();
}, 60_000);

test("a file that is damaged where every start looks is a sentence, and code 1", async () => {
  const { settings } = await leaveTown("instance");
  damage(settings.DATA_DIR, "instance");
  const ended = await untilEnd(spawnServer(settings), 20_000);
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toMatch(/^The database file is damaged\. .*hearth doctor.*\n$/);
}, 60_000);
