// The write-ahead log is moved into the database file while people write: it stays short, and a kill meanwhile loses nothing.

import { Database as SQLite } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { BEFORE_ALL, pagesAfter } from "../../tools/client/history.ts";
import { openRoom } from "../../tools/client/room.ts";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import { temporaryFolder } from "../house/folder.ts";
import { freePort } from "../house/port.ts";
import { startServer } from "../house/process.ts";
import { until } from "../house/waiting.ts";
import { startWriters } from "./writers.ts";

const mib = 1024 ** 2;
/** What the log may keep of its size for good. */
const longestLog = 64 * mib;

const leftToDo: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const act of leftToDo.splice(0).reverse()) await act();
});

test("after a change of 100 MiB the log is short again, and the change is in the database file", async () => {
  const house = await makeHouse("SQLite", {});
  leftToDo.push(() => house.end());
  await house.open();
  const { config } = house.running.house;
  const alice = await house.person("alice");
  const { id, general } = await alice.makeServer();
  const size = (name: string) => statSync(join(config.dataDir, name)).size;
  await fillLog(house, id, 1000, 100);
  expect(size("hearth.db-wal")).toBeGreaterThan(100 * mib);
  await until(async () => {
    await alice.say(general.id, "and on it goes");
    return size("hearth.db-wal") <= longestLog;
  }, "the log stays as long as it was");
  expect(size("hearth.db")).toBeGreaterThan(100 * mib);
});

test("closed in the middle of it, the house opens again, and its log gets short", async () => {
  const house = await makeHouse("SQLite", {});
  leftToDo.push(() => house.end());
  await house.open();
  const alice = await house.person("alice");
  const { id, general } = await alice.makeServer();
  for (let time = 1; time <= 3; time++) {
    await fillLog(house, id, time * 1000, 60);
    await alice.say(general.id, `before the end ${time}`);
    await house.shut();
    await house.open();
    await alice.say(general.id, `after it ${time}`);
  }
  const log = join(house.settings.DATA_DIR ?? "", "hearth.db-wal");
  await until(async () => {
    await alice.say(general.id, "and on it goes");
    return statSync(log).size <= longestLog;
  }, "the log stays as long as it was");
}, 60_000);

test("while somebody reads for long the log grows and people write; afterwards it is short again", async () => {
  const house = await makeHouse("SQLite", {});
  leftToDo.push(() => house.end());
  await house.open();
  const { config } = house.running.house;
  const alice = await house.person("alice");
  const { id, general } = await alice.makeServer();
  const size = (name: string) => statSync(join(config.dataDir, name)).size;
  const reader = new SQLite(join(config.dataDir, "hearth.db"), { readonly: true });
  reader.exec("BEGIN");
  reader.query("select count(*) from messages").get();
  for (let time = 1; time <= 3; time++) {
    await fillLog(house, id, time * 1000, 40);
    await alice.say(general.id, "meanwhile");
  }
  expect(size("hearth.db-wal")).toBeGreaterThan(100 * mib);
  reader.exec("COMMIT");
  reader.close();
  await until(async () => {
    await alice.say(general.id, "and on it goes");
    return size("hearth.db-wal") <= longestLog;
  }, "the log stays as long as it was");
}, 60_000);

test("while people write without a pause the log does not grow", async () => {
  const house = await makeHouse("SQLite", {});
  leftToDo.push(() => house.end());
  await house.open();
  const { config } = house.running.house;
  const alice = await house.person("alice");
  const { general } = await alice.makeServer();
  const size = (name: string) => statSync(join(config.dataDir, name)).size;
  const grown = size("hearth.db") + 48 * mib;
  let longest = 0;
  await until(
    async () => {
      const words = "and so on ".repeat(380);
      await Promise.all(Array.from({ length: 64 }, () => alice.say(general.id, words)));
      longest = Math.max(longest, size("hearth.db-wal"));
      return size("hearth.db") > grown;
    },
    "it does not come into the database file",
    60_000,
  );
  expect(longest).toBeLessThan(40 * mib);
}, 90_000);

test("killed in the middle of it, again and again, every acknowledged message is there once and the file is sound", async () => {
  const folder = temporaryFolder();
  leftToDo.push(folder.remove);
  const settings = { DATA_DIR: folder.path, PORT: String(await freePort()) };
  let server = await startServer({ settings });
  leftToDo.push(() => server.kill());
  const members = ["ada", "ben", "cleo", "dov", "eve", "finn", "gwen", "hugo"];
  const room = await openRoom(server.url, { owner: "olga", channels: ["ledger"], members });
  const channels = [...room.channels.values()];
  const writers = startWriters([...room.members.values()], channels, "x".repeat(3900));
  leftToDo.push(writers.giveUp);
  const fileSize = () => statSync(join(folder.path, "hearth.db")).size;
  const before = fileSize();
  // A slow machine needs more lives until the log has been moved a few times.
  for (let kill = 1; kill <= 10 || (kill <= 60 && fileSize() < before + 12 * mib); kill++) {
    await Bun.sleep(200 + Math.random() * 800);
    await server.kill();
    server = await startServer({ settings });
  }
  await writers.stop();
  const [channel = ""] = channels;
  const kept = (await Array.fromAsync(pagesAfter(room.owner, channel, BEFORE_ALL))).flat();
  const nonces = kept.map((message) => message.nonce ?? "").sort();
  expect(nonces).toEqual([...writers.acknowledged.values()].map((said) => said.nonce).sort());
  // Otherwise the kills would have proven nothing.
  expect(fileSize()).toBeGreaterThan(before + 8 * mib);
  await server.stop();
  const database = new SQLite(join(folder.path, "hearth.db"));
  expect(database.query("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  database.close();
}, 240_000);

/** One change of so many MiB. */
async function fillLog(house: TestHouse, serverId: string, firstSeq: number, count: number): Promise<void> {
  const { database } = house.running.house;
  await database.transaction(async (db) => {
    const rows = Array.from({ length: count }, (_, i) => ({
      server_id: serverId,
      seq: firstSeq + i,
      audience: "members",
      touches: "",
      ends: null,
      frame: "x".repeat(mib),
      created_at: Date.now(),
    }));
    await database.insertRows(db, "events", rows, false);
  });
}
