// T54: every answer carries the security headers, whatever its status and whichever part of the server writes it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { letFlow } from "../house/scenes/flow.ts";
import { expectErrorBody } from "../routes/error-body.ts";
import { request, sayRaw } from "./raw.ts";
import { expectSecurityHeaders } from "./security-headers.ts";

let house: TestHouse;
let alice: TestPerson;
let serverId: string;
beforeAll(async () => {
  house = await makeHouse("SQLite", { RATE_LIMITS: "on", RATE_AUTH: "1/3", LOG_LEVEL: "silent" });
  await house.open();
  alice = await house.person("alice");
  serverId = (await alice.makeServer()).id;
});
afterAll(() => house.end());

const json = { "Content-Type": "application/json" };

async function expectAnswer(status: number, path: string, init: RequestInit & { anonymous?: boolean } = {}) {
  const { anonymous, ...rest } = init;
  const headers = { ...(!anonymous && { Authorization: `Bearer ${alice.token}` }), ...rest.headers };
  const response = await fetch(house.url + path, { ...rest, headers } as RequestInit);
  expect(response.status).toBe(status);
  expectSecurityHeaders(response.headers);
  const text = await response.text();
  if (status >= 400) expectErrorBody({ status, headers: response.headers, body: JSON.parse(text) });
}

describe("the security headers are on", () => {
  test("200, 201 and 204", async () => {
    await expectAnswer(200, "/api/v1/servers");
    await expectAnswer(201, "/api/v1/servers", { method: "POST", headers: json, body: '{"name":"Two"}' });
    await expectAnswer(204, "/api/v1/auth/me/presence", {
      method: "PUT",
      headers: json,
      body: '{"status":"idle"}',
    });
  });

  test("the pages: health, readiness, metrics, description, front page", async () => {
    const docs = ["", "gateway", "swagger.json", "openapi.json", "asyncapi.json"].map(
      (name) => `/docs/${name}`,
    );
    for (const path of ["/healthz", "/readyz", "/metrics", ...docs]) {
      await expectAnswer(200, path, { anonymous: true });
    }
    await expectAnswer(200, "/", { anonymous: true, headers: { Accept: "text/html" } });
    await expectAnswer(404, "/", { anonymous: true });
  });

  test("400, 401, 403, 404, 405, 413 and 415", async () => {
    const post = { method: "POST", headers: json };
    await expectAnswer(400, "/api/v1/servers", { ...post, body: "{" });
    await expectAnswer(401, "/api/v1/servers", { anonymous: true });
    await expectAnswer(403, "/api/v1/servers", { ...post, headers: { ...json, Origin: "null" }, body: "{}" });
    await expectAnswer(404, "/api/v1/nothing");
    await expectAnswer(404, "/nothing");
    await expectAnswer(405, `/api/v1/servers/${serverId}`, { method: "PUT" });
    await expectAnswer(405, "/healthz", { method: "POST" });
    await expectAnswer(413, "/api/v1/servers", {
      ...post,
      body: JSON.stringify({ name: "x".repeat(300_000) }),
    });
    await expectAnswer(415, "/api/v1/servers", {
      ...post,
      headers: { "Content-Type": "text/plain" },
      body: "{}",
    });
  });

  test("429", async () => {
    letFlow(house);
    const login = () => fetch(`${house.url}/api/v1/auth/login/password`, { method: "POST" });
    const answers = await Promise.all(Array.from({ length: 12 }, login));
    const refused = answers.find((answer) => answer.status === 429);
    expectSecurityHeaders(refused?.headers ?? new Headers());
  });

  test("a refused upgrade, and an upgrade that is none", async () => {
    const upgrade = { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Version": "13" };
    const key = { "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" };
    await expectAnswer(403, "/ws", { headers: { ...upgrade, ...key, Origin: "https://evil.example" } });
    for (const path of ["/ws", "/api/v1/ws"]) {
      const plain = await fetch(house.url + path);
      expect([400, 404, 426]).toContain(plain.status);
      expectSecurityHeaders(plain.headers);
    }
    const posted = await fetch(`${house.url}/ws`, { method: "POST" });
    expect([404, 405]).toContain(posted.status);
    expectSecurityHeaders(posted.headers);
  });

  test("a body beyond everything that this server takes", async () => {
    const lines = [
      `Authorization: Bearer ${alice.token}`,
      "Content-Type: application/json",
      `Content-Length: ${64 * 1024 * 1024}`,
    ];
    const answer = await sayRaw(house.url, request("POST", "/api/v1/servers", lines, "{"));
    expect(answer.status).toBe(413);
    expectSecurityHeaders(answer.headers);
    expectErrorBody({ ...answer, body: JSON.parse(answer.body) });
  });

  test("an upgrade of a version that nobody speaks", async () => {
    const lines = [
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Version: 7",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];
    const answer = await sayRaw(house.url, request("GET", "/ws", lines));
    expect([400, 426]).toContain(answer.status);
    expectSecurityHeaders(answer.headers);
  });
});

describe("browsers come by https alone", () => {
  const strict = "max-age=31536000";

  test("after an answer of a server whose public address is https, whatever it answers", async () => {
    const safe = await makeHouse("SQLite", { PUBLIC_URL: "https://chat.example.org", LOG_LEVEL: "silent" });
    try {
      await safe.open();
      for (const path of [
        "/",
        "/healthz",
        "/docs/",
        "/api/v1/instance",
        "/api/v1/servers",
        "/ws",
        "/nothing",
      ]) {
        const { headers } = await fetch(safe.url + path, { headers: { Accept: "text/html" } });
        expect({ path, said: headers.get("strict-transport-security") }).toEqual({ path, said: strict });
      }
    } finally {
      await safe.end();
    }
  });

  test("and not of one that people reach by http", async () => {
    for (const path of ["/", "/healthz", "/api/v1/servers"]) {
      expect((await fetch(house.url + path)).headers.has("strict-transport-security")).toBe(false);
    }
  });
});

describe("an answer is private", () => {
  test("nobody in between keeps one that signs somebody in or out, or is about them", async () => {
    const { headers } = await alice.get("/auth/me");
    expect(headers.get("cache-control")).toBe("no-store");
    const out = await alice.post("/auth/logout");
    expect(out.headers.get("cache-control")).toBe("no-store");
    expect(out.headers.get("set-cookie")).toMatch(
      /^app_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax/,
    );
  });
});
