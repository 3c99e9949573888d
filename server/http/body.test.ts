// Reading a JSON body: which bodies are valid, and the refusals of the others.
import { describe, expect, test } from "bun:test";
import type { ErrorCode } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { pieceByPiece } from "../../tests/house/material/streams.ts";
import { findUnstorable, readJson } from "./body.ts";

const json = { "Content-Type": "application/json" };

function read(body: Bun.BodyInit | null, headers: Record<string, string> = json): Promise<unknown> {
  return readJson(new Request("http://hearth.example/", { method: "POST", body, headers }));
}

async function expectRefused(reading: Promise<unknown>, code: ErrorCode): Promise<void> {
  const refusal = await reading.then(
    (value) => ({ code: `read as ${JSON.stringify(value)}` }),
    (error: { code: string }) => error,
  );
  expect(refusal.code).toBe(code);
}

describe("a body", () => {
  test("is its value", async () => {
    for (const value of [
      { a: [1, "two", null, { b: true }] },
      [],
      "text",
      0,
      null,
      { "": "" },
      { ":": ",:{}[]" },
    ]) {
      expect(await read(JSON.stringify(value))).toEqual(value);
    }
    expect(await read(' \n{ "a" : "\\"\\\\\\":" }\t')).toEqual({ a: '"\\":' });
    expect(await read('{"a":"\\u00e9 \\ud83d\\ude00"}')).toEqual({ a: "é 😀" });
  });

  test("is undefined when there is none", async () => {
    expect(await read(null, {})).toBeUndefined();
    expect(await read("", {})).toBeUndefined();
    expect(await read("", { "Content-Type": "text/plain" })).toBeUndefined();
  });

  test("in pieces is the same body", async () => {
    const bytes = new TextEncoder().encode('{"a":"é😀"}');
    const stream = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await read(stream)).toEqual({ a: "é😀" });
  });

  test("in very many pieces lets others have their turn between them", async () => {
    const { stream, mostInOneTurn } = pieceByPiece(Buffer.from(`"${"x".repeat(2000)}"`));
    expect(await read(stream)).toHaveLength(2000);
    expect(mostInOneTurn()).toBeLessThanOrEqual(2);
  });

  test("that breaks off is malformed", async () => {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"a":'));
        controller.error(new Error("gone"));
      },
    });
    await expectRefused(read(stream), "malformed_json");
  });

  test("may be as long as the limit, and no byte longer", async () => {
    const text = (bytes: number) => `"${"x".repeat(bytes - 2)}"`;
    expect(await read(text(limits.body_bytes_max))).toHaveLength(limits.body_bytes_max - 2);
    await expectRefused(read(text(limits.body_bytes_max + 1)), "too_large");
    await expectRefused(
      read("{}", { ...json, "Content-Length": String(limits.body_bytes_max + 1) }),
      "too_large",
    );
  });

  test("that never ends is given up at the limit", async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(16 * 1024).fill(0x20));
      },
    });
    await expectRefused(read(endless), "too_large");
    expect(pulled).toBeLessThan(40);
  });

  test("of another type is unsupported", async () => {
    for (const type of ["text/plain", "application/jsonx", "application/x-www-form-urlencoded", "json", ""]) {
      await expectRefused(read("{}", { "Content-Type": type || "text/plain" }), "unsupported_type");
    }
    for (const type of ["application/json;charset=utf-8", "Application/JSON", "application/problem+json"]) {
      expect(await read("{}", { "Content-Type": type })).toEqual({});
    }
  });
});

describe("what is no strict JSON is malformed", () => {
  for (const text of [
    "{",
    "nope",
    "{'a':1}",
    '{"a":1,}',
    "[1,]",
    '{"a" 1}',
    "01",
    "1.",
    "+1",
    '"\\x41"',
    '"\t"',
    "{}{}",
  ]) {
    test(text, () => expectRefused(read(text), "malformed_json"));
  }

  test("a name given twice, at any depth and under any spelling", async () => {
    for (const text of ['{"a":1,"a":2}', '[{"a":1,"\\u0061":2}]', '{"x":{"__proto__":1,"__proto__":2}}']) {
      await expectRefused(read(text), "malformed_json");
    }
    expect(await read('[{"a":1},{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test("__proto__ is a name like others, and changes no prototype", async () => {
    const value = (await read('{"__proto__":{"admin":true}}')) as { admin?: boolean };
    expect(value.admin).toBeUndefined();
    expect(Object.keys(value)).toEqual(["__proto__"]);
  });

  test("depth is counted outside of texts only", async () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(await read(nested(32))).toBeDefined();
    await expectRefused(read(nested(33)), "malformed_json");
    expect(await read(JSON.stringify(nested(1000)))).toBe(nested(1000));
    await expectRefused(read("[".repeat(250_000)), "malformed_json");
  });

  test("bytes that are no UTF-8", async () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xe2],
    ]) {
      await expectRefused(read(Uint8Array.from(bytes)), "malformed_json");
    }
  });
});

describe("what no database could keep is an invalid request", () => {
  test("NUL and half surrogate pairs, in values and names", async () => {
    for (const text of [
      '"\\u0000"',
      '{"a\\u0000":1}',
      '["\\ud800"]',
      '"\\ude00\\ud83d"',
      '{"a":{"b":["\\uDBFF"]}}',
    ]) {
      await expectRefused(read(text), "invalid_request");
    }
    expect(findUnstorable({ a: ["b", { c: "\ud83d\ude00" }], d: 1, e: null })).toBeUndefined();
    expect(findUnstorable({ a: ["b", { "c\ud83d": 1 }] })).toBe("a.1");
  });

  test("the refusal says which field it is", async () => {
    for (const [text, path] of [
      ['{"name":"a","description":"b\\u0000"}', "description"],
      ['{"windows":[{"start":"x"},{"start":"\\ud800"}]}', "windows.1.start"],
    ] as const) {
      expect(await read(text).catch(({ detail }) => detail.fields)).toEqual([
        { path, message: "must not hold NUL or half of a surrogate pair" },
      ]);
    }
  });
});
