// A full, failing, slow or hanging disk: writes are refused, reads go on, and nothing acknowledged is lost.

import { Database as SQLite } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import { fetchFile, png, upload } from "../house/scenes/files.ts";
import { canInject, type Fault, inject } from "./faults.ts";
import {
  contentsOf,
  expectNoUploads,
  expectNoWrites,
  readiness,
  type Town,
  towns,
  untilReady,
} from "./town.ts";

const { afterwards, start, openTown } = towns();

async function afflict({ data, server, alice, general }: Town, fault: Fault) {
  // Read markers are stored within a second: they would meet the fault before the test's own write does.
  const database = new SQLite(join(data, "hearth.db"), { readonly: true });
  const stored = database.query<{ last_read_id: string }, [string, string]>(
    "select last_read_id from read_markers where user_id = ? and channel_id = ?",
  );
  const newest = database.query<{ id: string }, [string]>(
    "select max(id) as id from messages where channel_id = ?",
  );
  await until(
    () => stored.get(alice.id, general)?.last_read_id === newest.get(general)?.id,
    "what she has read is not stored",
  );
  database.close();
  const affliction = await inject(server.pid, fault);
  afterwards(affliction.end);
  return affliction;
}

const wal = (dataDir: string) => join(dataDir, "hearth.db-wal");

const failures: [string, Omit<Fault, "path">, string][] = [
  ["is full", { calls: "pwrite64", effect: "error=ENOSPC" }, "full"],
  ["has become read-only", { calls: "pwrite64", effect: "error=EROFS" }, "disk of the database fails"],
  ["fails when it is written to", { calls: "pwrite64", effect: "error=EIO" }, "disk of the database fails"],
  [
    "fails when it is synced",
    { calls: "fsync,fdatasync", effect: "error=EIO" },
    "disk of the database fails",
  ],
];

describe.skipIf(!canInject())("under strace (skipped where it is absent or forbidden)", () => {
  for (const [how, fault, says] of failures) {
    test(`a disk that ${how}: 503, reads go on, and it recovers by itself with everything in place`, async () => {
      const town = await openTown();
      const { data, settings, server, alice, general } = town;
      const affliction = await afflict(town, { ...fault, path: wal(data) });
      for (let time = 0; time < 3; time++) await expectNoWrites(town, says);
      await affliction.end();
      await untilReady(server);
      await alice.say(general, "during", { nonce: "during" });
      await alice.say(general, "after");
      expect(await contentsOf(alice, general)).toEqual(["before", "during", "after"]);
      expect(server.stderr().match(/no writes are taken/g)).toHaveLength(1);
      await server.kill();
      await start(settings);
      expect(await contentsOf(alice, general)).toEqual(["before", "during", "after"]);
    });
  }

  for (const how of ["in a short log", "in a log that waits for its checkpoint"]) {
    test(`a disk that lost what it failed to sync, ${how}: nothing of that is there after a stop and a start`, async () => {
      const town = await openTown();
      const { data, settings, server, alice, general } = town;
      async function loses(): Promise<boolean> {
        // An open read transaction keeps the log from being checkpointed.
        const reader = new SQLite(join(data, "hearth.db"));
        if (how !== "in a short log") {
          reader.exec("begin; select * from users");
          while (statSync(wal(data)).size < 6 * 1024 * 1024)
            await Promise.all(Array.from({ length: 64 }, () => alice.say(general, "and so on ".repeat(380))));
        }
        const affliction = await afflict(town, {
          calls: "fsync,fdatasync",
          effect: "error=EIO",
          path: wal(data),
        });
        const refused = await alice.post(`/channels/${general}/messages`, { content: "during" });
        expect(refused.status).toBe(503);
        reader.close();
        const log = readFileSync(wal(data), "latin1");
        if (log.includes("during")) writeFileSync(wal(data), log.replaceAll("during", "durinG"), "latin1");
        await affliction.end();
        return log.includes("during");
      }
      // A checkpoint still under way may have met the fault first: nothing was committed after that.
      while (!(await loses())) await untilReady(server);
      await until(
        async () => (await readiness(server))[1].includes("stop Hearth and start it again"),
        "it does not say that a part is lost",
      );

      await server.stop();
      await start(settings);
      expect((await contentsOf(alice, general)).filter((content) => /during/i.test(content))).toEqual([]);
      await alice.say(general, "after");
    });
  }

  test("a disk that has no room for the database file, but for its log: 503 in time, and nothing is lost", async () => {
    const town = await openTown();
    const { data, settings, server, alice, general } = town;
    const file = join(data, "hearth.db");
    const affliction = await afflict(town, { calls: "pwrite64", effect: "error=ENOSPC", path: file });
    const post = () =>
      alice.post<Message>(`/channels/${general}/messages`, { content: "and so on ".repeat(380) });
    const said: string[] = [];
    await until(async () => {
      const answers = await Promise.all(Array.from({ length: 64 }, post));
      said.push(...answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
      return answers.some(({ status }) => status === 503);
    }, "it goes on as if nothing had happened");
    expect(await readiness(server)).toEqual([200, expect.stringMatching(/^ready\nNo writes .*full/)]);
    await affliction.end();
    await untilReady(server);
    await alice.say(general, "after");
    await server.kill();
    await start(settings);
    for (const id of said) expect((await alice.get(`/messages/${id}`)).status).toBe(200);
  });

  test("while a sync takes its time, others read, and what waits for it is answered afterwards", async () => {
    const town = await openTown();
    const { data, server, alice, general } = town;
    // Milliseconds of delay below the timeout for a disk, and long for readers.
    await afflict(town, { calls: "fsync,fdatasync", effect: "delay_enter=3000000", path: wal(data) });
    async function isReadMeanwhile(content: string): Promise<boolean> {
      let answered: number | undefined;
      const saying = alice.post(`/channels/${general}/messages`, { content }).then(({ status }) => {
        answered = status;
      });
      // Once the message can be read, its commit is under way.
      await until(
        async () => (await contentsOf(alice, general)).includes(content) || answered !== undefined,
        "it was not committed",
      );
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      expect((await alice.get("/auth/me")).status).toBe(200);
      const isMeanwhile = answered === undefined;
      await saying;
      return isMeanwhile && answered === 201;
    }
    let time = 0;
    // If the machine itself stands still for as long, try again.
    await until(() => isReadMeanwhile(`slow ${++time}`), "who reads waits for the sync");
  });

  test("a disk that does not answer: writers are told so in time, reads go on, and all is there when it is back", async () => {
    const town = await openTown();
    const { data, settings, server, alice, general } = town;
    const silence = { calls: "fsync,fdatasync", effect: "delay_enter=25000000", path: wal(data) };
    const affliction = await afflict(town, silence);
    await expectNoWrites(town, "does not answer");
    await affliction.end();
    await untilReady(server);
    await alice.say(general, "during", { nonce: "during" });
    await alice.say(general, "after");
    await server.kill();
    await start(settings);
    expect(await contentsOf(alice, general)).toEqual(["before", "during", "after"]);
  });

  for (const [how, effect] of [
    ["is full", "error=ENOSPC"],
    ["has become read-only", "error=EROFS"],
    ["fails", "error=EIO"],
  ] as const) {
    test(`a disk of uploads that ${how}: 503, earlier files can be had, and it recovers by itself`, async () => {
      const town = await openTown();
      const { data, server, alice } = town;
      const { url } = await upload(alice, "sun.png", png);
      // Only uploads use this system call.
      const affliction = await afflict(town, { calls: "fsync", effect });
      for (let time = 0; time < 2; time++) await expectNoUploads(town, "uploads");
      expect((await fetchFile(alice, url)).status).toBe(200);
      await affliction.end();
      await untilReady(server);
      const kept = await upload(alice, "moon.png", png);
      expect((await fetchFile(alice, kept.url)).status).toBe(200);
      expect(readdirSync(join(data, "uploads", "tmp"))).toEqual([]);
    });
  }
});
