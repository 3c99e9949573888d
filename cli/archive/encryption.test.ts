// An encrypted backup: only its passphrase opens it, and one changed byte is detected.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/machine/folder.ts";
import type { Output } from "../output.ts";
import { decrypted, encrypted } from "./encryption.ts";

const plain = Buffer.from("Dear Bob, what a day. ".repeat(8000));
let folder: TemporaryFolder;
let secret: Buffer;

/** Keeps the written bytes, in pieces. */
class Kept implements Output {
  readonly name = "kept";
  readonly parts: Buffer[] = [];
  isFinished = false;

  async write(bytes: Uint8Array): Promise<void> {
    this.parts.push(Buffer.from(bytes));
  }

  async finish(): Promise<void> {
    this.isFinished = true;
  }
}

function fileOf(name: string, text: string): string {
  const file = join(folder.path, name);
  writeFileSync(file, text);
  return file;
}

async function* inPieces(bytes: Uint8Array, length = 5000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function opened(
  bytes: Uint8Array,
  passphraseFile: string | undefined,
  length?: number,
): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(decrypted(inPieces(bytes, length), passphraseFile)));
}

beforeAll(async () => {
  folder = temporaryFolder();
  const kept = new Kept();
  const output = await encrypted(kept, "correct horse battery staple");
  expect(output.name).toBe("kept");
  // The writer reuses its memory as soon as a piece is taken.
  const memory = Buffer.alloc(10_000);
  for (let at = 0; at < plain.length; at += memory.length) {
    const length = plain.copy(memory, 0, at, at + memory.length);
    await output.write(memory.subarray(0, length));
    memory.fill(0);
  }
  await output.finish();
  expect(kept.isFinished).toBe(true);
  secret = Buffer.concat(kept.parts);
});
afterAll(() => folder.remove());

test("its passphrase opens it, and what it holds cannot be read without", async () => {
  const right = fileOf("right", "correct horse battery staple\nanother line\n");
  expect(await opened(secret, right, 7)).toEqual(plain);
  expect(secret.includes("Dear Bob")).toBe(false);
  expect(secret.length).toBeGreaterThan(plain.length);
});

test("no passphrase, another one, or a file without any is told in a sentence", async () => {
  await expect(opened(secret, undefined)).rejects.toThrow("name the file that holds its passphrase");
  await expect(opened(secret, fileOf("wrong", "another horse\n"))).rejects.toThrow(
    "The passphrase in BACKUP_PASSPHRASE_FILE is not the one of this backup.",
  );
  await expect(opened(secret, fileOf("none", "\n"))).rejects.toThrow("There is no passphrase in");
  await expect(opened(secret, join(folder.path, "nowhere"))).rejects.toThrow("cannot be read");
});

test("what was changed or cut off behind its head is damaged", async () => {
  const right = fileOf("right", "correct horse battery staple\n");
  for (const place of [70_000, secret.length - 1]) {
    const changed = Buffer.from(secret);
    changed[place] = (changed[place] ?? 0) ^ 0x10;
    await expect(opened(changed, right)).rejects.toThrow("it is not as it was encrypted");
  }
  await expect(opened(secret.subarray(0, -100), right)).rejects.toThrow("it is not as it was encrypted");
});

test("what is not encrypted comes as it is, whatever its length, and needs no passphrase", async () => {
  for (const text of ["", "short", "age-encryption.org/v2\n", "a".repeat(30_000)])
    expect((await opened(Buffer.from(text), undefined, 3)).toString()).toBe(text);
});

test("an output that fails is the failure of what is written next, and of the end", async () => {
  const full = new Kept();
  full.write = () => Promise.reject(new Error("the disk is full"));
  const output = await encrypted(full, "correct horse battery staple");
  const writing = async () => {
    for (let i = 0; i < 100; i++) await output.write(Buffer.alloc(100_000));
    await output.finish();
  };
  await expect(writing()).rejects.toThrow("the disk is full");
  expect(full.isFinished).toBe(false);
});
