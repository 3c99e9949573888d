// A backup is made, checked and restored: the house is there again, with what was said and the files that were there.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
import { at } from "../house/cluster.ts";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import { fetchFile, upload } from "../house/files.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/folder.ts";
import type { TestPerson } from "../house/people.ts";
import { expectDone, hearth } from "./hearth.ts";

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

  /** Restored into an empty folder, and started there. */
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
});

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

/** The same backup, as it is where this upload was let go while it was made. */
async function letGo(from: string, to: string, name: string): Promise<void> {
  const file = await open(to, "wx", 0o600);
  const archive = new ArchiveWriter({ write: (bytes) => writeAll(file, bytes) });
  for await (const entry of tarEntries(readPieces(from))) {
    if (entry.name === headName) {
      const parts: Uint8Array[] = [];
      for await (const part of entry.bytes) parts.push(part);
      const head = readHead(Buffer.concat(parts).toString());
      if (!head) throw new Error("the backup has no head");
      const after = writtenHead({ ...head, format: 2, missing_uploads: [] });
      await archive.add(headName, after.length, once(after));
    } else if (entry.name === sumsName) for await (const _ of entry.bytes);
    else await archive.add(entry.name, entry.size, entry.bytes);
  }
  const names = writtenLetGo([name]);
  await archive.add(letGoName, names.length, once(names));
  await archive.finish();
  await file.close();
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
