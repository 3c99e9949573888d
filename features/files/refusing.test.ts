// Uploads that are too large, too many, cut off or malformed: refused without a trace, and without delaying others.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { processorMs } from "../../tests/house/machine/processor.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { filesOn, formOf, tryUpload, upload } from "../../tests/house/scenes/files.ts";
import { request, sayRaw } from "../../tests/protection/raw.ts";
import { formReader } from "./multipart.ts";

const mebibyte = 1024 * 1024;
const limit = 25 * mebibyte;

let house: TestHouse;
let alice: TestPerson;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  alice = await house.person("alice");
});
afterAll(() => house.end());

const opening = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';

function post(lines: readonly string[], body = "", type = "multipart/form-data; boundary=x"): string {
  const mine = [`Authorization: Bearer ${alice.token}`, `Content-Type: ${type}`];
  return request("POST", "/api/v1/upload", [...mine, ...lines], body);
}

async function say(body: string, type?: string, lines: readonly string[] = []) {
  return sayRaw(house.url, post([...lines, `Content-Length: ${Buffer.byteLength(body)}`], body, type));
}

/** Expects no drafts any more; some arrived bytes may not have been processed yet. */
async function expectNoDrafts(): Promise<void> {
  let calm = 0;
  await until(() => {
    calm = filesOn(house).drafts.length > 0 ? 0 : calm + 1;
    return calm === 20;
  }, "something of it is left");
}

async function codeOf(answer: { status: number; body: unknown }): Promise<unknown[]> {
  await expectNoDrafts();
  const body = typeof answer.body === "string" ? JSON.parse(answer.body) : answer.body;
  return [answer.status, body.code];
}

describe("size", () => {
  test("25 MiB are taken, one byte more is not", async () => {
    const kept = filesOn(house).kept.length;
    expect((await upload(alice, "full.txt", "x".repeat(limit))).size).toBe(limit);
    expect(await codeOf(await tryUpload(alice, "over.txt", "x".repeat(limit + 1)))).toEqual([
      413,
      "too_large",
    ]);
    expect(filesOn(house).kept.length).toBe(kept + 1);
  });

  test("counted as it arrives, when no length is told", async () => {
    const form = new Response(formOf("over.txt", "x".repeat(2 * limit)));
    const type = form.headers.get("content-type") ?? "";
    const answer = await fetch(`${house.url}/api/v1/upload`, {
      method: "POST",
      headers: { Authorization: `Bearer ${alice.token}`, "Content-Type": type },
      body: form.body,
    });
    expect(await codeOf({ status: answer.status, body: await answer.json() })).toEqual([413, "too_large"]);
  });

  test("a length that is far too large is refused before anything arrives", async () => {
    const answer = await sayRaw(house.url, post([`Content-Length: ${64 * 1024 * mebibyte}`], opening));
    expect(await codeOf(answer)).toEqual([413, "too_large"]);
  });

  test("a length that is too small makes a form that ends too early", async () => {
    const body = `${opening}hello\r\n--x--\r\n`;
    const answer = await sayRaw(house.url, post([`Content-Length: ${body.length - 8}`], body));
    expect(answer.status).toBe(400);
    await expectNoDrafts();
  });

  test("what surrounds the file counts, too", async () => {
    const field = `--x\r\nContent-Disposition: form-data; name="note"\r\n\r\n${"x".repeat(26 * mebibyte)}\r\n`;
    expect(await codeOf(await say(`${field}${opening}hi\r\n--x--\r\n`))).toEqual([413, "too_large"]);
    expect(await codeOf(await say(`${"x".repeat(26 * mebibyte)}`))).toEqual([413, "too_large"]);
  });
});

describe("odd forms", () => {
  const closing = "\r\n--x--\r\n";

  test("10,000 parts", async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n';
    expect(await codeOf(await say(part.repeat(10_000) + opening + closing))).toEqual([
      400,
      "invalid_request",
    ]);
    const file = '--x\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\nb\r\n';
    expect(await codeOf(await say(`${file.repeat(10_000)}--x--\r\n`))).toEqual([400, "invalid_request"]);
  });

  test("a boundary of 70 characters, and of more", async () => {
    for (const [length, status] of [
      [70, 201],
      [71, 400],
      [252, 400],
      [5000, 400],
    ] as const) {
      const boundary = "b".repeat(length);
      const body = `${opening}hi${closing}`.replaceAll("--x", `--${boundary}`);
      const answer = await say(body, `multipart/form-data; boundary=${boundary}`);
      expect({ length, status: answer.status }).toEqual({ length, status });
    }
    await expectNoDrafts();
  });

  test("part headers named __proto__, too many of them, too long ones", async () => {
    const withHeader = (lines: string) => `${opening.slice(0, -2)}${lines}\r\n\r\nhi${closing}`;
    expect((await say(withHeader("__proto__: x\r\nconstructor: y"))).status).toBe(201);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
    expect([201, 400]).toContain((await say(withHeader("X-More: y\r\n".repeat(5000).trim()))).status);
    expect([201, 400]).toContain((await say(withHeader(`X-Long: ${"y".repeat(200_000)}`))).status);
    await expectNoDrafts();
  });

  test("a file without a name, a part without a header, an end without a beginning", async () => {
    const nameless =
      "--x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: form-data; name=f\r\n\r\nhi";
    for (const body of [nameless + closing, `--x\r\n\r\nhi${closing}`, closing, `${opening}hi`, "--x\r\n"])
      expect(await codeOf(await say(body))).toEqual([400, "invalid_request"]);
  });
});

describe("cut off", () => {
  /** Sends the beginning of an upload and closes the connection. */
  async function hangUp(piece: string | Uint8Array, announced: number): Promise<void> {
    const { hostname, port } = new URL(house.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(post([`Content-Length: ${announced}`], opening));
    socket.write(piece);
    await until(() => filesOn(house).drafts.length === 1, "nothing of it arrived");
    socket.destroy();
    await expectNoDrafts();
  }

  test("in the middle of a file: nothing is left of it", async () => {
    const kept = filesOn(house).kept;
    await hangUp("hello", 10_000);
    await hangUp("x".repeat(3 * mebibyte), 20 * mebibyte);
    expect(filesOn(house).kept).toEqual(kept);
    expect((await alice.get("/auth/me")).status).toBe(200);
  });

  test("a file that does not arrive in time is given up, whoever goes on sending it", async () => {
    const encoder = new TextEncoder();
    let taken = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(`${opening}x`)),
      async pull(controller) {
        await Bun.sleep(20);
        controller.enqueue(encoder.encode("x"));
      },
      cancel: () => {
        cancelled = true;
      },
    });
    const slow = new Request("http://hearth.example/upload", {
      method: "POST",
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
      body,
    });
    const reading = formReader(200)(slow, {
      named: () => {},
      take: async (bytes) => {
        taken += bytes.byteLength;
      },
    });
    await expect(reading).rejects.toThrow("did not arrive in time");
    const then = taken;
    await until(() => cancelled, "more of it is awaited");
    await Bun.sleep(100);
    expect(then).toBeGreaterThan(0);
    expect(taken).toBeLessThanOrEqual(then + 1);
  });
});

describe("many at once", () => {
  test("six of one person; the seventh waits, others need not, and an end makes room", async () => {
    const bob = await house.person("bob");
    const { hostname, port } = new URL(house.url);
    const under = Array.from({ length: 6 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      socket.write(post(["Content-Length: 1000"], `${opening}hello`));
      return socket;
    });
    await until(() => filesOn(house).drafts.length === 6, "not all of them arrived");
    const seventh = await tryUpload(alice, "seventh.txt", "hello");
    expect([seventh.status, seventh.headers.get("retry-after")]).toEqual([429, "2"]);
    expect((await tryUpload(bob, "bobs.txt", "hello")).status).toBe(201);
    for (const socket of under) socket.destroy();
    await expectNoDrafts();
    expect((await tryUpload(alice, "seventh.txt", "hello")).status).toBe(201);
  });

  test("while files are looked through, nobody else waits long", async () => {
    // The files that take longest to inspect: one long text, and a zip of nothing but entries.
    const entry = Buffer.alloc(31);
    entry.write("PK\x03\x04", "latin1");
    entry.writeUInt16LE(1, 26);
    entry.write("a", 30);
    const zip = Buffer.alloc(20 * mebibyte, entry);
    const working = Promise.all([
      tryUpload(alice, "long.txt", "ü".repeat(10 * mebibyte)),
      tryUpload(alice, "many.zip", zip),
      tryUpload(alice, "dashes.txt", "\r\n--".repeat(5 * mebibyte)),
    ]);
    let done = false;
    working.then(() => {
      done = true;
    });
    let longest = 0;
    while (!done) {
      const before = processorMs();
      await Bun.sleep(1);
      longest = Math.max(longest, processorMs() - before);
    }
    expect((await working).map((answer) => answer.status)).toEqual([201, 201, 201]);
    expect(longest).toBeLessThan(500);
  });
});
