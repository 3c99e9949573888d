// Blobs in a real S3 store: whole, in parts, listed, refused in sentences, and taken again when it is back.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/folder.ts";
import { canStore, type PrivateS3, startS3 } from "../../tests/house/s3.ts";
import { until } from "../../tests/house/waiting.ts";
import { CannotStart } from "../cannot-start.ts";
import { readConfig } from "../config/config.ts";
import { type Blobs, longestPiece } from "./blobs.ts";
import { keptUploads, openBlobs } from "./open.ts";

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) % 251);

describe.skipIf(!canStore)(canStore ? "an S3 store" : "an S3 store (skipped: none is installed)", () => {
  let s3: PrivateS3;
  let folder: TemporaryFolder;
  const open = (more: Record<string, string>, owner = "this one"): Promise<Blobs> =>
    openBlobs(readConfig([], { DATA_DIR: folder.path, ...more }), owner);
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
    // As if they had been put: the store's files are its objects.
    const inside = join(s3.folderOf("many"), "of a&b");
    for (const name of names.slice(1)) writeFileSync(join(inside, name), "twenty bytes of text");
    const found = await Array.fromAsync(blobs.all());
    expect(found.map(({ name }) => name).filter((name) => name !== "hearth.trial")).toEqual(names);
    for (const { name, size, writtenAt } of found.slice(0, 3)) {
      expect({ name, size }).toEqual({ name, size: 20 });
      expect(Date.now() - writtenAt).toBeWithin(-2000, 60_000);
    }
    blobs.close();
  });

  test("removes for its age only what it put there itself", async () => {
    const mine = await open(s3.settings("shared"), "mine");
    const other = await open(s3.settings("shared"), "the other's");
    await keep(mine, "a", bytesOf(11));
    await other.removeOwn("a");
    await other.removeOwn("none");
    expect(await mine.find("a")).not.toBeNull();
    await mine.removeOwn("a");
    expect(await mine.find("a")).toBeNull();
    for (const each of [mine, other]) each.close();
  });

  test("that cannot be used stops the start with a sentence that says what to do", async () => {
    const right = s3.settings("there");
    const wrong: [Record<string, string>, string][] = [
      [{ S3_URL: `${s3.url}/nowhere` }, "no such bucket: make it, or check S3_URL"],
      [{ S3_ACCESS_KEY_ID: "somebody" }, "does not know S3_ACCESS_KEY_ID"],
      [{ S3_SECRET_ACCESS_KEY: "something else" }, "S3_SECRET_ACCESS_KEY is not that of S3_ACCESS_KEY_ID"],
      [{ S3_REGION: "elsewhere" }, "S3_REGION"],
      [{ S3_URL: "http://127.0.0.1:9/there" }, "cannot be reached"],
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

  test("that loses its bucket refuses, says why, and goes on when it is there again", async () => {
    const blobs = await open(s3.settings("lost"));
    const heard: (string | undefined)[] = [];
    blobs.onTrouble((trouble) => heard.push(trouble?.sentence));
    await keep(blobs, "a", bytesOf(11));
    s3.removeBucket("lost");
    await expect(blobs.find("a")).rejects.toMatchObject({ code: "unavailable" });
    await expect(keep(blobs, "b", bytesOf(11))).rejects.toMatchObject({ code: "unavailable" });
    await expect(blobs.ping()).rejects.toThrow("it has no such bucket");
    expect(heard).toEqual([expect.stringContaining("it has no such bucket")]);
    s3.settings("lost");
    await until(() => heard.length === 2, "it does not go on");
    expect(heard[1]).toBeUndefined();
    await keep(blobs, "b", bytesOf(11));
    await blobs.ping();
    blobs.close();
  });

  test("that stands still holds up nobody for long, and what is refused then is not read either", async () => {
    const blobs = await open(s3.settings("still"));
    await keep(blobs, "a", bytesOf(11));
    s3.freeze();
    const begun = performance.now();
    await expect(blobs.find("a")).rejects.toMatchObject({ code: "unavailable" });
    expect(performance.now() - begun).toBeLessThan(8000);
    const again = performance.now();
    await expect(blobs.find("a")).rejects.toMatchObject({ code: "unavailable" });
    expect(performance.now() - again).toBeLessThan(1000);
    s3.thaw();
    await until(() => blobs.find("a").then(Boolean, () => false), "it does not go on", 20_000);
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
