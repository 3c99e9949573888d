// Whose picture is decoded when: two at once, one of a person's, none before the first picture and none after the last.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodersOf, stoppedDecoder } from "../../tests/house/decoders.ts";
import { makeHouse, type TestHouse } from "../../tests/house/engines.ts";
import { fetchFile, upload } from "../../tests/house/files.ts";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/folder.ts";
import { hugePng, pictureOf } from "../../tests/house/images.ts";
import { TestPerson } from "../../tests/house/people.ts";
import { startServer } from "../../tests/house/process.ts";
import { until } from "../../tests/house/waiting.ts";
import { Pictures, picturesOf } from "./pictures.ts";

/** Takes longer to decode than a process takes to be seen. */
const wide = hugePng(4000, 4000);
const running = () => decodersOf(process.pid);

let house: TestHouse;
let folder: TemporaryFolder;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  folder = temporaryFolder();
  writeFileSync(path(), wide);
});
afterEach(() => until(() => running().length === 0, "a process goes on"));
afterAll(async () => {
  await house.end();
  folder.remove();
});

const path = () => join(folder.path, "wide.png");

/** Does the work, and returns how many processes there were at most meanwhile. */
async function mostDuring(work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, running().length);
  }, 5);
  await work();
  clearInterval(watch);
  return most;
}

/** The process that decodes now does nothing any more, until its 10 s are over. */
const stall = stoppedDecoder;

test("of six people at the same time two are served at once, and all of them in the end", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, (_, i) => house.person(`person${i}`)));
  expect(running()).toEqual([]);
  const most = await mostDuring(async () => {
    const answers = await Promise.all(people.map((person) => upload(person, "wide.png", wide)));
    expect(answers.map(({ width }) => width)).toEqual(Array(6).fill(4000));
  });
  expect(most).toBe(2);
});

test("of one person's six one at a time; somebody else need not wait for a slow one of theirs", async () => {
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const most = await mostDuring(() =>
    Promise.all(Array.from({ length: 6 }, () => upload(alice, "wide.png", wide))),
  );
  expect(most).toBe(1);
  const slow = upload(alice, "wide.png", wide);
  const stalled = await stall();
  const behind = upload(alice, "wide.png", wide);
  expect((await upload(bob, "wide.png", wide)).width).toBe(4000);
  expect(running()).toEqual([stalled]);
  expect([(await slow).width, (await behind).width]).toEqual([null, 4000]);
});

test("people whose pictures took long share one place; somebody else's picture waits for none of theirs", async () => {
  const pictures = new Pictures(house.running.house, 60_000, 0);
  const heavy = ["alice", "bob", "cid", "dora"];
  await Promise.all(heavy.map((person) => pictures.inspect(person, path())));
  const first = pictures.inspect("alice", path());
  const stalled = await stall();
  const behind = heavy.slice(1).map((person) => pictures.inspect(person, path()));
  expect(await pictures.inspect("emil", path())).toMatchObject({ width: 4000 });
  expect(running()).toEqual([stalled]);
  expect(await first).toBe("no picture");
  for (const inspected of await Promise.all(behind)) expect(inspected).toMatchObject({ width: 4000 });
});

test("what has no turn in time is not waited for longer", async () => {
  const pictures = new Pictures(house.running.house, 300);
  const slow = pictures.inspect("alice", path());
  const stalled = await stall();
  const behind = pictures.inspect("alice", path());
  expect(await behind).toBe("not yet");
  expect([await slow, running().includes(stalled)]).toEqual(["no picture", false]);
});

test("while the house shuts nothing begins, and what waits is not looked at yet", async () => {
  const pictures = new Pictures(house.running.house);
  const [first, second] = [pictures.inspect("alice", path()), pictures.inspect("bob", path())];
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
  const uploading = upload(alice, "wide.png", wide);
  await until(() => decodersOf(server.pid).some(decoderIn), "no process decodes it");
  expect((await uploading).width).toBe(4000);
  expect([decodersOf(server.pid), decoderIn(server.pid)]).toEqual([[], false]);
  await server.stop();
});
