// A damaged backup: `hearth restore --check` and `hearth restore` detect every change in it.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { letGoName, sumsName } from "../../cli/archive/head.ts";
import { type TarEntry, tarEntries } from "../../cli/archive/tar.ts";
import { ArchiveWriter } from "../../cli/archive/writer.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { upload } from "../house/scenes/files.ts";
import { expectDone, expectRefused, hearth, run } from "./hearth.ts";

const { PATH = "" } = Bun.env;
let folder: TemporaryFolder;
let house: TestHouse;
let whole: Buffer;
let filename: string;
const inFolder = (name: string) => join(folder.path, name);

beforeAll(async () => {
  folder = temporaryFolder();
  house = await makeHouse("SQLite", {});
  await house.open();
  const alice = await house.person("alice");
  const home = await alice.makeServer();
  for (let i = 0; i < 100; i++) await alice.say(home.general.id, `message ${i}`);
  filename = (await upload(alice, "letter.txt", "Dear Bob")).url.replace("/files/", "");
  expectDone(
    await hearth(`backup ${inFolder("whole.tar")}`, house.settings),
    "has the database and 1 upload,",
  );
  whole = readFileSync(inFolder("whole.tar"));
});
afterAll(async () => {
  await house?.end();
  folder.remove();
});

/** Both the check and a restore refuse it, and the restore leaves nothing behind that a server could start on. */
async function expectRefusal(backup: Uint8Array, says: string | RegExp): Promise<void> {
  const file = await expectNotWhole(backup, says);
  const target = inFolder("target");
  expectRefused(await hearth(`restore ${file}`, { DATA_DIR: target }), says);
  for (const left of ["hearth.db", "hearth.restoring", "uploads"])
    expect(existsSync(join(target, left))).toBe(false);
}

async function expectNotWhole(backup: Uint8Array, says: string | RegExp): Promise<string> {
  const file = inFolder("damaged.tar");
  writeFileSync(file, backup);
  expectRefused(await hearth(`restore --check ${file}`), says);
  return file;
}

/** The same backup with files changed or left out, one added at its end, and matching checksums. */
async function rewritten(
  change: (name: string, content: Buffer) => Buffer | undefined,
  oneMore?: string,
  from = "whole.tar",
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const archive = new ArchiveWriter({
    async write(bytes) {
      parts.push(bytes);
    },
  });
  for await (const entry of tarEntries(createReadStream(inFolder(from)))) {
    const content = change(entry.name, await contentOf(entry));
    if (content && entry.name !== sumsName) await archive.add(entry.name, content.length, onePiece(content));
  }
  if (oneMore !== undefined) await archive.add(oneMore, 3, onePiece(Buffer.from("bad")));
  await archive.finish();
  return Buffer.concat(parts);
}

/** The same backup with other metadata. */
function described(words: object): Promise<Buffer> {
  return rewritten((name, content) =>
    name === "hearth.json"
      ? Buffer.from(JSON.stringify({ ...JSON.parse(content.toString()), ...words }))
      : content,
  );
}

async function contentOf({ bytes }: TarEntry): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(bytes));
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test("one changed byte is found wherever it is: in names, in the database, in an upload, in the sums, between them", async () => {
  const places = [
    0,
    130,
    300,
    600,
    1100,
    Math.floor(whole.length / 2),
    whole.length - 1,
    whole.length - 1030,
  ];
  const upload = whole.indexOf("Dear Bob");
  const sums = whole.indexOf("  hearth.db\n");
  for (const place of [...places, upload, upload + 8, upload + 400, sums - 1, sums + 3]) {
    const changed = Buffer.from(whole);
    changed[place] = (changed[place] ?? 0) ^ 0x10;
    await expectNotWhole(changed, /damaged\.tar is damaged: /);
  }
  // Looks like a backup of a newer Hearth: only the checksums reveal the damage.
  for (const [text, changedTo] of [
    ['"format": 1', '"format": 3'],
    ["_messages", "_messaged"],
  ] as const) {
    const changed = Buffer.from(whole);
    expect(changed.indexOf(text)).toBeGreaterThan(0);
    changed.write(changedTo, changed.indexOf(text));
    await expectNotWhole(changed, /damaged\.tar is damaged: hearth\.json is not as it was written/);
  }
});

test("what is cut off anywhere, or is no backup, is told", async () => {
  const part = /is damaged: (it ends too early: )?a part of it is missing/;
  for (const length of [0, 100, 512, 5000, whole.length - 600, whole.length - 1])
    await expectNotWhole(whole.subarray(0, length), part);
  await expectRefusal(whole.subarray(0, whole.length - 600), part);
  await expectRefusal(Buffer.concat([whole, Buffer.from("more")]), "something follows its end");
  await expectRefusal(
    Buffer.alloc(2048, "no backup "),
    "is damaged: a header in it is not as it was written",
  );
  expectRefused(await hearth(`restore --check ${inFolder("nothing.tar")}`), "There is no file");
});

test("an upload that is missing, or of another size, is named; so is what does not belong in a backup", async () => {
  const without = await rewritten((name, content) => (name.startsWith("uploads/") ? undefined : content));
  await expectRefusal(without, `the upload ${filename} that its database names is not in it`);
  const shorter = await rewritten((name, content) =>
    name.startsWith("uploads/") ? content.subarray(1) : content,
  );
  await expectRefusal(shorter, `the upload ${filename} that its database names is not in it`);
  const noDatabase = await rewritten((name, content) => (name === "hearth.db" ? undefined : content));
  await expectRefusal(noDatabase, "it has no database");
});

test("a database that was damaged before it was saved is told", async () => {
  const bad = await rewritten((name, content) => {
    if (name === "hearth.db") content.fill(0xff, content.length - 40_960, content.length - 20_480);
    return content;
  });
  await expectRefusal(bad, "its database is not intact");
});

test("a backup of a newer Hearth is refused as such", async () => {
  const says = "cannot be read: it was made by a newer Hearth (9.9.9)";
  for (const newer of [{ format: 3 }, { migrations: ["9999_tomorrow"] }])
    await expectRefusal(await described({ hearth: "9.9.9", ...newer }), says);
  // As a Hearth of the first format sees one of the second: with an unknown file.
  const head = JSON.stringify({ format: 3, hearth: "9.9.9" });
  const unknown = await rewritten(
    (name, content) => (name === "hearth.json" ? Buffer.from(head) : content),
    "tomorrow.json",
  );
  await expectRefusal(unknown, says);
});

test("a backup has the second format where files could go meanwhile, and the first one otherwise", async () => {
  const expectFormat = async (name: string, format: number, listed: string[]) => {
    const names = execFileSync("tar", ["-tf", inFolder(name)])
      .toString()
      .split("\n");
    const head = JSON.parse(execFileSync("tar", ["-xOf", inFolder(name), "hearth.json"]).toString());
    expect([head.format, names.filter((each) => each === letGoName)]).toEqual([format, listed]);
    expectDone(await hearth(`restore --check ${inFolder(name)}`), "It is whole.");
  };
  await expectFormat("whole.tar", 1, []);
  const { database } = house.running.house;
  const due_at = Date.now() + 60_000;
  await database.transaction((db) => db.insertInto("file_releases").values({ filename, due_at }).execute());
  expectDone(
    await hearth(`backup ${inFolder("second.tar")}`, house.settings),
    "has the database and 1 upload,",
  );
  await database.transaction((db) => db.deleteFrom("file_releases").execute());
  await expectFormat("second.tar", 2, [letGoName]);
});

test("a backup that names very many missing uploads can be read all the same", async () => {
  const missing_uploads = Array.from({ length: 450_000 }, (_, i) => `${String(i).padStart(32, "0")}.png`);
  const file = inFolder("many-missing.tar");
  writeFileSync(file, await described({ missing_uploads }));
  expectDone(await hearth(`restore --check ${file}`), "450000 more were missing already when it was made.");
});

test("names that lead out of the folder are none of a backup's", async () => {
  for (const name of [
    "../escaped",
    "uploads/../../escaped",
    "/tmp/escaped",
    "uploads/notes.txt",
    "uploads/",
  ]) {
    const withIt = await rewritten((_, content) => content, name);
    await expectRefusal(withIt, `${name} does not belong in it`);
  }
  const unreadable = await rewritten((_, content) => content, letGoName);
  await expectRefusal(unreadable, `${letGoName} in it is not as it was written`);
  expect(existsSync(inFolder("escaped"))).toBe(false);
});

test("a disk that is full is told in a sentence, and leaves nothing under the name", async () => {
  const full = await run(["sh", "-c", `${process.execPath} cli/main.ts backup - > /dev/full`], {
    PATH,
    ...house.settings,
  });
  expectRefused(full, "There is not enough room for the backup");
  // The shell limits files to 100 kB, so that writing fails halfway as on a full disk.
  const target = inFolder("full.tar");
  const limited = `ulimit -f 200; trap "" XFSZ; exec ${process.execPath} cli/main.ts backup ${target}`;
  const cut = await run(["bash", "-c", limited], { PATH, ...house.settings });
  expect(cut.exitCode).toBe(1);
  expect(cut.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(existsSync(target)).toBe(false);
});

test("any tar opens it, and sha256sum agrees with its sums", async () => {
  const into = inFolder("opened");
  const opened = await run(
    [
      "sh",
      "-c",
      `mkdir ${into} && cd ${into} && tar xf ../whole.tar && sha256sum --check --strict SHA256SUMS`,
    ],
    { PATH },
  );
  expect(opened).toMatchObject({ exitCode: 0, stderr: "" });
  expect(opened.stdout).toBe(`hearth.json: OK\nhearth.db: OK\nuploads/${filename}: OK\n`);
});

test("a database that SQLite takes for whole, with a word changed or a row gone, is noticed by the sums of its tables", async () => {
  for (const change of [
    "update messages set content = 'never said' where id = (select max(id) from messages)",
    "delete from events where seq = 5",
  ]) {
    const backup = await rewritten((name, content) =>
      name === "hearth.db" ? changed(content, change) : content,
    );
    await expectNotWhole(backup, /restored aside, its table (messages|events) does not hold what it held/);
  }
});

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "a dump of PostgreSQL that holds other rows is noticed, too",
  async () => {
    await using stack = new AsyncDisposableStack();
    const postgres = await makeHouse("PostgreSQL", {});
    stack.defer(() => postgres.end());
    await postgres.open();
    await postgres.person("alice");
    const settings = { PATH, ...postgres.settings };
    expectDone(await hearth(`backup ${inFolder("postgres.tar")}`, settings), "has the database and ");
    const otherSum = (name: string, content: Buffer) =>
      name === "hearth.json"
        ? Buffer.from(content.toString().replace(/("users": \{\s+"rows": )1/, "$12"))
        : content;
    writeFileSync(inFolder("other.tar"), await rewritten(otherSum, undefined, "postgres.tar"));
    expectRefused(
      await hearth(`restore --check ${inFolder("other.tar")}`, settings),
      "restored aside, its table users does not hold what it held",
    );
  },
);

test("encrypted to a passphrase it opens with that alone, shows nothing else, and one changed byte is found", async () => {
  const [right, wrong, none] = ["right", "wrong", "none"].map(inFolder) as [string, string, string];
  writeFileSync(right, "correct horse battery staple\n");
  writeFileSync(wrong, "another horse\n");
  writeFileSync(none, "\n");
  const secret = inFolder("secret.tar.age");
  const as = (BACKUP_PASSPHRASE_FILE: string) => ({ PATH, BACKUP_PASSPHRASE_FILE });
  expectRefused(
    await hearth(`backup ${secret}`, { ...house.settings, ...as(none) }),
    "There is no passphrase in",
  );
  expectRefused(
    await hearth(`backup ${secret}`, { ...house.settings, ...as(inFolder("nowhere")) }),
    "cannot be read",
  );
  expectDone(
    await hearth(`backup ${secret}`, { ...house.settings, ...as(right) }),
    "has the database and 1 upload,",
  );
  const bytes = readFileSync(secret);
  expect(bytes.length).toBeGreaterThan(whole.length);
  for (const shown of ["Dear Bob", "hearth.json", "message 7"]) expect(bytes.includes(shown)).toBe(false);
  expectDone(await hearth(`restore --check ${secret}`, as(right)), /Restored aside, .*\nIt is whole\./);
  expectRefused(await hearth(`restore --check ${secret}`, { PATH }), "is encrypted: name the file");
  const target = { DATA_DIR: inFolder("unlocked") };
  expectRefused(
    await hearth(`restore ${secret}`, { ...as(wrong), ...target }),
    "is not the one of this backup",
  );
  expect(existsSync(join(target.DATA_DIR, "hearth.db"))).toBe(false);
  expectDone(
    await hearth(`restore ${secret}`, { ...as(right), ...target }),
    "start Hearth with this DATA_DIR",
  );
  const file = inFolder("secret-damaged.tar.age");
  for (const place of [60, 200, 40_000, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 0x10;
    writeFileSync(file, changed);
    expectRefused(
      await hearth(`restore --check ${file}`, as(right)),
      /is damaged|is not the one of this backup/,
    );
  }
  writeFileSync(file, bytes.subarray(0, bytes.length - 70_000));
  expectRefused(await hearth(`restore --check ${file}`, as(right)), /is damaged/);
  // Unencrypted backups are accepted as before.
  expectDone(await hearth(`restore --check ${inFolder("whole.tar")}`, as(right)), "It is whole.");
});

function changed(database: Buffer, statement: string): Buffer {
  const file = inFolder("changed.db");
  writeFileSync(file, database);
  const opened = new Database(file);
  opened.run("pragma journal_mode = delete");
  opened.run(statement);
  opened.close();
  return readFileSync(file);
}
