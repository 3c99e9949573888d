// Reading a form as it arrives: however it is split, the file comes out whole, and memory is freed early.
import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { pieceByPiece } from "../../tests/house/material/streams.ts";
import { formReader } from "./multipart.ts";

const readForm = formReader();
type Bytes = Uint8Array<ArrayBuffer>;

/** A form with the file, a field before and after it, and something after the end. */
function formWith(file: Uint8Array, boundary: string): Buffer<ArrayBuffer> {
  const part = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
  return Buffer.concat([
    Buffer.from(`${part("before")}\r\n\r\n1\r\n${part("file")}; filename="a.zip"\r\n\r\n`),
    file,
    Buffer.from(`\r\n${part("behind")}\r\n\r\n2\r\n--${boundary}--\r\nfarewell`),
  ]);
}

function cut(form: Bytes, size: number, copied = true): Bytes[] {
  const chunks: Bytes[] = [];
  for (let at = 0; at < form.byteLength; at += size) {
    const chunk = form.subarray(at, at + size);
    chunks.push(copied ? new Uint8Array(chunk) : chunk);
  }
  return chunks;
}

/** Reads the form with a slow disk, which looks at the bytes late. */
async function fileOf(chunks: Bytes[], boundary: string): Promise<Buffer> {
  const taken: Buffer[] = [];
  const headers = { "Content-Type": `multipart/form-data; boundary=${boundary}` };
  const rest = chunks.values();
  const body = new ReadableStream<Bytes>({
    pull(controller) {
      const { value } = rest.next();
      if (value) controller.enqueue(value);
      else controller.close();
    },
  });
  await readForm(new Request("http://hearth.example/", { method: "POST", headers, body }), {
    named: () => {},
    async take(bytes) {
      await new Promise((resolve) => setImmediate(resolve));
      taken.push(Buffer.from(bytes));
    },
  });
  return Buffer.concat(taken);
}

test("however small or large its chunks are, a file full of half delimiters comes out whole", async () => {
  const halves = ["\r\n--", "\r\n--b", "\r\n-", "\r\n", "\r", "--a", "-", "\r\n\r\n", "words"];
  const some = Array.from(randomBytes(1500), (byte) => halves[byte % halves.length]);
  // Two pieces must not make a whole delimiter, nor the first with the line break before it.
  const file = Buffer.from(`words${some.join("")}`.replaceAll("\r\n--a", "\r\n--b"));
  for (const boundary of ["a", "a-long-boundary"]) {
    const form = formWith(file, boundary);
    for (const size of [1, 2, 3, 4, 5, 6, 7, 11, 64, 100, 1000, 4096, form.byteLength]) {
      const whole = file.equals(await fileOf(cut(form, size), boundary));
      expect({ boundary, size, whole }).toEqual({ boundary, size, whole: true });
    }
  }
});

test("what comes byte by byte lets others have their turn, also where nothing is to be kept", async () => {
  const form = Buffer.concat([
    Buffer.alloc(2000, "before the first part "),
    Buffer.from("\r\n"),
    formWith(randomBytes(100), "b"),
  ]);
  const { stream, mostInOneTurn } = pieceByPiece(form);
  const headers = { "Content-Type": "multipart/form-data; boundary=b" };
  const request = new Request("http://hearth.example/", { method: "POST", headers, body: stream });
  await readForm(request, { named: () => {}, take: async () => {} });
  expect(mostInOneTurn()).toBeLessThanOrEqual(2);
});

test("of a large file only the chunks at its ends are left to the collector", async () => {
  const file = randomBytes(1024 * 1024);
  const chunks = cut(formWith(file, "boundary"), 64 * 1024);
  expect(file.equals(await fileOf(chunks, "boundary"))).toBe(true);
  expect(chunks.map((chunk) => chunk.byteLength > 0)).toEqual(
    chunks.map((_, index) => index === 0 || index === chunks.length - 1),
  );
});

test("memory that holds more than one chunk is left as it is", async () => {
  const file = randomBytes(1024 * 1024);
  const form = formWith(file, "boundary");
  expect(file.equals(await fileOf(cut(form, 64 * 1024, false), "boundary"))).toBe(true);
  expect(form.byteLength).toBeGreaterThan(file.byteLength);
});
