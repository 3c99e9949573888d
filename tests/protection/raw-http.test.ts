// T53: requests that no client would send (endless headers, two lengths, half a request) are refused or closed, and the
// server goes on.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { request, sayRaw, sayToTheEnd } from "./raw.ts";

let house: TestHouse;
let alice: TestPerson;
beforeAll(async () => {
  house = await makeHouse("SQLite", { LOG_LEVEL: "silent" });
  await house.open();
  alice = await house.person("alice");
});
afterAll(() => house.end());

const login = "/api/v1/auth/login/password";
const smuggled = `GET /api/v1/auth/me HTTP/1.1\r\nHost: x\r\n\r\n`;

/** Expects an error status or a closed connection, and no answer to a second request hidden in the text. */
async function expectRefusedRaw(text: string): Promise<void> {
  const answer = await sayToTheEnd(house.url, text);
  expect([0, 400, 411, 413, 414, 431, 501, 505]).toContain(answer.status);
  expect(answer.count).toBeLessThanOrEqual(1);
  expect((await alice.get("/auth/me")).status).toBe(200);
}

describe("headers without end", () => {
  test("a megabyte in one line, in many lines, or in the address is refused", async () => {
    await expectRefusedRaw(request("GET", "/healthz", [`X-Long: ${"a".repeat(1 << 20)}`]));
    await expectRefusedRaw(
      request(
        "GET",
        "/healthz",
        Array.from({ length: 20_000 }, (_, i) => `X-${i}: ${"a".repeat(40)}`),
      ),
    );
    await expectRefusedRaw(request("GET", `/${"a".repeat(1 << 20)}`));
    await expectRefusedRaw(request("GET", "/healthz", [`Cookie: ${"app_session=x; ".repeat(70_000)}`]));
  });
});

describe("a request inside a request", () => {
  const cases: Record<string, string[]> = {
    "a length and chunks": ["Content-Length: 5", "Transfer-Encoding: chunked"],
    "chunks and a length": ["Transfer-Encoding: chunked", "Content-Length: 5"],
    "two lengths": ["Content-Length: 5", `Content-Length: ${5 + smuggled.length}`],
    "a blank before the colon": [`Content-Length : ${5 + smuggled.length}`],
    "an unknown coding": ["Transfer-Encoding: xchunked"],
    "two codings": ["Transfer-Encoding: chunked, identity", "Content-Length: 5"],
    "a negative length": ["Content-Length: -1"],
    "a length with a sign": ["Content-Length: +5"],
    "a length in words": ["Content-Length: five"],
    "a length beyond numbers": ["Content-Length: 99999999999999999999999"],
    "a folded line": ["Transfer-Encoding:", " chunked", "Content-Length: 5"],
  };
  for (const [title, lines] of Object.entries(cases)) {
    test(`${title}: refused, and what hides behind it is not answered`, () =>
      expectRefusedRaw(
        request("POST", login, ["Content-Type: application/json", ...lines], `0\r\n\r\n${smuggled}`),
      ));
  }

  test("chunks whose sizes are no numbers are refused", () =>
    expectRefusedRaw(request("POST", login, ["Transfer-Encoding: chunked"], "ZZ\r\nabc\r\n0\r\n\r\n")));
});

describe("an address or a host of a strange form", () => {
  test("is refused as the caller's mistake, never as ours", async () => {
    const strange = [
      "GET /api/v1/instance HTTP/1.1\r\nHost: a b/../c\r\n\r\n",
      "GET /api/v1/instance HTTP/1.1\r\nHost: [\r\n\r\n",
      "GET /api/v1/instance HTTP/1.1\r\nHost: x:99999\r\n\r\n",
      "GET /api/v1/instance HTTP/1.1\r\nHost: %zz\r\n\r\n",
      "GET /api/v1/instance HTTP/1.1\r\nHost:\r\n\r\n",
      "GET /api/v1/instance HTTP/1.1\r\n\r\n",
      "GET /api/v1/%ff%00%zz HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET \\..\\api HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET http://evil.example/api/v1/servers HTTP/1.1\r\nHost: x\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
      "HEAD /healthz HTTP/1.1\r\nHost: 999.999.999.999\r\n\r\n",
      "HEAD /healthz HTTP/1.1\r\nHost: [1:::1]\r\n\r\n",
      "HEAD /healthz HTTP/1.1\r\nHost: a.0x\r\n\r\n",
    ];
    const ours: string[] = [];
    for (const text of strange) if ((await sayRaw(house.url, text)).status >= 500) ours.push(text);
    expect(ours).toEqual([]);
  });

  test("two hosts are refused: whoever is in between may have gone by the other", async () => {
    const two = "GET /healthz HTTP/1.1\r\nHost: one.example\r\nHost: two.example\r\n\r\n";
    const answer = await sayRaw(house.url, two);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).code).toBe("invalid_request");
    expect((await sayRaw(house.url, two.replace("two.example", "one.example"))).status).toBe(400);
  });

  test("a client of HTTP/1.0, which names no host, is answered", async () => {
    const answer = await sayRaw(house.url, "GET /healthz HTTP/1.0\r\n\r\n");
    expect(answer.status).toBe(200);
  });

  test("two slashes before the path lead nowhere", async () => {
    const lines = [`Authorization: Bearer ${alice.token}`, "Connection: close"];
    expect((await sayRaw(house.url, request("GET", "//api/v1/servers", lines))).status).toBe(404);
    expect((await sayRaw(house.url, request("GET", "/api/v1/servers", lines))).status).toBe(200);
  });

  test("a host that the caller makes up appears in no link (T12)", async () => {
    const { id } = await alice.makeServer();
    const body = JSON.stringify({ server_id: id });
    const lines = [
      `Authorization: Bearer ${alice.token}`,
      "Content-Type: application/json",
      "X-Forwarded-Host: evil.example",
      `Content-Length: ${body.length}`,
      "Connection: close",
    ];
    const answer = await sayRaw(
      house.url,
      request("POST", "/api/v1/invites", lines, body).replace("hearth.example", "evil.example"),
    );
    expect(answer.status).toBe(201);
    expect(String((JSON.parse(answer.body) as { url: unknown }).url)).toStartWith(`${house.url}/`);
  });
});

describe("half a request", () => {
  test("two hundred that never end keep nobody else from being answered", async () => {
    const { hostname, port } = new URL(house.url);
    const halves = [
      "GET /healthz HTTP/1.1\r\nHost: x\r\nX: ",
      request("POST", login, ["Content-Length: 100"], "{"),
      "G",
      "",
    ];
    const sockets: Socket[] = [];
    for (let i = 0; i < 200; i++) {
      const socket = connect(Number(port), hostname);
      socket.on("error", () => {});
      socket.write(halves[i % halves.length] ?? "");
      sockets.push(socket);
    }
    for (let i = 0; i < 20; i++) expect((await alice.get("/auth/me")).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    expect((await alice.get("/auth/me")).status).toBe(200);
  });

  test("a caller who leaves before the answer leaves no harm", async () => {
    const { hostname, port } = new URL(house.url);
    const home = await alice.makeServer();
    const body = '{"content":"said while leaving"}';
    const lines = [
      `Authorization: Bearer ${alice.token}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
    ];
    for (let i = 0; i < 20; i++) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(request("POST", `/api/v1/channels/${home.general.id}/messages`, lines, body), () => {
            socket.destroy();
            resolve();
          });
        });
      });
    }
    const there = (await alice.get<{ content: string }[]>(`/channels/${home.general.id}/messages`)).body;
    expect(there.every((message) => message.content === "said while leaving")).toBe(true);
    expect((await alice.say(home.general.id, "still here")).content).toBe("still here");
  });
});

describe("requests that do not wait for an answer", () => {
  test("a thousand on one connection are no crowd: those of one turn are answered, then it is closed", async () => {
    for (const path of ["/healthz", "/api/v1/instance", "/api/v1/servers", "/api/v1/nothing"]) {
      const { status, count } = await sayToTheEnd(house.url, request("GET", path).repeat(1000));
      expect(status).toBeGreaterThanOrEqual(200);
      expect(count).toBeLessThanOrEqual(100);
    }
    expect((await alice.get("/auth/me")).status).toBe(200);
  });

  test("a few hundred people at the same moment are all answered", async () => {
    const all = await Promise.all(Array.from({ length: 300 }, () => fetch(`${house.url}/api/v1/instance`)));
    expect(new Set(all.map((answer) => answer.status))).toEqual(new Set([200]));
  });
});
