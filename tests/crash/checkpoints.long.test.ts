// Checkpoints of the write-ahead log while people write: the log stays short, and a kill during one loses nothing.

import { Database as SQLite } from "bun:sqlite";
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { serverStream } from "../../server/place.ts";
import { BEFORE_ALL, pagesAfter } from "../../tools/client/history.ts";
import { openRoom } from "../../tools/client/room.ts";
import { chanceFor } from "../house/machine/chance.ts";
import { freePort } from "../house/machine/port.ts";
import { until } from "../house/machine/waiting.ts";
import { makeHouse } from "../house/open/engines.ts";
import { towns } from "./town.ts";
import { startWriters } from "./writers.ts";

const mib = 1024 ** 2;
/** The most bytes that the log file may keep. */
const longestLog = 64 * mib;

const { afterwards, newFolder, start } = towns();
const chance = chanceFor("kills");

async function openHome() {
  const house = await makeHouse("SQLite", {}, undefined, true);
  afterwards(() => house.end());
  await house.open();
  const alice = await house.person("alice");
  const { id, general } = await alice.makeServer();
  const say = (content: string) => alice.say(general.id, content);
  const path = (name: string) => join(house.settings.DATA_DIR ?? "", name);
  const size = (name: string) => statSync(path(name)).size;
  let seq = 1000;

  /** Writes a single transaction of `count` MiB. */
  async function fillLog(count: number): Promise<void> {
    const { database } = house.running.house;
    const event = {
      stream: serverStream(id),
      audience: "members",
      touches: "",
      ends: null,
      created_at: Date.now(),
    };
    const rows = Array.from({ length: count }, () => ({ ...event, seq: seq++, frame: "x".repeat(mib) }));
    await database.transaction((db) => database.insertRows(db, "events", rows, false));
  }

  /** Opens a read transaction, which keeps the log from being reset until the returned function is called. */
  function readsForLong(): () => void {
    const reader = new SQLite(path("hearth.db"), { readonly: true });
    reader.exec("BEGIN");
    reader.query("select count(*) from messages").get();
    return () => {
      reader.exec("COMMIT");
      reader.close();
    };
  }

  function untilShort(): Promise<void> {
    const isShort = async () => {
      await say("and on it goes");
      return size("hearth.db-wal") <= longestLog;
    };
    return until(isShort, "the log stays as long as it was");
  }
  return { house, say, size, fillLog, readsForLong, untilShort };
}

test("after a change of 100 MiB the log is short again, and the change is in the database file", async () => {
  const { size, fillLog, readsForLong, untilShort } = await openHome();
  const goes = readsForLong();
  await fillLog(100);
  expect(size("hearth.db-wal")).toBeGreaterThan(100 * mib);
  goes();
  await untilShort();
  expect(size("hearth.db")).toBeGreaterThan(100 * mib);
});

test("closed in the middle of it, the house opens again, and its log gets short", async () => {
  const { house, say, fillLog, untilShort } = await openHome();
  for (let time = 1; time <= 3; time++) {
    await fillLog(60);
    await say(`before the end ${time}`);
    await house.restart();
    await say(`after it ${time}`);
  }
  await untilShort();
});

test("while somebody reads for long the log grows and people write; afterwards it is short again", async () => {
  const { say, size, fillLog, readsForLong, untilShort } = await openHome();
  const goes = readsForLong();
  for (let time = 1; time <= 3; time++) {
    await fillLog(40);
    await say("meanwhile");
  }
  expect(size("hearth.db-wal")).toBeGreaterThan(100 * mib);
  goes();
  await untilShort();
});

test("while people write without a pause the log does not grow", async () => {
  const { say, size } = await openHome();
  const grown = size("hearth.db") + 96 * mib;
  const words = "and so on ".repeat(380);
  let longest = 0;
  await until(
    async () => {
      await Promise.all(Array.from({ length: 64 }, () => say(words)));
      longest = Math.max(longest, size("hearth.db-wal"));
      return size("hearth.db") > grown;
    },
    "it does not come into the database file",
    300_000,
  );
  expect(longest).toBeLessThan(64 * mib);
});

test("killed in the middle of it, again and again, every acknowledged message is there once and the file is sound", async () => {
  const settings = { DATA_DIR: newFolder(), PORT: String(await freePort()) };
  let server = await start(settings);
  const members = ["ada", "ben", "cleo", "dov", "eve", "finn", "gwen", "hugo"];
  const room = await openRoom(server.url, { owner: "olga", channels: ["ledger"], members });
  const channels = [...room.channels.values()];
  const writers = startWriters([...room.members.values()], channels, "x".repeat(3900));
  afterwards(writers.giveUp);
  const file = join(settings.DATA_DIR, "hearth.db");
  const fileSize = () => statSync(file).size;
  const before = fileSize();
  // A slow machine needs more rounds until a few checkpoints have been made.
  for (let kill = 1; kill <= 10 || (kill <= 60 && fileSize() < before + 12 * mib); kill++) {
    await Bun.sleep(200 + chance() * 800);
    await server.kill();
    server = await start(settings);
  }
  await writers.stop();
  const [channel = ""] = channels;
  const kept = (await Array.fromAsync(pagesAfter(room.owner, channel, BEFORE_ALL))).flat();
  const nonces = kept.map((message) => message.nonce ?? "").sort();
  expect(nonces).toEqual([...writers.acknowledged.values()].map((said) => said.nonce).sort());
  // Proves that checkpoints were made between the kills.
  expect(fileSize()).toBeGreaterThan(before + 8 * mib);
  await server.stop();
  const database = new SQLite(file);
  expect(database.query("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  database.close();
}, 400_000);
