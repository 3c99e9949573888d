// Files that are gone or replaced under a server that runs: it stops writing, says so, and never acknowledges into nothing.

import { Database as SQLite } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import type { Message } from "../../features/messages/contract.ts";
import { Ear } from "../house/ear.ts";
import { fetchFile, png, tryUpload, upload } from "../house/files.ts";
import { temporaryFolder } from "../house/folder.ts";
import { TestPerson } from "../house/people.ts";
import { freePort } from "../house/port.ts";
import { type ServerProcess, startServer } from "../house/process.ts";
import { until } from "../house/waiting.ts";

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
  await alice.say(home.general.id, "before");
  return { outside: folder.path, data: settings.DATA_DIR, settings, server, alice, general: home.general.id };
}

async function start(settings: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer({ settings });
  leftToDo.push(server.kill);
  return server;
}

async function expectRefusal({ server, alice, general }: Awaited<ReturnType<typeof openTown>>) {
  const refused = await alice.post<{ code: string }>(`/channels/${general}/messages`, {
    content: "into nothing",
  });
  expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
  expect((await alice.post("/servers", { name: "another" })).status).toBe(503);
  const ready = await fetch(`${server.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.text()).toContain("gone or replaced");
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await alice.get(`/channels/${general}/messages`)).status).toBe(200);
  await until(() => server.stderr().includes("no writes are taken"), "the log does not say it");
}

describe("a database file that is gone or replaced", () => {
  test("the data folder is removed: nothing is written any more, and the log says so once", async () => {
    const town = await openTown();
    rmSync(town.data, { recursive: true });
    await expectRefusal(town);
    expect(town.server.stderr().match(/no writes are taken: the data folder/g)).toHaveLength(1);
  }, 60_000);

  test("a copy is moved onto the database: the copy stays as it is, also when the server is stopped", async () => {
    const town = await openTown();
    const [file, copy] = [join(town.data, "hearth.db"), join(town.outside, "copy.db")];
    const database = new SQLite(file);
    database.run("vacuum into ?", [copy]);
    database.close();
    const before = readFileSync(copy);
    renameSync(copy, file);
    await expectRefusal(town);
    await town.server.stop();
    expect(readFileSync(file).equals(before)).toBe(true);
  }, 60_000);

  test("who signs in afterwards is not told of what lies there instead, and nothing is made or changed there", async () => {
    for (const how of ["a copy", "an empty folder"]) {
      const town = await openTown();
      const [file, copy] = [join(town.data, "hearth.db"), join(town.outside, "copy.db")];
      const database = new SQLite(file);
      database.run("vacuum into ?", [copy]);
      database.close();
      const before = readFileSync(copy);
      await town.alice.say(town.general, "what the copy does not know");
      if (how === "a copy") renameSync(copy, file);
      else {
        renameSync(town.data, join(town.outside, "aside"));
        mkdirSync(town.data);
      }
      await expectRefusal(town);
      const ear = await Ear.connect(town.server.url);
      ear.say("AUTH", { token: town.alice.token });
      const told = ear.next("READY").catch(() => undefined);
      expect(await Promise.race([ear.closed, told])).toMatchObject({ code: 1012 });
      await town.server.stop();
      // SQLite would bring the log of what was there into what it finds in its place.
      if (how === "a copy") expect(readFileSync(file).equals(before)).toBe(true);
      else expect(readdirSync(town.data)).toEqual([]);
    }
  }, 60_000);

  test("the log of the database is replaced: the one that was put there is not removed by the end of the server", async () => {
    const town = await openTown();
    const log = join(town.data, "hearth.db-wal");
    copyFileSync(log, join(town.outside, "log"));
    renameSync(join(town.outside, "log"), log);
    await expectRefusal(town);
    await town.server.stop();
    expect(existsSync(log)).toBe(true);
  }, 60_000);

  test("the folder that was moved away is put back: it goes on by itself, and all that was acknowledged is there", async () => {
    const town = await openTown();
    const aside = join(town.outside, "aside");
    renameSync(town.data, aside);
    await expectRefusal(town);
    renameSync(aside, town.data);
    await until(
      async () => (await fetch(`${town.server.url}/readyz`)).status === 200,
      "it did not go on",
      5000,
    );
    await town.alice.say(town.general, "after");
    await town.server.kill();
    await start(town.settings);
    const { body } = await town.alice.get<Message[]>(`/channels/${town.general}/messages`);
    const contents = body.map((message) => message.content);
    expect([contents.at(0), contents.at(-1)]).toEqual(["after", "before"]);
  }, 60_000);
});

describe("a folder of uploads that is gone or replaced", () => {
  for (const [how, act] of [
    ["is removed", (folder: string) => rmSync(folder, { recursive: true })],
    [
      "is replaced by a copy",
      (folder: string) => {
        cpSync(folder, `${folder}-copy`, { recursive: true });
        renameSync(folder, `${folder}-before`);
        renameSync(`${folder}-copy`, folder);
      },
    ],
    [
      "is replaced by an empty one",
      (folder: string) => {
        rmSync(folder, { recursive: true });
        mkdirSync(join(folder, "tmp"), { recursive: true });
      },
    ],
  ] as const) {
    test(`it ${how}: uploads are 503, messages go on, and it is said`, async () => {
      const { data, server, alice, general } = await openTown();
      const { url } = await upload(alice, "sun.png", png);
      act(join(data, "uploads"));
      const refused = await tryUpload<{ code: string }>(alice, "moon.png", png);
      expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
      expect([200, 503]).toContain((await fetchFile(alice, url)).status);
      const ready = await fetch(`${server.url}/readyz`);
      expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining("folder of uploads")]);
      await alice.say(general, "after");
      await until(() => server.stderr().includes("no writes are taken"), "the log does not say it");
    }, 60_000);
  }
});
