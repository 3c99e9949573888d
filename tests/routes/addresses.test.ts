// Addresses that lead nowhere, wrong methods, and other spellings of right addresses.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import type { TestPerson } from "../house/people/people.ts";
import { expectRefusal } from "./error-body.ts";
import { routes } from "./walk.ts";

let house: TestHouse;
let alice: TestPerson;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  alice = await house.person("alice");
});
afterAll(() => house.end());

async function call(method: string, path: string) {
  const response = await fetch(house.url + path, {
    method,
    headers: { Authorization: `Bearer ${alice.token}` },
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get body(): unknown {
      return JSON.parse(text);
    },
  };
}

const everyMethod = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

describe("addresses that lead nowhere", () => {
  for (const path of [
    "/api",
    "/api/v1",
    "/api/v1/",
    "/api/v1/nothing",
    "/api/v2/servers",
    "/api/v1/servers/1/2/3/4",
  ]) {
    test(`${path} is 404 with the error body, by any method`, async () => {
      for (const method of everyMethod) expectRefusal(await call(method, path), "not_found");
    });
  }
});

describe("wrong methods", () => {
  const shapes = Map.groupBy(routes, ({ operation }) => operation.path.replace(/\{\w+\}/g, "{}"));
  for (const [shape, there] of shapes) {
    test(`${shape} refuses what it does not know with 405 and says what it knows`, async () => {
      const [{ unknownPath } = { unknownPath: "" }] = there;
      const known = there.map(({ operation }) => operation.method as string);
      // Another operation may fit the same address: /members/{userID} fits /members/@me.
      const fitting = routes.filter(
        ({ operation }) => pattern(operation.path).test(unknownPath) && !known.includes(operation.method),
      );
      for (const method of everyMethod) {
        if (known.includes(method) || fitting.some(({ operation }) => operation.method === method)) continue;
        const answer = await call(method, `/api/v1${unknownPath}`);
        expectRefusal(answer, "method_not_allowed");
        const allow = (answer.headers.get("allow") ?? "").split(", ").sort();
        expect(allow).toEqual([...known, ...(known.includes("GET") ? ["HEAD"] : [])].sort());
      }
    });
  }

  test("the pages beside the interface answer GET and HEAD only", async () => {
    for (const path of [
      "/healthz",
      "/readyz",
      "/metrics",
      "/docs/swagger.json",
      "/api/v1/docs/swagger.json",
      "/docs/openapi.json",
      "/docs/asyncapi.json",
      "/docs/",
      "/docs/gateway",
    ]) {
      expect((await call("GET", path)).status).toBe(200);
      const refused = await call("POST", path);
      expectRefusal(refused, "method_not_allowed");
      expect(refused.headers.get("allow")).toBe("GET, HEAD");
    }
  });

  test("a method in a header overrides nothing", async () => {
    const home = await alice.makeServer("Stays");
    const response = await fetch(`${house.url}/api/v1/servers/${home.id}`, {
      headers: {
        Authorization: `Bearer ${alice.token}`,
        "X-HTTP-Method-Override": "DELETE",
        "X-HTTP-Method": "DELETE",
      },
    });
    expect(response.status).toBe(200);
    expect((await alice.get(`/servers/${home.id}`)).status).toBe(200);
  });
});

describe("HEAD", () => {
  for (const path of ["/api/v1/auth/me", "/api/v1/instance", "/api/v1/servers", "/healthz"]) {
    test(`${path}: the head of its GET, without the body`, async () => {
      const [get, head] = [await call("GET", path), await call("HEAD", path)];
      expect([head.status, head.text]).toEqual([get.status, ""]);
      for (const name of ["content-type", "cache-control", "content-security-policy", "x-ratelimit-limit"]) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    });
  }

  test("it says the length of what GET would send, or nothing about it", async () => {
    const head = await call("HEAD", "/api/v1/instance");
    const { text } = await call("GET", "/api/v1/instance");
    expect([null, String(Buffer.byteLength(text))]).toContain(head.headers.get("content-length"));
  });

  test("a stranger's HEAD is refused like a GET", async () => {
    expect((await fetch(`${house.url}/api/v1/auth/me`, { method: "HEAD" })).status).toBe(401);
  });
});

describe("other spellings of an address", () => {
  const spellings = [
    "/api/v1/servers/",
    "/api/v1//servers",
    "/API/v1/servers",
    "/api/v1/SERVERS",
    "/api/v1/servers%2F",
    "/api/v1/servers;x=1",
    "/api%2Fv1/servers",
  ];
  for (const path of spellings) {
    test(`${path} is not /api/v1/servers: 404 with a session, and without one nothing more`, async () => {
      expectRefusal(await call("GET", path), "not_found");
      expectRefusal(await call("POST", path), "not_found");
      expect((await fetch(house.url + path)).status).toBe(404);
    });
  }

  test("/api/v1/./servers and /api/v1/x/../servers are the same place, behind the same guard", async () => {
    for (const path of ["/api/v1/./servers", "/api/v1/x/../servers", "/api/v1/%2e%2e/v1/servers"]) {
      expect([401, 404]).toContain((await fetch(house.url + path)).status);
    }
  });

  test("an escaped letter is the letter", async () => {
    expect([200, 404]).toContain((await call("GET", "/api/v1/%73ervers")).status);
    expect([401, 404]).toContain((await fetch(`${house.url}/api/v1/%73ervers`)).status);
  });
});

describe("ids in a path", () => {
  test("what is no id at all is as unknown as an unknown id", async () => {
    for (const id of [
      "1",
      "not-an-id",
      "%00",
      "%ff%fe",
      "..%2f..",
      "%2e%2e",
      "00000000-0000-0000-0000-00000000000g",
    ]) {
      for (const path of [`/servers/${id}`, `/channels/${id}`, `/messages/${id}/reactions`, `/users/${id}`]) {
        expectRefusal(await call("GET", `/api/v1${path}`), "not_found");
      }
    }
  });

  test("an id in capitals is the same id", async () => {
    const home = await alice.makeServer();
    const answer = await alice.get(`/servers/${home.id.toUpperCase()}`);
    expect([answer.status, answer.body.id as unknown]).toEqual([200, home.id]);
  });
});

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}
