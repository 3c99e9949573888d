// The order of decoding: two pictures at once, one per person, none before the first picture and none after the last.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/machine/folder.ts";
import { startServer } from "../../tests/house/machine/process.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { decodersOf, stoppedDecoder } from "../../tests/house/material/decoders.ts";
import { hugePng, pictureOf } from "../../tests/house/material/images.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { TestPerson } from "../../tests/house/people/people.ts";
import { fetchFile, upload } from "../../tests/house/scenes/files.ts";
import { Pictures, picturesOf } from "./pictures.ts";

/** Larger than a preview. */
const side = 1600;
const wide = hugePng(side, side);
const running = () => decodersOf(process.pid);
/** Longer than any test waits. */
const everMs = 600_000;

let house: TestHouse;
let folder: TemporaryFolder;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  folder = temporaryFolder();
  writeFileSync(path(), wide);
  execFileSync("mkfifo", [endless()]);
});
afterEach(() => until(() => running().length === 0, "a process goes on"));
afterAll(async () => {
  await house.end();
  folder.remove();
});

const path = () => join(folder.path, "wide.png");
/** A pipe without a writer: reading it never ends. */
const endless = () => join(folder.path, "endless.png");

/** Repeats the work until `expected` processes run at once, and expects never more. */
async function expectMost(expected: number, work: () => Promise<unknown>): Promise<void> {
  await until(async () => {
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, running().length);
    }, 5);
    await work().finally(() => clearInterval(watch));
    expect(most).toBeLessThanOrEqual(expected);
    return most === expected;
  }, `${expected} were never met at once`);
}

test("of six people at the same time two are served at once, and all of them in the end", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, (_, i) => house.person(`person${i}`)));
  expect(running()).toEqual([]);
  await expectMost(2, async () => {
    const answers = await Promise.all(people.map((person) => upload(person, "wide.png", wide)));
    expect(answers.map(({ width }) => width)).toEqual(Array(6).fill(side));
  });
});

test("of one person's six one at a time; somebody else need not wait for a slow one of theirs", async () => {
  const pictures = new Pictures(house.running.house, everMs, undefined, everMs);
  await expectMost(1, async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => pictures.inspect("alice", path())));
    for (const each of all) expect(each).toMatchObject({ width: side });
  });
  const slow = pictures.inspect("alice", endless());
  const stalled = await stoppedDecoder();
  const behind = pictures.inspect("alice", path());
  expect(await pictures.inspect("bob", path())).toMatchObject({ width: side });
  expect(running()).toEqual([stalled]);
  process.kill(stalled, "SIGKILL");
  expect(await slow).toBe("no picture");
  expect(await behind).toMatchObject({ width: side });
});

test("people whose pictures took long share one place; somebody else's picture waits for none of theirs", async () => {
  const pictures = new Pictures(house.running.house, everMs, 0, everMs);
  const heavy = ["alice", "bob", "cid", "dora"];
  await Promise.all(heavy.map((person) => pictures.inspect(person, path())));
  const first = pictures.inspect("alice", endless());
  const stalled = await stoppedDecoder();
  const behind = heavy.slice(1).map((person) => pictures.inspect(person, path()));
  expect(await pictures.inspect("emil", path())).toMatchObject({ width: side });
  expect(running()).toEqual([stalled]);
  process.kill(stalled, "SIGKILL");
  expect(await first).toBe("no picture");
  for (const inspected of await Promise.all(behind)) expect(inspected).toMatchObject({ width: side });
});

test("what has no turn in time is not waited for longer", async () => {
  const pictures = new Pictures(house.running.house, 300, undefined, everMs);
  const slow = pictures.inspect("alice", endless());
  const stalled = await stoppedDecoder();
  const behind = pictures.inspect("alice", path());
  const asked = performance.now();
  await until(() => performance.now() > asked + 300, "its time does not pass");
  process.kill(stalled, "SIGKILL");
  expect([await slow, await behind]).toEqual(["no picture", "not yet"]);
});

test("while the house shuts nothing begins, and what waits is not looked at yet", async () => {
  const pictures = new Pictures(house.running.house);
  const [first, second] = [pictures.inspect("alice", endless()), pictures.inspect("bob", endless())];
  const third = pictures.inspect("cid", path());
  await until(() => running().length === 2, "two have not started");
  pictures.close();
  const late = pictures.inspect("dora", path());
  for (const inspected of [first, second, third, late]) expect(await inspected).toBe("not yet");
});

test("an upload whose picture had no turn is a file all the same, and gets its size and preview later", async () => {
  const alice = await house.person("alice");
  picturesOf(house.running.house).close();
  const photo = await upload(alice, "photo.png", await pictureOf("png", { width: 900, height: 90 }));
  expect([photo.width, photo.height, photo.preview_url]).toEqual([null, null, null]);
  expect((await fetchFile(alice, photo.url)).status).toBe(200);
  const home = await alice.makeServer();
  const said = await alice.say(home.general.id, "", { attachments: [photo.url] });
  expect(said.attachments).toEqual([photo]);
  await house.restart();
  const shown = async () => (await alice.get<typeof said>(`/messages/${said.id}`)).body.attachments[0];
  await until(async () => (await shown())?.width !== null, "nobody looked at it");
  expect(await shown()).toEqual({ ...photo, width: 900, height: 90, preview_url: expect.any(String) });
});

test("the server's own process has no decoder in it, and no other process before and after a picture", async () => {
  const server = await startServer({ settings: { DATA_DIR: join(folder.path, "data") } });
  const decoderIn = (pid: number | undefined) =>
    /libvips|sharp-linux/.test(readFileSync(`/proc/${pid}/maps`, "latin1"));
  const alice = await TestPerson.register(server, "alice");
  await upload(alice, "a.txt", "no picture");
  expect(decodersOf(server.pid)).toEqual([]);
  let isMet = false;
  const watch = setInterval(() => {
    isMet ||= decodersOf(server.pid).some(decoderIn);
  }, 5);
  await until(async () => {
    expect((await upload(alice, "wide.png", wide)).width).toBe(side);
    return isMet;
  }, "no process decodes it").finally(() => clearInterval(watch));
  expect([decodersOf(server.pid), decoderIn(server.pid)]).toEqual([[], false]);
  await server.stop();
});
