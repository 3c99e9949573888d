// A backup is made, checked and restored: the house comes back with its messages and files.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import {
  headName,
  letGoName,
  readHead,
  sumsName,
  writtenHead,
  writtenLetGo,
} from "../../cli/archive/head.ts";
import { tarEntries } from "../../cli/archive/tar.ts";
import { ArchiveWriter } from "../../cli/archive/writer.ts";
import { readPieces, writeAll } from "../../cli/disk.ts";
import { checkBackup, restore } from "../../cli/restore.ts";
import { readConfig } from "../../server/config/config.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { at } from "../house/open/cluster.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { fetchFile, upload } from "../house/scenes/files.ts";
import { s3Key } from "../house/servers/s3.ts";
import { expectDone, hearth, run } from "./hearth.ts";

describe("a backup", () => {
  const PATH = Bun.env.PATH ?? "";
  let folder: TemporaryFolder;
  let house: TestHouse;
  let alice: TestPerson;
  let general: string;
  let kept: string;
  let lost: string;
  const backup = () => join(folder.path, "backup.tar");

  beforeAll(async () => {
    folder = temporaryFolder();
    house = await makeHouse("SQLite", {});
    await house.open();
    alice = await house.person("alice");
    general = (await alice.makeServer()).general.id;
    [kept, lost] = [
      (await upload(alice, "kept.txt", "still here")).url,
      (await upload(alice, "lost.txt", "x")).url,
    ];
    await alice.say(general, "Look!", { attachments: [kept] });
    rmSync(join(house.settings.DATA_DIR ?? "", "uploads", nameOf(lost)));
    const made = await hearth(`backup ${backup()}`, { ...house.settings, PATH });
    expectDone(made, /has the database and 1 upload, .* MB\.\n1 upload that the database names is not in /);
  });
  afterAll(async () => {
    await house?.end();
    folder?.remove();
  });

  /** Restores into an empty folder, and starts a house there. */
  async function expectRestored(file: string): Promise<void> {
    const other = await makeHouse("SQLite", {});
    try {
      expectDone(await hearth(`restore ${file}`, { ...other.settings, PATH }), "start Hearth");
      expect(readdirSync(join(other.settings.DATA_DIR ?? "", "uploads"))).toEqual([nameOf(kept)]);
      await other.open();
      const there = at(other.url, alice);
      const said = await there.get<{ content: string }[]>(`/channels/${general}/messages`);
      expect(said.body.map(({ content }) => content)).toEqual(["Look!"]);
      expect(await (await fetchFile(there, kept)).text()).toBe("still here");
    } finally {
      await other.end();
    }
  }

  test("with an upload that was missing is whole, says so, and gives back the rest", async () => {
    const check = await hearth(`restore --check ${backup()}`, { ...house.settings, PATH });
    expectDone(check, /1 more was missing already when it was made\.[\s\S]*It is whole\./);
    await expectRestored(backup());
  });

  test("beside which a file of a deleted message went is whole, says so, and gives back the rest", async () => {
    const file = join(folder.path, "let-go.tar");
    await letGo(backup(), file, nameOf(lost));
    const check = await hearth(`restore --check ${file}`, { ...house.settings, PATH });
    expectDone(check, /1 more went with deleted messages while it was made\.[\s\S]*It is whole\./);
    await expectRestored(file);
  });

  /** Both the check and a restore refuse it, and the restore leaves nothing behind that a server could start on. */
  async function expectRefused(file: string, says: string): Promise<void> {
    const target = temporaryFolder();
    const settings = readConfig([], { DATA_DIR: target.path });
    await expect(checkBackup(file, settings)).rejects.toThrow(says);
    await expect(restore(file, settings)).rejects.toThrow(says);
    expect(readdirSync(target.path)).toEqual([]);
    target.remove();
  }

  test("that lacks an upload, a part of one, or its database is refused", async () => {
    const file = join(folder.path, "lacking.tar");
    const upload = `uploads/${nameOf(kept)}`;
    for (const [name, change, says] of [
      [upload, () => undefined, `the upload ${nameOf(kept)} that its database names is not in it`],
      [upload, (bytes) => bytes.subarray(1), `the upload ${nameOf(kept)} that its database names`],
      ["hearth.db", () => undefined, "it has no database"],
      [
        "hearth.db",
        (bytes) => bytes.fill(0xff, bytes.length - 40_960, bytes.length - 20_480),
        "is not intact",
      ],
    ] as [string, (bytes: Buffer) => Buffer | undefined, string][]) {
      await rewrite(backup(), file, (each, bytes) => (each === name ? change(bytes) : bytes));
      await expectRefused(file, says);
    }
    await expectRefused(join(folder.path, "nothing.tar"), "There is no file");
    // An upload listed as missing may be missing.
    const missing_uploads = [nameOf(lost), nameOf(kept)];
    await rewrite(backup(), file, (each, bytes) => {
      if (each === upload) return undefined;
      return each === headName
        ? Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), missing_uploads }))
        : bytes;
    });
    using said = spyOn(console, "log").mockImplementation(() => {});
    expect(await checkBackup(file, readConfig([], { DATA_DIR: folder.path }))).toBe(0);
    expect(String(said.mock.calls[0])).toContain(
      "with 0 uploads. 2 more were missing already when it was made.",
    );
  });

  test("whose database holds other rows than it should, or that a newer Hearth made, is refused", async () => {
    const file = join(folder.path, "other.tar");
    const settings = readConfig([], { DATA_DIR: folder.path });
    for (const [change, table] of [
      ["update messages set content = 'never said'", "messages"],
      ["delete from channels", "channels"],
    ] as const) {
      await rewrite(backup(), file, (each, bytes) => (each === "hearth.db" ? changed(bytes, change) : bytes));
      await expect(checkBackup(file, settings)).rejects.toThrow(
        `restored aside, its table ${table} does not hold what it held`,
      );
    }
    const head = (more: object) => (each: string, bytes: Buffer) =>
      each === headName ? Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), ...more })) : bytes;
    for (const newer of [{ migrations: ["9999_tomorrow"] }, { format: 3 }]) {
      await rewrite(backup(), file, head({ hearth: "9.9.9", ...newer }));
      await expectRefused(file, "cannot be read: it was made by a newer Hearth (9.9.9).");
    }
    // Backups of older Hearths have no checksums of their tables.
    await rewrite(backup(), file, head({ tables: undefined }));
    using said = spyOn(console, "log").mockImplementation(() => {});
    expect(await checkBackup(file, settings)).toBe(0);
    expect(String(said.mock.calls[0])).toEndWith("\nIt is whole.");
    expect(String(said.mock.calls[0])).not.toContain("Restored aside");
  });

  function changed(database: Buffer, statement: string): Buffer {
    const file = join(folder.path, "changed.db");
    writeFileSync(file, database);
    const opened = new Database(file);
    opened.run("pragma journal_mode = delete");
    opened.run(statement);
    opened.close();
    return readFileSync(file);
  }

  test("is restored over nothing: no Hearth that runs, no folder that holds something, no restore that was cut off", async () => {
    const into = (DATA_DIR: string) => restore(backup(), readConfig([], { DATA_DIR }));
    await expect(into(house.settings.DATA_DIR ?? "")).rejects.toThrow("A Hearth runs on");
    const full = temporaryFolder();
    writeFileSync(join(full.path, "letter.txt"), "dear");
    await expect(into(full.path)).rejects.toThrow("is not empty, and nothing is overwritten");
    await expect(into(join(full.path, "letter.txt"))).rejects.toThrow("(DATA_DIR) cannot be used");
    expect(readdirSync(full.path)).toEqual(["letter.txt"]);
    rmSync(join(full.path, "letter.txt"));
    mkdirSync(join(full.path, "hearth.restoring"));
    await expect(into(full.path)).rejects.toThrow("is under way, or was cut off");
    full.remove();
  });

  test("goes through a pipe, and has the second format where files may go while it is made", async () => {
    const headOf = (file: string) => readHead(execFileSync("tar", ["-xOf", file, headName]).toString());
    expect(headOf(backup())).toMatchObject({ format: 1, engine: "sqlite", missing_uploads: [nameOf(lost)] });
    const { database } = house.running.house;
    const release = { filename: nameOf(kept), due_at: Date.now() + 600_000 };
    await database.transaction((db) => db.insertInto("file_releases").values(release).execute());
    const file = join(folder.path, "piped.tar");
    const piped = `${process.execPath} cli/main.ts backup - | cat > ${file}`;
    const ended = await run(["sh", "-c", piped], { ...house.settings, PATH });
    await database.transaction((db) => db.deleteFrom("file_releases").execute());
    expect(ended.stderr).toStartWith("Standard output has the database and 1 upload, ");
    expect(headOf(file)?.format).toBe(2);
    expect(execFileSync("tar", ["-xOf", file, letGoName]).toString()).toBe("[]\n");
    using said = spyOn(console, "log").mockImplementation(() => {});
    expect(await checkBackup(file, readConfig([], { DATA_DIR: folder.path }))).toBe(0);
    expect(String(said.mock.calls[0])).toEndWith("\nIt is whole.");
  });

  test("encrypted to a passphrase opens with that, shows nothing else, and leaves no plain copy", async () => {
    const [file, passphrase] = [join(folder.path, "secret.tar.age"), join(folder.path, "passphrase")];
    writeFileSync(passphrase, "a long walk by the sea\n");
    const secret = { BACKUP_PASSPHRASE_FILE: passphrase };
    const made = await hearth(`backup ${file}`, { ...house.settings, ...secret, PATH });
    expectDone(made, "has the database and 1 upload,");
    const bytes = readFileSync(file);
    for (const shown of ["still here", "hearth.json", "Look!"]) expect(bytes.includes(shown)).toBe(false);
    expect(readdirSync(house.settings.DATA_DIR ?? "").filter((name) => name.startsWith("backup-"))).toEqual(
      [],
    );
    using said = spyOn(console, "log").mockImplementation(() => {});
    const open = (more: object) => checkBackup(file, readConfig([], { DATA_DIR: folder.path, ...more }));
    expect(await open(secret)).toBe(0);
    expect(String(said.mock.calls[0])).toEndWith("\nIt is whole.");
    await expect(open({})).rejects.toThrow("This backup is encrypted: name the file");
  });

  test("is not made with the settings of another Hearth, nor where its uploads are not at all", async () => {
    const file = join(folder.path, "none.tar");
    const elsewhere = { ...house.settings, PATH, DATABASE_URL: "postgres://hearth@127.0.0.1:9/hearth" };
    const uploads = join(house.settings.DATA_DIR ?? "", "uploads");
    const other = await hearth(`backup ${file}`, elsewhere);
    expect([other.exitCode, other.stderr]).toEqual([
      1,
      expect.stringMatching(/does not use PostgreSQL: leave out DATABASE_URL\.\n$/),
    ]);
    renameSync(join(uploads, nameOf(kept)), join(folder.path, "aside"));
    const without = await hearth(`backup ${file}`, { ...house.settings, PATH });
    renameSync(join(folder.path, "aside"), join(uploads, nameOf(kept)));
    expect(without.stderr).toMatch(/^None of the 2 uploads is in .*\. Check DATA_DIR\.\n$/);
    expect(readdirSync(folder.path)).not.toContain("none.tar");
  });
});

test("a file that goes with its message after the database was copied is not missing: the backup notes it as gone", async () => {
  const [folder, house] = [temporaryFolder(), await makeHouse("SQLite", {})];
  await house.open();
  const alice = await house.person("alice");
  const { url } = await upload(alice, "gone.txt", "gone before the store is listed");
  // The bucket is empty, and a day passes while it is listed.
  await using store = Bun.serve({
    port: 0,
    async fetch() {
      await house.running.house.database.transaction((db) =>
        db.deleteFrom("uploads").where("filename", "=", nameOf(url)).execute(),
      );
      return new Response("<ListBucketResult></ListBucketResult>");
    },
  });
  const bucket = { S3_URL: `${store.url}uploads`, ...s3Key };
  const file = join(folder.path, "gone.tar");
  const { PATH = "" } = Bun.env;
  const made = await hearth(`backup ${file}`, { ...house.settings, ...bucket, PATH });
  expectDone(made, /has the database and 0 uploads, .* MB; 1 more went with deleted messages meanwhile\.\n$/);
  const { missing_uploads } = JSON.parse(execFileSync("tar", ["-xOf", file, headName]).toString());
  expect(missing_uploads).toEqual([]);
  expect(JSON.parse(execFileSync("tar", ["-xOf", file, letGoName]).toString())).toEqual([nameOf(url)]);
  await house.end();
  folder.remove();
});

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "a backup of PostgreSQL is tried aside, and restored into an empty database alone, under another epoch",
  async () => {
    const [folder, house] = [temporaryFolder(), await makeHouse("PostgreSQL", {})];
    const [other, embedded] = [await makeHouse("PostgreSQL", {}), await makeHouse("SQLite", {})];
    await house.open();
    const alice = await house.person("alice");
    const home = await alice.makeServer();
    const { url } = await upload(alice, "kept.txt", "still here");
    await alice.say(home.general.id, "Look!", { attachments: [url] });
    const file = join(folder.path, "postgres.tar");
    const { PATH = "" } = Bun.env;
    expectDone(await hearth(`backup ${file}`, { ...house.settings, PATH }), "has the database and 1 upload,");

    using said = spyOn(console, "log").mockImplementation(() => {});
    const last = () => String(said.mock.calls.at(-1)?.[0]);
    expect(await checkBackup(file, readConfig([], house.settings))).toBe(0);
    expect(last()).toMatch(
      /Restored aside, its \d+ tables hold the \d+ rows that they held\.\nIt is whole\.$/,
    );
    expect(await checkBackup(file, readConfig([], embedded.settings))).toBe(0);
    expect(last()).toMatch(/were not restored aside: that needs DATABASE_URL .*\nIt is whole\.$/);
    await expect(restore(file, readConfig([], embedded.settings))).rejects.toThrow(
      "This is a backup of PostgreSQL: name an empty database in DATABASE_URL.",
    );
    const DATABASE_URL = house.settings.DATABASE_URL ?? "";
    await expect(restore(file, readConfig([], { ...other.settings, DATABASE_URL }))).rejects.toThrow(
      "The database in DATABASE_URL is not empty",
    );
    expect(await restore(file, readConfig([], other.settings))).toBe(0);
    expect(last()).toMatch(/with 1 upload\.\nIt is in .* now: start Hearth with this DATA_DIR\.$/);
    await other.open();
    const there = at(other.url, alice);
    const messages = await there.get<{ content: string }[]>(`/channels/${home.general.id}/messages`);
    expect(messages.body.map(({ content }) => content)).toEqual(["Look!"]);
    expect(await (await fetchFile(there, url)).text()).toBe("still here");
    expect(other.running.house.epoch).not.toBe(house.running.house.epoch);
    for (const each of [house, other, embedded]) await each.end();
    folder.remove();
  },
);

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "a backup of PostgreSQL gives pg_dump the password as it is, whatever signs it has, and not as an argument",
  async () => {
    const folder = temporaryFolder();
    const house = await makeHouse("PostgreSQL", {});
    await house.open();
    const password = "p@ss/w:rd ü%20";
    const url = new URL(house.settings.DATABASE_URL ?? "");
    url.password = encodeURIComponent(password);
    const programs = join(folder.path, "programs");
    mkdirSync(programs);
    const heard = (what: string) => join(folder.path, what);
    const script = `#!/bin/sh\nprintf %s "$PGPASSWORD" > ${heard("password")}\nprintf %s "$*" > ${heard("arguments")}\nexit 1\n`;
    writeFileSync(join(programs, "pg_dump"), script, { mode: 0o755 });
    const settings = { ...house.settings, PATH: `${programs}:${Bun.env.PATH}`, DATABASE_URL: url.href };
    expect((await hearth(`backup ${heard("backup.tar")}`, settings)).exitCode).toBe(1);
    expect(readFileSync(heard("password"), "utf8")).toBe(password);
    expect(readFileSync(heard("arguments"), "utf8")).toContain("--dbname=");
    expect(readFileSync(heard("arguments"), "utf8")).not.toContain(url.password);
    await house.end();
    folder.remove();
  },
);

function nameOf(url: string): string {
  return url.replace("/files/", "");
}

/** The same backup as if this upload had been let go while it was made. */
async function letGo(from: string, to: string, name: string): Promise<void> {
  const after = (each: string, bytes: Buffer) => {
    const head = each === headName ? readHead(bytes.toString()) : undefined;
    return head ? writtenHead({ ...head, format: 2, missing_uploads: [] }) : bytes;
  };
  await rewrite(from, to, after, [letGoName, writtenLetGo([name])]);
}

/** The same backup with files changed or left out, one added at its end, and matching checksums. */
async function rewrite(
  from: string,
  to: string,
  change: (name: string, bytes: Buffer) => Buffer | undefined,
  oneMore?: [name: string, bytes: Buffer],
): Promise<void> {
  rmSync(to, { force: true });
  const file = await open(to, "wx", 0o600);
  const archive = new ArchiveWriter({ write: (bytes) => writeAll(file, bytes) });
  for await (const entry of tarEntries(readPieces(from))) {
    const bytes = change(entry.name, Buffer.concat(await Array.fromAsync(entry.bytes)));
    if (bytes && entry.name !== sumsName) await archive.add(entry.name, bytes.length, once(bytes));
  }
  if (oneMore) await archive.add(oneMore[0], oneMore[1].length, once(oneMore[1]));
  await archive.finish();
  await file.close();
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
