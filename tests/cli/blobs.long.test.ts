// `hearth blobs copy`, as real processes beside a running server: to a real S3 store and back, interrupted, damaged.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFilename } from "../../features/files/naming.ts";
import { openBlobs } from "../../server/blobs/open.ts";
import { readConfig } from "../../server/config/config.ts";
import { startFaultyStore } from "../doubles/faulty-store.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { endProcess, type ServerProcess, spawnServer, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { pictureOf } from "../house/material/images.ts";
import { TestPerson } from "../house/people/people.ts";
import { fetchFile, upload } from "../house/scenes/files.ts";
import { canStore, type PrivateS3, s3Key, startS3 } from "../house/servers/s3.ts";
import { expectDone, expectRefused, hearth } from "./hearth.ts";

const { PATH = "" } = Bun.env;
const title = canStore ? "hearth blobs copy" : "hearth blobs copy (skipped: no S3 store is installed)";

describe.skipIf(!canStore)(title, () => {
  let s3: PrivateS3;
  let temporary: TemporaryFolder;
  beforeAll(async () => {
    temporary = temporaryFolder();
    s3 = await startS3();
  });
  afterAll(async () => {
    await s3[Symbol.asyncDispose]();
    temporary.remove();
  });

  /** Makes a data folder and a bucket of this name. */
  function place(name: string) {
    const DATA_DIR = join(temporary.path, name);
    const uploads = join(DATA_DIR, "uploads");
    mkdirSync(uploads, { recursive: true, mode: 0o700 });
    const onDisk = { DATA_DIR, PATH };
    const inStore = { ...onDisk, ...s3.settings(name), ...s3Key };
    return { uploads, bucket: s3.folderOf(name), onDisk, inStore };
  }

  /** Writes this many uploads of ten kilobytes, all different. */
  function fill(folder: string, count: number): string[] {
    const names = Array.from({ length: count }, () => newFilename("txt"));
    for (const name of names) writeFileSync(join(folder, name), name.repeat(280));
    return names;
  }

  const sumOf = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

  test("moves all uploads to the store and back, while people use them", async () => {
    const { onDisk, inStore, uploads, bucket } = place("there-and-back");
    const host = { url: "" };
    let server: ServerProcess | undefined;
    const serve = async (settings: Record<string, string>) => {
      await server?.stop();
      server = await startServer({ settings: { ...settings, LOG_LEVEL: "warn" } });
      host.url = server.url;
    };
    try {
      await serve(onDisk);
      const alice = await TestPerson.register(host, "alice");
      const photo = await upload(alice, "photo.png", await pictureOf("png", { width: 900, height: 90 }));
      const texts = await Promise.all([1, 2].map((i) => upload(alice, `${i}.txt`, `file ${i}`)));
      const urls = [photo.url, photo.preview_url ?? "", ...texts.map(({ url }) => url)];
      const readAll = async () => {
        const answers = await Promise.all(urls.map((url) => fetchFile(alice, url)));
        return Promise.all(
          answers.map(async (each) => Buffer.from(await each.arrayBuffer()).toString("hex")),
        );
      };
      const before = await readAll();
      expectDone(await hearth("blobs copy --to s3", inStore), /^4 uploads in the S3 store .*: 4 copied and/);
      expectDone(
        await hearth("blobs copy --to s3", inStore),
        "0 copied and read back, 0.0 MB; 4 there already",
      );

      await serve(inStore);
      await until(
        () => server?.stderr().includes("uploads lie in DATA_DIR, where nobody finds them") === true,
        "the log says nothing of what lies in DATA_DIR",
      );
      for (const name of readdirSync(uploads)) if (name !== "tmp") rmSync(join(uploads, name));
      expect(await readAll()).toEqual(before);
      urls.push((await upload(alice, "3.txt", "file 3")).url);
      expect(readdirSync(uploads)).toEqual(["tmp"]);
      const backup = join(temporary.path, "with-store.tar");
      const backedUp = await hearth(`backup ${backup}`, inStore);
      expectDone(backedUp, "5 uploads");
      expect(backedUp.stdout).not.toContain("not as written");
      expectDone(await hearth(`restore --check ${backup}`, inStore), "It is whole.");

      const rotten = texts[0]?.url.replace("/files/", "") ?? "";
      const bytes = readFileSync(join(bucket, rotten));
      writeFileSync(join(bucket, rotten), "x".repeat(bytes.length));
      expectDone(
        await hearth(`backup ${join(temporary.path, "rotten.tar")}`, inStore),
        `1 upload in the S3 store is not as written (${rotten})`,
      );
      writeFileSync(join(bucket, rotten), bytes);

      expectDone(await hearth("blobs copy --to disk", inStore), "5 copied and read back");
      await serve(onDisk);
      expect(server?.stderr()).toBe("");
      expect((await readAll()).slice(0, 4)).toEqual(before);
      expect(await (await fetchFile(alice, urls[4] ?? "")).text()).toBe("file 3");
    } finally {
      await server?.stop();
    }
  });

  /** Uploads this many files to a Hearth that is stopped then. Returns their stored names. */
  async function uploaded(settings: Record<string, string>, count: number): Promise<string[]> {
    const server = await startServer({ settings: { ...settings, LOG_LEVEL: "warn" } });
    const alice = await TestPerson.register(server, "alice");
    const names: string[] = [];
    for (let i = 0; i < count; i++)
      names.push((await upload(alice, `${i}.txt`, `file ${i}`)).url.replace("/files/", ""));
    await server.stop();
    return names;
  }

  test("leaves no copy of what a running Hearth lets go meanwhile, and each other one", async () => {
    const { onDisk, inStore, uploads, bucket } = place("let-go");
    await using double = await startFaultyStore(s3.url);
    const names = await uploaded(onDisk, 3);
    const [letGo = "", lost = "", kept = ""] = names;
    // The GET compares an object that was written.
    double.before = async ({ method, url = "" }) => {
      if (method !== "GET" || !url.endsWith(kept)) return;
      const database = new Database(join(onDisk.DATA_DIR, "hearth.db"));
      database.run("DELETE FROM uploads WHERE filename = ?", [letGo]);
      database.close();
      await until(() => [letGo, lost].every((name) => existsSync(join(bucket, name))), "they are not copied");
      for (const name of [letGo, lost]) rmSync(join(uploads, name), { force: true });
    };
    const ended = await hearth("blobs copy --to s3", { ...inStore, S3_URL: `${double.url}/let-go` });
    expectDone(ended, "1 of them went with deleted messages meanwhile");
    // A file that a row still names was not let go: however it was lost, its copy may be the last one.
    expect(names.filter((name) => existsSync(join(bucket, name)))).toEqual([lost, kept]);
  });

  test("names the copies of what was let go that cannot be removed, and removes those behind them", async () => {
    const { onDisk, inStore, uploads, bucket } = place("staying");
    await using double = await startFaultyStore(s3.url);
    const names = await uploaded(onDisk, 4);
    const kept = names.pop() ?? "";
    double.before = async ({ method, url = "" }) => {
      if (method !== "GET" || !url.endsWith(kept)) return;
      const database = new Database(join(onDisk.DATA_DIR, "hearth.db"));
      for (const name of names) database.run("DELETE FROM uploads WHERE filename = ?", [name]);
      database.close();
      await until(() => names.every((name) => existsSync(join(bucket, name))), "they are not copied");
      for (const name of names) rmSync(join(uploads, name), { force: true });
    };
    // The first copy to be removed stays, as under an object lock.
    let locked: string | undefined;
    double.fault = { status: 403, code: "AccessDenied" };
    double.isFor = ({ method, url = "" }) => {
      const name = names.find((each) => url.endsWith(each));
      if (method !== "DELETE" || name === undefined) return false;
      locked ??= name;
      return name === locked;
    };
    const ended = await hearth("blobs copy --to s3", { ...inStore, S3_URL: `${double.url}/staying` });
    expect(ended.exitCode).toBe(1);
    expect(ended.stdout).toContain("2 of them went with deleted messages meanwhile");
    expect(ended.stderr).toContain(`1 upload went with deleted messages meanwhile`);
    expect(ended.stderr.trimEnd()).toEndWith(`: ${locked}.`);
    expect(names.filter((name) => existsSync(join(bucket, name)))).toEqual([locked ?? ""]);
  });

  test("makes free what a Hearth had put there, so that the one restored from its backup may remove it", async () => {
    const { inStore, uploads, bucket } = place("restored");
    const [name = ""] = fill(uploads, 1);
    const open = (owner: string) => openBlobs(readConfig([], inStore), owner);
    const [former, restored] = [await open("the former"), await open("the restored")];
    const draft = await former.draft();
    await draft.write(readFileSync(join(uploads, name)));
    await draft.keep(name);
    expect(await restored.remove(name)).toBe(false);
    expect(existsSync(join(bucket, name))).toBe(true);
    expectDone(await hearth("blobs copy --to s3", inStore), "1 copied and read back");
    expectDone(await hearth("blobs copy --to s3", inStore), "1 there already");
    expect(await restored.remove(name)).toBe(true);
    expect(existsSync(join(bucket, name))).toBe(false);
    for (const each of [former, restored]) each.close();
  });

  test("that is killed goes on where it was, and ends with all of them", async () => {
    const { inStore, uploads, bucket } = place("cut-off");
    const names: string[] = [];
    const copied = () => names.filter((name) => existsSync(join(bucket, name))).length;
    let before = 0;
    // If all were copied before the kill, try again with more.
    while (before === names.length) {
      names.push(...fill(uploads, 300));
      const child = spawnServer(
        inStore,
        [],
        [process.execPath, "cli/main.ts", "blobs", "copy", "--to", "s3"],
      );
      await until(() => copied() > before + 20, "nothing is copied");
      await endProcess(child, "SIGKILL");
      before = copied();
    }
    const again = await hearth("blobs copy --to s3", inStore);
    expectDone(again, `${names.length} uploads in the S3 store`);
    const [, wereThere = ""] = / (\d+) there already/.exec(again.stdout) ?? [];
    // Four uploads run side by side: the store may complete one whose sender was killed.
    expect(Number(wereThere)).toBeWithin(before - 4, before + 5);
    for (const name of names) expect(sumOf(join(bucket, name))).toBe(sumOf(join(uploads, name)));
  });

  test("that loses the store half-way says so in a sentence, and goes on later", async () => {
    const { inStore, uploads, bucket } = place("half-way");
    let count = 0;
    for (let isBrokenOff = false; !isBrokenOff; ) {
      const names = fill(uploads, 300);
      count += names.length;
      const ending = hearth("blobs copy --to s3", inStore);
      await until(() => names.some((name) => existsSync(join(bucket, name))), "nothing is copied");
      await s3.stop();
      const ended = await ending;
      await s3.start();
      // If all were copied before the store went, try again with more.
      isBrokenOff = ended.exitCode !== 0;
      if (isBrokenOff)
        expectRefused(ended, /^It was broken off \(\d+ copied .*: the S3 store at \S+ cannot be reached\./);
    }
    expectDone(await hearth("blobs copy --to s3", inStore), `${count} uploads in the S3 store`);
  });

  test("leaves out what is not as it was written, and names it", async () => {
    const { inStore, uploads, bucket } = place("damaged");
    const names = fill(uploads, 5);
    writeFileSync(join(uploads, "notes.txt"), "this is none of Hearth's");
    expectDone(await hearth("blobs copy --to s3", inStore), "5 uploads");
    expect(readdirSync(bucket)).not.toContain("notes.txt");
    for (const name of names) rmSync(join(uploads, name));
    const damaged = names[2] ?? "";
    writeFileSync(join(bucket, damaged), "x".repeat(readFileSync(join(bucket, damaged)).length));
    const ended = await hearth("blobs copy --to disk", inStore);
    expect(ended).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("4 uploads in ") });
    expect(ended.stderr).toContain(`1 upload did not arrive as written, the first is ${damaged}`);
    expect(existsSync(join(uploads, damaged))).toBe(false);
    for (const name of names) if (name !== damaged) expect(existsSync(join(uploads, name))).toBe(true);
  });

  test("says in a sentence what is wrong, as do the doctor and the start", async () => {
    const { onDisk, inStore } = place("wrong");
    expect((await hearth("doctor", inStore)).stdout).toMatch(/^ok +S3 store +It takes uploads/m);
    for (const words of [
      "blobs",
      "blobs copy",
      "blobs copy --to tape",
      "blobs copy --to",
      "backup a --to s3",
    ])
      expectRefused(await hearth(words, inStore), "hearth blobs copy", 2);
    expectRefused(await hearth("blobs copy --to s3", onDisk), "The setting S3_URL is missing");
    s3.removeBucket("wrong");
    expectRefused(await hearth("blobs copy --to s3", inStore), "it has no such bucket");
    expectRefused(await hearth("blobs copy --to disk", inStore), "it has no such bucket");
    expectRefused(await hearth("serve --port 0", inStore), "it has no such bucket: make it, or check S3_URL");
    const doctor = await hearth("doctor", inStore);
    expect(doctor.exitCode).toBe(1);
    expect(doctor.stdout).toMatch(/^wrong +S3 store +Uploads cannot be kept .* no such bucket/m);
    for (const { stdout, stderr } of [doctor, await hearth("settings", inStore)])
      expect(stdout + stderr).not.toContain(inStore.S3_SECRET_ACCESS_KEY);
  });
});
