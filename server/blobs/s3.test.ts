// Blobs in a real S3 store: whole, in parts, listed, refused with a sentence, and accepted again once it is back.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { startFaultyStore } from "../../tests/doubles/faulty-store.ts";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/machine/folder.ts";
import { soon, until } from "../../tests/house/machine/waiting.ts";
import { canStore, type PrivateS3, startS3 } from "../../tests/house/servers/s3.ts";
import { CannotStart } from "../cannot-start.ts";
import { readConfig } from "../config/config.ts";
import { type Blobs, longestPiece, piecesOf } from "./blobs.ts";
import { keptUploads, openBlobs } from "./open.ts";
import { S3Objects } from "./s3-objects.ts";

/** Timeouts longer than a machine's occasional stall; a faulty store is retried at once. */
const patient = { answerMs: 60_000, sendMs: 60_000, betweenTrialsMs: 50 };
/** A timeout shorter than a stalled store. */
const brief = { ...patient, answerMs: 500 };

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) % 251);

describe.skipIf(!canStore)(canStore ? "an S3 store" : "an S3 store (skipped: none is installed)", () => {
  let s3: PrivateS3;
  let folder: TemporaryFolder;
  const open = (more: Record<string, string>, owner = "this one", clocks = patient): Promise<Blobs> =>
    openBlobs(readConfig([], { DATA_DIR: folder.path, ...more }), owner, clocks);
  const keep = async (blobs: Blobs, name: string, bytes: Uint8Array) => {
    const draft = await blobs.draft();
    try {
      await draft.write(bytes.subarray(0, 10));
      await draft.write(bytes.subarray(10));
      await draft.keep(name);
    } finally {
      await draft.discard();
    }
  };
  const read = async (blobs: Pick<Blobs, "find">, name: string, first?: number, last?: number) =>
    new Uint8Array(await new Response((await blobs.find(name))?.bytes(first, last)).arrayBuffer());

  /** Puts an object without the checksums of its pieces. */
  async function putAsBefore(bucket: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const { s3: settings } = readConfig([], s3.settings(bucket));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    await new S3Objects(settings!, patient).put(name, { bytes: new Blob([bytes]), sha256 });
  }

  beforeAll(async () => {
    folder = temporaryFolder();
    s3 = await startS3();
  });
  afterAll(async () => {
    await s3[Symbol.asyncDispose]();
    folder.remove();
  });

  test("keeps a draft under its name, gives it back whole or in part, and leaves nothing on this disk", async () => {
    const blobs = await open(s3.settings("whole"));
    const bytes = bytesOf(3 * longestPiece + 17);
    expect(await blobs.find("large")).toBeNull();
    await keep(blobs, "large", bytes);
    expect(readdirSync(join(folder.path, "uploads", "tmp"))).toEqual([]);
    expect(readdirSync(join(folder.path, "uploads"))).toEqual(["tmp"]);
    expect((await blobs.find("large"))?.size).toBe(bytes.length);
    expect(await read(blobs, "large")).toEqual(bytes);
    const last = bytes.length - 1;
    for (const [first, to] of [
      [0, 0],
      [last, last],
      [longestPiece - 1, longestPiece],
      [100, 2 * longestPiece + 100],
    ] as const)
      expect(await read(blobs, "large", first, to)).toEqual(bytes.slice(first, to + 1));
    await keep(blobs, "empty", new Uint8Array());
    expect(await read(blobs, "empty")).toEqual(new Uint8Array());
    await blobs.remove("large");
    await blobs.remove("large");
    expect(await blobs.find("large")).toBeNull();
    blobs.close();
  });

  test("lists what is kept, page after page, in a folder of the bucket too", async () => {
    const settings = s3.settings("many");
    const blobs = await open({ ...settings, S3_URL: `${settings.S3_URL}/of a&b` });
    const names = Array.from({ length: 1203 }, (_, i) => `file-${String(i).padStart(4, "0")}`);
    await keep(blobs, "file-0000", bytesOf(20));
    // The same as puts: the store's files are its objects.
    const inside = join(s3.folderOf("many"), "of a&b");
    for (const name of names.slice(1)) writeFileSync(join(inside, name), "twenty bytes of text");
    const found = await Array.fromAsync(blobs.all());
    expect(found.map(({ name }) => name).filter((name) => name !== "hearth.trial")).toEqual(names);
    for (const { name, size, writtenAt } of found.slice(0, 3)) {
      expect({ name, size }).toEqual({ name, size: 20 });
      expect(Date.now() - writtenAt).toBeWithin(-2000, 3600_000);
    }
    blobs.close();
  });

  test("removes nothing that another Hearth put there, and for its age only what it put there itself", async () => {
    const mine = await open(s3.settings("shared"), "mine");
    const other = await open(s3.settings("shared"), "the other's");
    await keep(mine, "a", bytesOf(11));
    await other.removeOwn("a");
    await other.removeOwn("none");
    expect([await other.remove("a"), await other.remove("none")]).toEqual([false, true]);
    expect(await mine.find("a")).not.toBeNull();
    await mine.removeOwn("a");
    expect(await mine.find("a")).toBeNull();
    await putAsBefore("shared", "copied", bytesOf(11));
    await mine.removeOwn("copied");
    expect(await mine.find("copied")).not.toBeNull();
    expect(await mine.remove("copied")).toBe(true);
    expect(await mine.find("copied")).toBeNull();
    for (const each of [mine, other]) each.close();
  });

  test("that cannot be used stops the start with a sentence that says what to do", async () => {
    const right = s3.settings("there");
    const wrong: [Record<string, string>, string][] = [
      [{ S3_URL: `${s3.url}/nowhere` }, "no such bucket: make it, or check S3_URL"],
      [{ S3_ACCESS_KEY_ID: "somebody" }, "does not know S3_ACCESS_KEY_ID"],
      [{ S3_SECRET_ACCESS_KEY: "something else" }, "S3_SECRET_ACCESS_KEY is not that of S3_ACCESS_KEY_ID"],
      [{ S3_REGION: "elsewhere" }, "S3_REGION"],
    ];
    for (const [setting, says] of wrong) {
      const error = await open({ ...right, ...setting }).catch((reason: Error) => reason as Error);
      expect(error).toBeInstanceOf(CannotStart);
      expect((error as Error).message).toContain(says);
      expect((error as Error).message).toStartWith(
        "Uploads cannot be kept (S3_URL): the S3 store at 127.0.0.1:",
      );
    }
  });

  test("that refuses a long upload says why, though it reads none of it", async () => {
    const { s3: settings } = readConfig([], { ...s3.settings("long"), S3_SECRET_ACCESS_KEY: "another" });
    const store = new S3Objects(settings!, patient);
    const bytes = new Blob([bytesOf(3_000_000)]);
    const sha256 = createHash("sha256").update(bytesOf(3_000_000)).digest("hex");
    for (let time = 0; time < 6; time++)
      await expect(store.put("a", { bytes, sha256 })).rejects.toMatchObject({
        message: expect.stringContaining("S3_SECRET_ACCESS_KEY is not that of S3_ACCESS_KEY_ID"),
        isAway: false,
      });
  });

  test("that a proxy lets no long upload through to is not away", async () => {
    const proxy = createServer((near) => {
      const far = connect(Number(new URL(s3.url).port), "127.0.0.1");
      let bytes = 0;
      near.on("data", (more) => {
        bytes += more.length;
        if (bytes > 100_000) near.destroy();
        else far.write(more);
      });
      far.on("data", (more) => near.write(more));
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const)
        one.on("error", () => {}).on("close", () => other.destroy());
    });
    await new Promise<void>((open) => proxy.listen(0, "127.0.0.1", open));
    const { port } = proxy.address() as { port: number };
    const { s3: settings } = readConfig([], s3.settings("behind"));
    const store = new S3Objects({ ...settings!, url: `http://127.0.0.1:${port}/behind` }, patient);
    const put = (length: number) => {
      const sha256 = createHash("sha256").update(bytesOf(length)).digest("hex");
      return store.put("a", { bytes: new Blob([bytesOf(length)]), sha256 });
    };
    await put(1000);
    await expect(put(3_000_000)).rejects.toMatchObject({
      message: expect.stringContaining("takes no uploads of 3000000 bytes"),
      isAway: false,
    });
    proxy.close();
  });

  test("that loses its bucket refuses, says why, and goes on when it is there again", async () => {
    const blobs = await open(s3.settings("lost"));
    const heard: (string | undefined)[] = [];
    blobs.onTrouble((trouble) => heard.push(trouble?.sentence));
    await keep(blobs, "a", bytesOf(11));
    s3.removeBucket("lost");
    await expect(blobs.find("a")).rejects.toMatchObject({ code: "unavailable" });
    await expect(keep(blobs, "b", bytesOf(11))).rejects.toMatchObject({ code: "unavailable" });
    expect(await blobs.trouble()).toContain("it has no such bucket");
    expect(heard).toEqual([expect.stringContaining("it has no such bucket")]);
    s3.settings("lost");
    await until(() => heard.length === 2, "it does not go on");
    expect(heard[1]).toBeUndefined();
    await keep(blobs, "b", bytesOf(11));
    expect(await blobs.trouble()).toBeUndefined();
    blobs.close();
  });

  test("that stands still holds up nobody for long, and what is refused then is not read either", async () => {
    const before = await open(s3.settings("still"));
    await keep(before, "a", bytesOf(11));
    before.close();
    const blobs = await open(s3.settings("still"), "this one", brief);
    s3.freeze();
    const refused = async () => {
      await expect(blobs.find("a")).rejects.toMatchObject({ code: "unavailable" });
    };
    await soon(refused());
    // Each of these requests would wait as long as the first did.
    using asked = spyOn(S3Objects.prototype, "find");
    for (let time = 0; time < 50; time++) await refused();
    expect(asked).not.toHaveBeenCalled();
    s3.thaw();
    await until(() => blobs.find("a").then(Boolean, () => false), "it does not go on");
    blobs.close();
  });

  test("that is full or fails keeps nobody from starting, and is used when it goes on", async () => {
    for (const fault of [500, 507] as const) {
      await using store = await startFaultyStore(s3.url);
      const settings = s3.settings("ill");
      store.fault = fault;
      const blobs = await open({ ...settings, S3_URL: `${store.url}/ill` });
      expect(await blobs.trouble()).toContain(fault === 507 ? "it is full" : "it answers 500");
      await expect(keep(blobs, "a", bytesOf(11))).rejects.toMatchObject({ code: "unavailable" });
      // Removals are allowed when the store is full: they make room.
      if (fault === 507) expect(await blobs.remove("none")).toBe(true);
      store.fault = undefined;
      await until(async () => (await blobs.trouble()) === undefined, "it does not go on");
      await keep(blobs, "a", bytesOf(11));
      blobs.close();
    }
  });

  test("that gives other bytes than it took breaks the answer off, whole or in part, and is told of once", async () => {
    await using store = await startFaultyStore(s3.url);
    const blobs = await open({ ...s3.settings("wrong"), S3_URL: `${store.url}/wrong` });
    const told: string[] = [];
    blobs.onWrongBytes((name) => told.push(name));
    const bytes = bytesOf(2 * longestPiece + 17);
    await keep(blobs, "large", bytes);
    await keep(blobs, "small", bytesOf(5));
    // An object from before pieces had checksums: the whole is verified before a part is given out.
    await putAsBefore("wrong", "old", bytes);
    store.fault = "wrong";
    for (const [name, first, last] of [
      ["large", 0, bytes.length - 1],
      ["large", 300_000, 300_001],
      ["large", bytes.length - 3, bytes.length - 1],
      ["small", 1, 1],
      ["old", 300_000, 300_001],
      ["old", 0, bytes.length - 1],
    ] as const)
      await expect(read(blobs, name, first, last)).rejects.toThrow("gives other bytes");
    expect(told).toEqual(["large", "small", "old"]);
    store.fault = undefined;
    for (const [first, last] of [
      [0, bytes.length - 1],
      [300_000, 300_001],
      [longestPiece - 1, longestPiece],
      [bytes.length - 3, bytes.length - 1],
    ] as const)
      for (const name of ["large", "old"])
        expect(await read(blobs, name, first, last)).toEqual(bytes.slice(first, last + 1));
    // Checksums that were computed for one part tell of other parts that are wrong later.
    store.fault = "wrong";
    await expect(read(blobs, "old", 5, 9)).rejects.toThrow("gives other bytes");
    expect(told).toHaveLength(3);
    blobs.close();
  });

  test("that fails at once is asked once more, and no more often; one that refuses is not", async () => {
    await using store = await startFaultyStore(s3.url);
    const blobs = await open({ ...s3.settings("once"), S3_URL: `${store.url}/once` });
    await keep(blobs, "a", bytesOf(11));
    let asked = 0;
    const failing = (times: number) => {
      asked = 0;
      store.isFor = ({ method }) => method === "HEAD" && ++asked <= times;
    };
    store.fault = 500;
    failing(1);
    expect((await blobs.find("a"))?.size).toBe(11);
    expect(asked).toBe(2);
    failing(3);
    await expect(blobs.find("a")).rejects.toMatchObject({ code: "unavailable" });
    expect(asked).toBe(2);
    await until(async () => (await blobs.trouble()) === undefined, "it does not go on");
    store.fault = { status: 403, code: "AccessDenied" };
    failing(3);
    await expect(blobs.find("a")).rejects.toMatchObject({ code: "unavailable" });
    expect(asked).toBe(1);
    blobs.close();
  });

  test("is looked at once a second, however many want to know how it is", async () => {
    const blobs = await open(s3.settings("looks"));
    using looks = spyOn(S3Objects.prototype, "look");
    // A run during which the machine stalled for a second proves nothing.
    await until(async () => {
      looks.mockClear();
      const begun = performance.now();
      for (let time = 0; time < 20; time++) expect(await blobs.trouble()).toBeUndefined();
      const tookMs = performance.now() - begun;
      if (tookMs < 1000) expect(looks.mock.calls.length).toBeLessThanOrEqual(2);
      return tookMs < 1000;
    }, "it stands still all the time");
    blobs.close();
  });

  test("that is slow is asked for some pieces at once, and for one after the other by a reader who is slower", async () => {
    await using store = await startFaultyStore(s3.url);
    const blobs = await open({ ...s3.settings("slow"), S3_URL: `${store.url}/slow` });
    const bytes = bytesOf(12 * longestPiece);
    await keep(blobs, "large", bytes);
    store.fault = { lateMs: 100 };
    const blob = await blobs.find("large");
    await until(async () => {
      store.mostAtOnce = 0;
      expect(new Uint8Array(await new Response(blob?.bytes()).arrayBuffer())).toEqual(bytes);
      expect(store.mostAtOnce).toBeLessThan(5);
      // The reader may be slower at times, when the machine stalls.
      return store.mostAtOnce >= 2;
    }, "it is asked for one piece after the other");
    store.mostAtOnce = 0;
    let asked = performance.now();
    for await (const _ of piecesOf(blob!.bytes(0, 4 * longestPiece - 1))) {
      // Longer than the store took for this piece.
      await Bun.sleep(performance.now() - asked + 50);
      asked = performance.now();
    }
    expect(store.mostAtOnce).toBe(1);
    blobs.close();
  });

  test("that was started again is used as before", async () => {
    const blobs = await open(s3.settings("again"));
    await keep(blobs, "a", bytesOf(1000));
    const trouble: unknown[] = [];
    blobs.onTrouble((each) => trouble.push(each));
    await s3.stop();
    await expect(blobs.find("a")).rejects.toMatchObject({ code: "unavailable" });
    await s3.start();
    await until(() => trouble.length === 2, "it does not go on");
    expect(await read(blobs, "a")).toEqual(bytesOf(1000));
    blobs.close();
  });

  test("is given bytes only with their checksum, which tells of a file that was changed on its way", async () => {
    const blobs = await open(s3.settings("sums"));
    const draft = await blobs.draft();
    await draft.write(bytesOf(100));
    writeFileSync(draft.path, readFileSync(draft.path).fill(1, 50));
    await expect(draft.keep("a")).rejects.toMatchObject({ code: "unavailable" });
    await draft.discard();
    expect(await (await keptUploads(readConfig([], s3.settings("sums")))).find("a")).toBeNull();
    blobs.close();
  });
});
