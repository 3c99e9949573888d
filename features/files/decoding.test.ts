// A short test of decoding pictures: the results, the queue, and what the process may know and say;
// decoding.long.test.ts and turns.long.test.ts have all of it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/machine/folder.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { decodersOf, stoppedDecoder } from "../../tests/house/material/decoders.ts";
import { pictureOf } from "../../tests/house/material/images.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { fetchFile, filesOn, upload } from "../../tests/house/scenes/files.ts";
import { decode } from "./decoding.ts";
import { checkPreviews } from "./doctor.ts";
import { inspectUpload } from "./inspecting.ts";
import { Pictures, picturesOf } from "./pictures.ts";
import { selectPreview, selectUpload, sumOfUploads } from "./store.ts";

/** Longer than any test waits. */
const everMs = 600_000;

let house: TestHouse;
let folder: TemporaryFolder;
let whole: string;
/** A pipe without a writer: reading it never ends. */
let endless: string;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  folder = temporaryFolder();
  whole = fileOf(await pictureOf("png", { width: 90, height: 60 }));
  endless = join(folder.path, "endless.png");
  execFileSync("mkfifo", [endless]);
});
afterEach(() => until(() => decodersOf(process.pid).length === 0, "a process goes on"));
afterAll(async () => {
  await house.end();
  folder.remove();
});

function fileOf(content: string | Uint8Array): string {
  const path = join(folder.path, crypto.randomUUID());
  writeFileSync(path, content);
  return path;
}

const never = () => new AbortController().signal;
/** Runs this program instead, as if a picture had taken the process over. */
const decodeBy = (program: string, withinMs?: number) => decode("any", never(), fileOf(program), withinMs);

test("a preview has the colours of the picture where that is half transparent", async () => {
  const background = { r: 200, g: 100, b: 50, alpha: 0.5 };
  const create = { width: 1000, height: 900, channels: 4, background } as const;
  const { picture } = await decode(fileOf(await sharp({ create }).png().toBuffer()), never());
  const { data } = await sharp(picture?.preview).raw().toBuffer({ resolveWithObject: true });
  for (const [at, value] of [200, 100, 50, 128].entries())
    expect(Math.abs((data[at] ?? 0) - value)).toBeLessThan(6);
});

test("a preview is the right way up and says nothing of its camera, each of the eight ways", async () => {
  const small = (one: Uint8Array | undefined) =>
    sharp(one).autoOrient().resize(8, 8, { fit: "fill" }).raw().toBuffer();
  for (let orientation = 1; orientation <= 8; orientation++) {
    const exif = { IFD0: { Model: "Box camera" } };
    const bytes = await pictureOf("jpeg", { width: 960, height: 600, orientation, exif });
    const { picture } = await decode(fileOf(bytes), never());
    const preview = picture?.preview;
    const [shown, expected] = [await small(preview), await small(bytes)];
    const worst = Math.max(...shown.map((value, i) => Math.abs(value - (expected[i] ?? 0))));
    expect([orientation, worst < 40]).toEqual([orientation, true]);
    expect(Buffer.from(preview ?? "").includes("Box camera")).toBe(false);
  }
});

test("SVG and TIFF are not even looked at, whatever they are called", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"/>';
  const tiff = await sharp(Buffer.from(svg)).tiff().toBuffer();
  for (const bytes of [svg, tiff]) expect(await decode(fileOf(bytes), never())).toEqual({});
});

describe("the process", () => {
  test("knows nothing of the server: none of its settings, and not its folder", async () => {
    const program = "console.error(JSON.stringify([process.env, process.cwd()])); process.exit(1)";
    expect(JSON.parse((await decodeBy(program)).trouble ?? "")).toEqual([{}, "/"]);
  });

  test("is believed as far as it can be true", async () => {
    const say = (text: string) => `process.stdout.write(${JSON.stringify(text)})`;
    const fine = '{"width":10000,"height":10000}\n';
    const preview = "RIFF1234WEBPxyz";
    expect((await decodeBy(say(fine + preview))).picture).toEqual({
      ...{ width: 10_000, height: 10_000, preview: Buffer.from(preview) },
    });
    for (const lie of [
      "",
      '{"width":0,"height":900}\n',
      '{"width":10001,"height":10000}\n',
      `${fine}<script>`,
    ])
      expect([lie, await decodeBy(say(lie))]).toEqual([lie, { picture: undefined }]);
  });

  test("that fails by itself says nothing of the picture", async () => {
    expect((await decodeBy('throw new Error("no library")')).trouble).toContain("no library");
    expect(await decodeBy("process.exit(3)")).toEqual({});
  });

  test("is ended when it takes too long, takes too much memory, or when the server ends", async () => {
    expect(await decodeBy("setInterval(() => {}, 1000)", 300)).toEqual({});
    const grow = "const all = []; setInterval(() => all.push(Buffer.alloc(32 * 1024 * 1024, 1)), 10)";
    expect(await decodeBy(grow, everMs)).toEqual({});
    const server = new AbortController();
    const decoding = decode(endless, server.signal, undefined, everMs);
    await until(() => decodersOf(process.pid).length === 1, "it did not start");
    server.abort();
    expect(await decoding).toEqual({ trouble: "the server ends" });
  });
});

describe("turns", () => {
  test("a person has one picture at a time, all people together have two, and one who waits is served then", async () => {
    const pictures = new Pictures(house.running.house, everMs, undefined, everMs);
    const slow = pictures.inspect("alice", endless);
    const stalled = await stoppedDecoder();
    const behind = pictures.inspect("alice", whole);
    const done: string[] = [];
    void behind.then(() => done.push("alice"));
    expect(await pictures.inspect("bob", whole)).toMatchObject({ width: 90, height: 60 });
    expect(decodersOf(process.pid)).toEqual([stalled]);
    const second = pictures.inspect("bob", endless);
    await until(() => decodersOf(process.pid).length === 2, "the second place stays empty");
    const third = pictures.inspect("carol", whole);
    void third.then(() => done.push("carol"));
    // As long as the same picture takes without waiting.
    for (let i = 0; i < 2; i++) await decode(whole, never());
    expect(done).toEqual([]);
    for (const pid of decodersOf(process.pid)) process.kill(pid, "SIGKILL");
    expect([await slow, await second]).toEqual(["no picture", "no picture"]);
    for (const each of [behind, third]) expect(await each).toMatchObject({ width: 90, height: 60 });
  });

  test("people whose pictures took long share one place, and the other is left to those who need little", async () => {
    const pictures = new Pictures(house.running.house, everMs, 0, everMs);
    for (const person of ["alice", "bob"]) await pictures.inspect(person, whole);
    const first = pictures.inspect("alice", endless);
    const stalled = await stoppedDecoder();
    const behind = pictures.inspect("bob", whole);
    expect(await pictures.inspect("carol", whole)).toMatchObject({ width: 90 });
    expect(decodersOf(process.pid)).toEqual([stalled]);
    process.kill(stalled, "SIGKILL");
    expect([await first, await behind]).toEqual(["no picture", expect.objectContaining({ width: 90 })]);
  });

  test("a picture that has no turn in time, or none before the end of the server, is not looked at yet", async () => {
    const pictures = new Pictures(house.running.house, 100, undefined, everMs);
    const slow = pictures.inspect("alice", endless);
    const stalled = await stoppedDecoder();
    const behind = pictures.inspect("alice", whole);
    const asked = performance.now();
    await until(() => performance.now() > asked + 100, "its time does not pass");
    process.kill(stalled, "SIGKILL");
    expect([await slow, await behind]).toEqual(["no picture", "not yet"]);
    pictures.close();
    expect(await pictures.inspect("alice", whole)).toBe("not yet");
  });
});

test("with a house ends what it decodes", async () => {
  const own = await makeHouse("SQLite", {});
  try {
    await own.open();
    const slow = picturesOf(own.running.house).inspect("alice", endless);
    await until(() => decodersOf(process.pid).length === 1, "it did not start");
    await own.shut();
    expect(await slow).toBe("not yet");
  } finally {
    await own.end();
  }
});

test("an upload whose picture had no turn is kept all the same, and looked at once later, however many try", async () => {
  await house.quiet();
  const alice = await house.person("alice");
  picturesOf(house.running.house).close();
  const photo = await upload(alice, "photo.png", await pictureOf("png", { width: 900, height: 90 }));
  expect(photo).toMatchObject({ width: null, height: null, preview_url: null });
  expect((await fetchFile(alice, photo.url)).status).toBe(200);
  await house.restart();
  await house.quiet();
  const { house: running } = house.running;
  const { read } = running.database;
  const filename = photo.url.replace("/files/", "");
  const row = await selectUpload(read, filename);
  expect(row?.is_inspected).toBe(0);
  expect(await Promise.all([inspectUpload(running, row!), inspectUpload(running, row!)])).toEqual([
    true,
    true,
  ]);
  expect(await selectUpload(read, filename)).toMatchObject({ width: 900, height: 90, is_inspected: 1 });
  const preview = await selectPreview(read, filename);
  expect(await sumOfUploads(read, alice.id)).toBe(photo.size + (preview?.size ?? 0));
  expect((await fetchFile(alice, `/files/${preview?.filename}`)).status).toBe(200);
  expect(filesOn(house).drafts).toEqual([]);
});

test("the doctor says whether pictures are decoded, and what to do where they are not", async () => {
  const missing = join(folder.path, "nowhere", "picture-process.js");
  expect(existsSync(missing)).toBe(false);
  const found = [
    await checkPreviews(),
    await checkPreviews(missing),
    await checkPreviews(fileOf('throw new Error("no library")')),
    await checkPreviews(fileOf("process.exit(3)")),
  ];
  expect(found.map(({ state }) => state)).toEqual(["ok", "note", "wrong", "wrong"]);
  expect(found[1]?.says).toContain(join(folder.path, "nowhere"));
  expect(found[2]?.says).toContain("npm ci");
  expect(found[3]?.says).toContain("the smallest cannot be decoded");
});
