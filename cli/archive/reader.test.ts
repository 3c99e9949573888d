// Reading a backup: a whole one is told from one with a single changed byte, a missing part or an extra one.
import { expect, test } from "bun:test";
import {
  type BackupHead,
  headName,
  headOf,
  letGoName,
  readHead,
  readLetGo,
  sumsName,
  uploadsFolder,
  writtenHead,
  writtenLetGo,
} from "./head.ts";
import { readBackup } from "./reader.ts";
import { tarEnd, tarHeader } from "./tar.ts";
import { ArchiveWriter } from "./writer.ts";

const [letter, picture] = [`${"a".repeat(32)}.txt`, `${"b".repeat(32)}.png`];
const head = headOf({ format: 1, engine: "sqlite", migrations: ["0001_first"], missing_uploads: [] });
const database = Buffer.from("a database of some length ".repeat(40));

type File = [name: string, content: Buffer | string];
const usual: File[] = [
  [headName, writtenHead(head)],
  ["hearth.db", database],
  [uploadsFolder + letter, "Dear Bob"],
  [uploadsFolder + picture, Buffer.alloc(1024, 7)],
];

async function* pieces(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function written(files: readonly File[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const archive = new ArchiveWriter({ write: async (bytes) => void parts.push(Uint8Array.from(bytes)) });
  for (const [name, content] of files) {
    const bytes = Buffer.from(content);
    await archive.add(name, bytes.length, pieces(bytes));
  }
  await archive.finish();
  const whole = Buffer.concat(parts);
  expect(archive.bytes).toBe(whole.length);
  return whole;
}

/** Reads a backup that arrives in pieces of `length` bytes. Returns the result, and the entries' contents by name. */
async function read(backup: Uint8Array, length = 700) {
  const parts = Array.from({ length: Math.ceil(backup.length / length) }, (_, i) =>
    backup.subarray(i * length, (i + 1) * length),
  );
  const given: Record<string, string> = {};
  const take = async (name: string, bytes: AsyncIterable<Uint8Array>) => {
    given[name] = Buffer.concat(await Array.fromAsync(bytes)).toString("latin1");
  };
  const begins = async (_: BackupHead) => "hearth.db";
  const database = (bytes: AsyncIterable<Uint8Array>) => take("database", bytes);
  return { ...(await readBackup(pieces(...parts), { begins, database, upload: take })), given };
}

/** Returns the reason for which a backup is rejected; "taken" if it is not. */
async function refusal(backup: Uint8Array): Promise<string> {
  try {
    await read(backup);
    return "taken";
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const damaged = /^DamagedArchive: /;

test("a whole backup gives its head, its database and its uploads as they were, in whatever pieces it comes", async () => {
  const backup = await written(usual);
  for (const length of [1, 511, 512, 700, backup.length]) {
    const { given, uploads, letGo, head: found } = await read(backup, length);
    expect(found).toEqual(head);
    expect([...uploads]).toEqual([
      [letter, 8],
      [picture, 1024],
    ]);
    expect(letGo).toEqual([]);
    expect(given).toEqual({
      database: database.toString(),
      [letter]: "Dear Bob",
      [picture]: Buffer.alloc(1024, 7).toString("latin1"),
    });
  }
});

test("each byte of it counts", async () => {
  const backup = await written(usual);
  for (let place = 0; place < backup.length; place++) {
    const changed = Buffer.from(backup);
    changed[place] = (changed[place] ?? 0) ^ 0x10;
    const why = await refusal(changed);
    if (!damaged.test(why)) throw new Error(`the byte ${place} can be another: ${why}`);
  }
});

test("what is cut off anywhere has a part missing, and nothing follows its end", async () => {
  const backup = await written(usual);
  const missing = /^DamagedArchive: (it ends too early: )?a part of it is missing$/;
  for (let length = 0; length < backup.length; length += 128)
    expect([length, await refusal(backup.subarray(0, length))]).toEqual([
      length,
      expect.stringMatching(missing),
    ]);
  expect(await refusal(backup.subarray(0, -1))).toMatch(missing);
  expect(await refusal(Buffer.concat([backup, Buffer.alloc(2000)]))).toBe("taken");
  for (const more of [Buffer.from("x"), Buffer.concat([Buffer.alloc(3000), Buffer.from("x")])])
    expect(await refusal(Buffer.concat([backup, more]))).toBe("DamagedArchive: something follows its end");
});

test("each part stands in it once, and nothing else does", async () => {
  const [first, second, ...uploads] = usual as [File, File, ...File[]];
  for (const [files, says] of [
    [[first, ...uploads], "it has no database"],
    [[second, first, ...uploads], "it is no backup of Hearth"],
    [[[headName, "{}"], second], "it is no backup of Hearth"],
    [[["other.json", writtenHead(head)], second], "it is no backup of Hearth"],
    [[first, second, second], "hearth.db does not belong in it"],
    [[first, second, ...uploads, ...uploads], `${uploadsFolder}${letter} does not belong in it`],
    [[first, second, first], "hearth.json does not belong in it"],
    [[first, second, [letGoName, "[1]"]], "let-go.json in it is not as it was written"],
    [[first, second, [letGoName, '["../escaped"]']], "let-go.json in it is not as it was written"],
    [[], "a part of it is missing"],
  ] as [File[], string][])
    expect(await refusal(await written(files))).toBe(`DamagedArchive: ${says}`);
  for (const name of ["../escaped", "uploads/../../escaped", "/tmp/escaped", "uploads/notes.txt", "uploads/"])
    expect(await refusal(await written([...usual, [name, "bad"]]))).toBe(
      `DamagedArchive: ${name} does not belong in it`,
    );
});

test("the list of checksums is the last of it, and has each file", async () => {
  const whole = await written(usual);
  const body = whole.subarray(0, whole.indexOf(sumsName));
  const sums = whole
    .subarray(body.length + 512)
    .toString()
    .replace(/\0.*/s, "");
  const withSums = (text: string, ...more: Uint8Array[]) => {
    const bytes = Buffer.alloc(Math.ceil(text.length / 512) * 512);
    bytes.write(text);
    return Buffer.concat([body, tarHeader(sumsName, text.length, 0), bytes, ...more, tarEnd]);
  };
  expect(await refusal(withSums(sums))).toBe("taken");
  const lines = sums.split("\n").slice(0, -1);
  const notAll = `${lines.slice(0, -1).join("\n")}\n`;
  const listIsWrong = "DamagedArchive: its list of checksums is not as it was written";
  expect(await refusal(withSums(notAll))).toBe(listIsWrong);
  expect(await refusal(withSums(""))).toBe(listIsWrong);
  expect(await refusal(withSums(`${sums}${lines[0]?.replace("hearth.json", "another")}\n`))).toBe(
    "DamagedArchive: another is not as it was written",
  );
  const after = Buffer.concat([tarHeader("hearth.db", 0, 0)]);
  expect(await refusal(withSums(sums, after))).toBe("DamagedArchive: hearth.db does not belong in it");
  expect(await refusal(Buffer.concat([body, tarEnd]))).toBe("DamagedArchive: a part of it is missing");
});

test("what a newer Hearth made is told as such, but only where nothing of it is damaged", async () => {
  const newer = JSON.stringify({ format: 3, hearth: "9.9.9", something: "else" });
  const files: File[] = [[headName, newer], ...usual.slice(1), ["tomorrow.json", "{}"]];
  const backup = await written(files);
  expect(await refusal(backup)).toBe("TooNew: it was made by a newer Hearth (9.9.9)");
  backup.write("9.9.8", backup.indexOf("9.9.9"));
  expect(await refusal(backup)).toBe("DamagedArchive: hearth.json is not as it was written");
  const ofThisFormat = { ...head, format: 2 as const };
  expect(readHead(JSON.stringify(ofThisFormat))).toEqual(ofThisFormat);
  for (const wrong of [{ format: 0 }, { engine: "mysql" }, { made_at: "yesterday" }, { migrations: 7 }])
    expect(readHead(JSON.stringify({ ...head, ...wrong }))).toBeUndefined();
});

test("uploads that were let go while it was made are none of it", async () => {
  const backup = await written([...usual, [letGoName, writtenLetGo([letter])]]);
  const { uploads, letGo } = await read(backup);
  expect([[...uploads.keys()], letGo]).toEqual([[picture], [letter]]);
  expect(readLetGo("nonsense")).toBeUndefined();
});

test("a file that grows, shrinks or goes while it is written is no part of a backup", async () => {
  const archive = () => new ArchiveWriter({ async write() {} });
  const changed = "hearth.db changed while it was copied";
  for (const parts of [["too", " long"], ["short"], []]) {
    const content = pieces(...parts.map((each) => Buffer.from(each)));
    await expect(archive().add("hearth.db", 7, content)).rejects.toThrow(changed);
  }
  await expect(archive().add("x".repeat(101), 0, pieces())).rejects.toThrow("is too long for an archive");
});
