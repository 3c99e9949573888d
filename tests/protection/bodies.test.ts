// T37: bodies that are no JSON, or more than JSON: each is refused, changes nothing and emits nothing.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ErrorCode } from "../../protocol/errors.ts";
import { onOneProcess, type TestHouse } from "../house/open/engines.ts";
import type { Ear } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";
import { expectRefusal } from "../routes/error-body.ts";
import { request, sayRaw } from "./raw.ts";

const most = 256 * 1024;

onOneProcess("a body", (house) => {
  let alice: TestPerson;
  let ear: Ear;
  let serverId: string;
  let channelId: string;
  beforeAll(async () => {
    alice = await house().person("alice");
    const home = await alice.makeServer("Untouched");
    [serverId, channelId] = [home.id, home.general.id];
    ear = await alice.listen();
  });
  afterAll(() => ear.close());

  /** Sends the body to a PATCH, a PUT and two POSTs, which must all refuse it without any effect. */
  async function expectRefused(body: Bun.BodyInit | Uint8Array, code: ErrorCode, type = "application/json") {
    const seen = ear.frames.length;
    for (const [method, path] of [
      ["PATCH", `/servers/${serverId}`],
      ["PUT", "/auth/me/presence"],
      ["POST", `/channels/${channelId}/messages`],
      ["POST", "/channels"],
    ]) {
      expectRefusal(await post(house(), alice, body, { "Content-Type": type }, method, path), code);
    }
    await ear.settle();
    // The event that she came online may arrive as late as now.
    const isComing = ({ type, data }: Ear["frames"][number]) =>
      type === "PRESENCE_UPDATE" && (data as { status?: unknown }).status === "online";
    const news = ear.frames.slice(seen).filter((frame) => !isComing(frame));
    expect(news.map((frame) => frame.type)).toEqual(["PONG"]);
    expect((await alice.get(`/servers/${serverId}`)).body.name as unknown).toBe("Untouched");
    expect((await alice.get<unknown[]>(`/channels/${channelId}/messages`)).body).toEqual([]);
    expect((await alice.get<unknown[]>(`/channels?server_id=${serverId}`)).body).toHaveLength(1);
  }

  describe("that is no JSON is malformed", () => {
    const texts = {
      "a word": "hello",
      "half an object": '{"name":"x"',
      "two values": '{"name":"x"}{"name":"y"}',
      "a trailing comma": '{"name":"x",}',
      "single quotes": "{'name':'x'}",
      "a comment": '{"name":"x"/* no */}',
      "NaN and Infinity": '{"name":NaN,"position":Infinity}',
      "a bare NUL in a string": '{"name":"a\0b"}',
      "a bare line end in a string": '{"name":"a\nb"}',
      "a form": "name=x&content=y",
    };
    for (const [title, text] of Object.entries(texts)) {
      test(title, () => expectRefused(text, "malformed_json"));
    }

    test("bytes that are no UTF-8", async () => {
      for (const bytes of [
        [0xff, 0xfe],
        [0xc0, 0x80],
        [0xed, 0xa0, 0x80],
        [0xf5, 0x80, 0x80, 0x80],
        [0xe2, 0x28],
      ]) {
        const text = Buffer.from('{"name":"__","content":"__","status":"online"}');
        await expectRefused(
          Buffer.concat([text.subarray(0, 9), Buffer.from(bytes), text.subarray(9)]),
          "malformed_json",
        );
      }
    });

    test("nesting without end", async () => {
      for (const depth of [33, 10_000, 40_000]) {
        await expectRefused("[".repeat(depth) + "]".repeat(depth), "malformed_json");
        await expectRefused('{"a":'.repeat(depth) + 1 + "}".repeat(depth), "malformed_json");
      }
      await expectRefused("[".repeat(200_000), "malformed_json");
    });

    test("a field that is named twice, also deep inside or under an escaped name", async () => {
      for (const text of [
        '{"name":"x","name":"y"}',
        '{"name":"x","n\\u0061me":"y"}',
        '{"x":{"content":"x","content":"y"},"content":"z"}',
        '{"__proto__":1,"__proto__":2}',
      ]) {
        await expectRefused(text, "malformed_json");
      }
    });

    test("nothing at all", () => expectRefused("", "malformed_json"));
  });

  describe("of the wrong kind is an invalid request", () => {
    for (const text of ["null", "1", '"text"', "true", "[]", '[{"name":"x"}]']) {
      test(text, () => expectRefused(text, "invalid_request"));
    }

    test("NUL and half surrogate pairs, in values and in names", async () => {
      for (const inside of ["\\u0000", "\\ud800", "\\udc00\\ud800", "\\uDFFFx"]) {
        await expectRefused(
          `{"name":"a${inside}","content":"a${inside}","status":"a${inside}"}`,
          "invalid_request",
        );
        await expectRefused(`{"a${inside}":1,"name":"x","content":"x","status":"online"}`, "invalid_request");
      }
    });

    test("operators, lists and numbers where a text belongs", async () => {
      for (const value of [
        '{"$ne":""}',
        '["x"]',
        "1",
        "1e400",
        "-0",
        "true",
        "12345678901234567890",
        "null",
      ]) {
        await expectRefused(
          `{"name":${value},"content":${value},"status":${value},"server_id":${value}}`,
          "invalid_request",
        );
      }
    });
  });

  describe("of more than 2,000 fields or list entries is an invalid request", () => {
    const fields = (count: number) => Array.from({ length: count }, (_, i) => `"x${i}":${i}`).join(",");

    test("before it is parsed: even what is no JSON behind them", async () => {
      await expectRefused(`{${fields(2001)}}`, "invalid_request");
      await expectRefused(`{${fields(2001)},`, "invalid_request");
      await expectRefused(`[${"{},".repeat(2001)}`, "invalid_request");
      await expectRefused(`{"name":[${"0,".repeat(2001)}0]}`, "invalid_request");
      await expectRefused(
        `{"name":"x","content":"x","status":"online","x":[${"[[0,0]],".repeat(1200)}0]}`,
        "invalid_request",
      );
    });

    test("2,000 fields that nobody asked for change nothing", async () => {
      const body = `{"display_name":"Alice, with, commas: ${"{,".repeat(10)}",${fields(1999)}}`;
      const answer = await post(
        house(),
        alice,
        body,
        { "Content-Type": "application/json" },
        "PATCH",
        "/auth/me",
      );
      expect(answer.status).toBe(200);
    });

    test("signs within a text are none, however many", async () => {
      const bio = 'a,b:c\\",{['.repeat(50);
      const answer = await post(
        house(),
        alice,
        `{"bio":"${bio}"}`,
        { "Content-Type": "application/json" },
        "PATCH",
        "/auth/me",
      );
      expect(answer.status).toBe(200);
      const content = ",:".repeat(4000 / 2);
      // In somebody else's server, so that Alice receives no event.
      const carol = await house().person("carol");
      const { general } = await carol.makeServer();
      expect((await carol.post(`/channels/${general.id}/messages`, { content })).status).toBe(201);
    });
  });

  describe("that is not said to be JSON is an unsupported type", () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/json",
      "application/jsonp",
      "application/xml",
      "x",
    ]) {
      test(type, () =>
        expectRefused('{"name":"x","content":"x","status":"online"}', "unsupported_type", type),
      );
    }

    test("a parameter of the type, or a type that is JSON underneath, is let through", async () => {
      for (const type of [
        "application/json; charset=utf-8",
        "APPLICATION/JSON",
        "application/vnd.api+json",
      ]) {
        const answer = await post(
          house(),
          alice,
          '{"status":"online"}',
          { "Content-Type": type },
          "PUT",
          "/auth/me/presence",
        );
        expect(answer.status).toBe(204);
      }
    });
  });

  describe("of more than 256 KiB is too large", () => {
    const big = (bytes: number) => `{"name":"${"x".repeat(bytes - 11)}"}`;

    test("by what it says of its length", async () => {
      await expectRefused(big(most + 1), "too_large");
      await expectRefused(big(4 * most), "too_large");
      expect(Buffer.byteLength(big(most))).toBe(most);
      await expectRefused(big(most), "invalid_request");
    });

    test("by what really comes, in pieces, without a length", async () => {
      const seen = ear.frames.length;
      const lines = [
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
        `Authorization: Bearer ${alice.token}`,
      ];
      const piece = `10000\r\n${"x".repeat(0x10000)}\r\n`;
      const pieces = ['9\r\n{"name":"\r\n', piece, piece, piece, piece, piece, '2\r\n"}\r\n0\r\n\r\n'];
      const answer = await sayRaw(
        house().url,
        request("PATCH", `/api/v1/servers/${serverId}`, lines),
        ...pieces,
      );
      expectRefusal({ ...answer, body: JSON.parse(answer.body) }, "too_large");
      const small = ['e\r\n{"name":"Twice\r\n', '2\r\n"}\r\n0\r\n\r\n'];
      const fine = await sayRaw(house().url, request("PATCH", "/api/v1/servers/1", lines), ...small);
      expect(fine.status).toBe(404);
      await ear.settle();
      expect(ear.frames.slice(seen).map((frame) => frame.type)).toEqual(["PONG"]);
    });
  });

  test("with fields that are not the caller's to set changes only the others (T14)", async () => {
    const wish = {
      id: alice.id,
      owner_id: alice.id,
      member_count: 99,
      created_at: "x",
      permissions: 0,
      icon: null,
    };
    const before = (await alice.get(`/servers/${serverId}`)).body;
    const answer = await alice.patch(`/servers/${serverId}`, {
      ...wish,
      __proto__: { name: "x" },
      constructor: 1,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(before);
    const text =
      '{"display_name":"Alice","__proto__":{"instance_role":"owner"},"instance_role":"owner","email":"x@y.example"}';
    const me = await post(house(), alice, text, { "Content-Type": "application/json" }, "PATCH", "/auth/me");
    expect(me.body).toMatchObject({ display_name: "Alice", email: alice.email });
    expect((await alice.get("/auth/me")).body).toEqual(me.body as never);
  });
});

async function post(
  house: TestHouse,
  who: TestPerson,
  body: Bun.BodyInit | Uint8Array,
  headers: Record<string, string>,
  method = "POST",
  path = "",
) {
  const response = await fetch(`${house.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${who.token}`, ...headers },
    body: body as Bun.BodyInit,
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}
