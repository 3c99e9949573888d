// Pages that send files: any bytes, with cache control and a policy of their own; and the page for unused paths.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { pagePath } from "../../protocol/page-paths.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import type { Page } from "./page.ts";
import { pages } from "./pages.ts";
import { openRoutes } from "./routes.ts";

const script = new Uint8Array([0x1f, 0x8b, 0x00, 0xff, 0x0a]);
const own = "default-src 'none'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'";
const forever = "public, max-age=31536000, immutable";

/** A page with a file below it, as a client for browsers would have. */
const toy: Page[] = [
  {
    name: "toy files",
    paths: ["/toy/files/*"],
    async answer({ path, headers }) {
      const shared = { ETag: '"1"', "Cache-Control": forever };
      if (path !== "/toy/files/app.js") return { status: 404, type: "text/plain", body: "no such file\n" };
      if (headers.get("if-none-match") === '"1"')
        return { status: 304, type: "text/javascript", body: null, headers: shared };
      const encoded = { ...shared, "Content-Encoding": "gzip", Vary: "Accept-Encoding" };
      return { status: 200, type: "text/javascript", body: new Blob([script]), headers: encoded };
    },
  },
  {
    name: "toy",
    paths: ["/toy"],
    isElsewhere: true,
    answer: async ({ path }) => ({
      status: 200,
      type: "text/html; charset=utf-8",
      body: `<!doctype html><title>${path}</title>`,
      headers: { "Content-Security-Policy": own },
    }),
  },
];

let house: TestHouse;
let answerWith: (served: readonly Page[]) => (path: string, init?: RequestInit) => Promise<Response>;
beforeAll(async () => {
  house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  const running = house.running.house;
  answerWith = (served) => {
    const answer = openRoutes(running, [...served, ...pages(running)]);
    return async (path, init) => {
      const facts = { requestId: "one", clientIp: () => "127.0.0.1", operation: "none" };
      return answer(new Request(`http://localhost${path}`, init), path, facts);
    };
  };
});
afterAll(() => house.end());

const browser = { headers: { Accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" } };

test("a file comes byte for byte, of its type, kept and encoded as it says; who has it already gets no body", async () => {
  const ask = answerWith(toy);
  const file = await ask("/toy/files/app.js");
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(script);
  expect(file.headers.get("content-type")).toBe("text/javascript");
  expect(file.headers.get("cache-control")).toBe(forever);
  expect(file.headers.get("content-encoding")).toBe("gzip");
  // Headers that the page does not set stay as in every answer.
  expect(file.headers.get("x-content-type-options")).toBe("nosniff");
  const known = await ask("/toy/files/app.js", { headers: { "If-None-Match": '"1"' } });
  expect([known.status, await known.text()]).toEqual([304, ""]);
  expect((await ask("/toy/files/other.js")).status).toBe(404);
});

test("a page has a policy of its own, and is not kept unless it says so", async () => {
  const page = await answerWith(toy)("/toy", browser);
  expect(page.headers.get("content-security-policy")).toBe(own);
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect((await answerWith(toy)("/toy", { method: "POST" })).status).toBe(405);
});

describe("at a path that is nobody's", () => {
  test("a browser gets the page that is for there, a program the error", async () => {
    const ask = answerWith(toy);
    const page = await ask("/servers/1/channels/2", browser);
    expect([page.status, await page.text()]).toEqual([
      200,
      "<!doctype html><title>/servers/1/channels/2</title>",
    ]);
    const program = await ask("/servers/1/channels/2", { headers: { Accept: "application/json" } });
    expect([program.status, await program.json()]).toMatchObject([404, { code: "not_found" }]);
    for (const [path, init] of [
      ["/api/v1/nothing", browser],
      ["/api/v1", browser],
      ["/servers/1", { ...browser, method: "POST" }],
      ["/servers/1", {}],
    ] as const)
      expect([path, (await ask(path, init)).status]).toEqual([path, 404]);
  });

  test("no operation and no other page stands at an address of the page", async () => {
    const ask = answerWith(toy);
    for (const [name, pattern] of Object.entries(pagePath)) {
      if (name === "home") continue;
      const path = pattern.replace(/\{\w+\}/g, "x");
      expect([path, await (await ask(path, browser)).text()]).toEqual([
        path,
        `<!doctype html><title>${path}</title>`,
      ]);
    }
  });
});
