// A disk that is full, fails, is slow or does not answer: writes are refused, reads go on, and nothing acknowledged is lost.

import { Database as SQLite } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "../../features/messages/contract.ts";
import { fetchFile, png, tryUpload, upload } from "../house/files.ts";
import { temporaryFolder } from "../house/folder.ts";
import { TestPerson } from "../house/people.ts";
import { freePort } from "../house/port.ts";
import { type ServerProcess, startServer } from "../house/process.ts";
import { until } from "../house/waiting.ts";
import { canInject, type Fault, inject } from "./faults.ts";

const leftToDo: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const act of leftToDo.splice(0).reverse()) await act();
});

async function openTown() {
  const folder = temporaryFolder();
  leftToDo.push(folder.remove);
  const settings = {
    DATA_DIR: join(folder.path, "data"),
    PORT: String(await freePort()),
    LOG_LEVEL: "error",
  };
  const server = await start(settings);
  const alice = await TestPerson.register(server, "alice");
  const home = await alice.makeServer();
  const town = { folder: settings.DATA_DIR, settings, server, alice, general: home.general.id };
  await alice.say(town.general, "before");
  return town;
}

async function start(settings: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer({ settings });
  leftToDo.push(server.kill);
  return server;
}

async function afflict(server: ServerProcess, fault: Fault) {
  const affliction = await inject(server.pid, fault);
  leftToDo.push(affliction.end);
  return affliction;
}

const readiness = async ({ url }: ServerProcess): Promise<[number, string]> => {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, await answer.text()];
};
const isReady = async (server: ServerProcess) => (await readiness(server))[0] === 200;

async function contentsOf(who: TestPerson, channelId: string): Promise<string[]> {
  const { status, body } = await who.get<Message[]>(`/channels/${channelId}/messages?limit=100`);
  expect(status).toBe(200);
  return body.map((message) => message.content).reverse();
}

const wal = (folder: string) => join(folder, "hearth.db-wal");

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
      const { folder, settings, server, alice, general } = await openTown();
      const affliction = await afflict(server, { ...fault, path: wal(folder) });
      for (let time = 0; time < 3; time++) {
        const refused = await alice.post<{ code: string }>(`/channels/${general}/messages`, {
          content: "during",
          nonce: "said once",
        });
        expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      }
      expect((await alice.post("/servers", { name: "another" })).status).toBe(503);
      const [status, sentence] = await readiness(server);
      expect(status).toBe(503);
      expect(sentence).toContain(says);
      expect((await contentsOf(alice, general))[0]).toBe("before");
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);

      await affliction.end();
      await until(() => isReady(server), "it did not get ready by itself", 5000);
      const again = await alice.post<Message>(`/channels/${general}/messages`, {
        content: "during",
        nonce: "said once",
      });
      expect([200, 201]).toContain(again.status);
      await alice.say(general, "after");
      expect(await contentsOf(alice, general)).toEqual(["before", "during", "after"]);
      await until(() => server.stderr().includes("no writes are taken"), "the log does not say it");
      expect(server.stderr().match(/no writes are taken/g)).toHaveLength(1);

      await server.kill();
      await start(settings);
      expect(await contentsOf(alice, general)).toEqual(["before", "during", "after"]);
    }, 60_000);
  }

  for (const how of ["in a short log", "in a log that waits for its checkpoint"]) {
    test(`a disk that lost what it failed to sync, ${how}: nothing of that is there after a stop and a start`, async () => {
      const { folder, settings, server, alice, general } = await openTown();
      // As long as somebody reads from before, the log is not brought into the database file.
      const reader = new SQLite(join(folder, "hearth.db"));
      if (how !== "in a short log") {
        reader.exec("begin; select * from users");
        while (statSync(wal(folder)).size < 6 * 1024 * 1024)
          await Promise.all(Array.from({ length: 64 }, () => alice.say(general, "and so on ".repeat(380))));
      }
      const affliction = await afflict(server, {
        calls: "fsync,fdatasync",
        effect: "error=EIO",
        path: wal(folder),
      });
      const refused = await alice.post(`/channels/${general}/messages`, { content: "during" });
      expect(refused.status).toBe(503);
      reader.close();
      const lost = readFileSync(wal(folder), "latin1").replaceAll("during", "durinG");
      writeFileSync(wal(folder), lost, "latin1");
      await affliction.end();
      await until(
        async () => (await readiness(server))[1].includes("stop Hearth and start it again"),
        "it does not say that a part is lost",
        5000,
      );

      await server.stop();
      await start(settings);
      expect((await contentsOf(alice, general)).filter((content) => /during/i.test(content))).toEqual([]);
      await alice.say(general, "after");
    }, 60_000);
  }

  test("a disk that has no room for the database file, but for its log: 503 in time, and nothing is lost", async () => {
    const { folder, settings, server, alice, general } = await openTown();
    const file = join(folder, "hearth.db");
    const affliction = await afflict(server, { calls: "pwrite64", effect: "error=ENOSPC", path: file });
    const words = "and so on ".repeat(380);
    const said: string[] = [];
    await until(async () => {
      const answers = await Promise.all(
        Array.from({ length: 64 }, () =>
          alice.post<Message>(`/channels/${general}/messages`, { content: words }),
        ),
      );
      said.push(...answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
      return answers.some(({ status }) => status === 503);
    }, "it goes on as if nothing had happened");
    expect(await readiness(server)).toEqual([503, expect.stringContaining("full")]);
    await affliction.end();
    await until(() => isReady(server), "it did not get ready by itself", 10_000);
    await alice.say(general, "after");
    await server.kill();
    await start(settings);
    for (const id of said) expect((await alice.get(`/messages/${id}`)).status).toBe(200);
  }, 120_000);

  test("while a sync takes its time, others read, and what waits for it is answered afterwards", async () => {
    const { folder, server, alice, general } = await openTown();
    await afflict(server, { calls: "fsync,fdatasync", effect: "delay_enter=2000000", path: wal(folder) });
    let answered = false;
    const saying = alice.say(general, "slow").then(() => {
      answered = true;
    });
    // Its commit is under way when the message can be read.
    await until(async () => (await contentsOf(alice, general)).includes("slow"), "it was not committed");
    for (let time = 0; time < 10; time++) {
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      expect((await alice.get("/auth/me")).status).toBe(200);
    }
    expect(answered).toBe(false);
    await saying;
  }, 60_000);

  test("a disk that does not answer: writers are told so in time, reads go on, and all is there when it is back", async () => {
    const { folder, settings, server, alice, general } = await openTown();
    const affliction = await afflict(server, {
      calls: "fsync,fdatasync",
      effect: "delay_enter=25000000",
      path: wal(folder),
    });
    const refused = await alice.post<{ code: string }>(`/channels/${general}/messages`, {
      content: "held",
      nonce: "held",
    });
    expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
    expect((await alice.post("/servers", { name: "another" })).status).toBe(503);
    expect(await readiness(server)).toEqual([503, expect.stringContaining("does not answer")]);
    expect((await alice.get("/auth/me")).status).toBe(200);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await affliction.end();
    await until(() => isReady(server), "it did not get ready by itself", 30_000);
    expect((await alice.say(general, "held", { nonce: "held" })).content).toBe("held");
    await alice.say(general, "after");
    await server.kill();
    await start(settings);
    expect(await contentsOf(alice, general)).toEqual(["before", "held", "after"]);
  }, 90_000);

  for (const [how, effect] of [
    ["is full", "error=ENOSPC"],
    ["has become read-only", "error=EROFS"],
    ["fails", "error=EIO"],
  ]) {
    test(`a disk of uploads that ${how}: 503, earlier files can be had, and it recovers by itself`, async () => {
      const { folder, server, alice } = await openTown();
      const { url } = await upload(alice, "sun.png", png);
      // Only uploads are synced by this call.
      const affliction = await afflict(server, { calls: "fsync", effect: effect as string });
      for (let time = 0; time < 2; time++) {
        const refused = await tryUpload<{ code: string }>(alice, "moon.png", png);
        expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
      }
      expect(await readiness(server)).toEqual([503, expect.stringContaining("uploads")]);
      expect((await fetchFile(alice, url)).status).toBe(200);
      await affliction.end();
      await until(() => isReady(server), "it did not get ready by itself", 5000);
      const kept = await upload(alice, "moon.png", png);
      expect((await fetchFile(alice, kept.url)).status).toBe(200);
      expect(readdirSync(join(folder, "uploads", "tmp"))).toEqual([]);
    }, 60_000);
  }
});
