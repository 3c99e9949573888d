// The web client: its page, never cached; its files, cached for ever and precompressed; and one policy for all.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { pagePath } from "../../protocol/page-paths.ts";
import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import type { House } from "../house/house.ts";
import { pages } from "./pages.ts";
import { openRoutes } from "./routes.ts";
import { webPages } from "./web-pages.ts";

const index = "<!doctype html><title>Hearth</title><script src=/assets/app-a1b2.js></script>";
const script = `console.log(${JSON.stringify("hearth ".repeat(200))});`;
const face = new Uint8Array([0x77, 0x4f, 0x46, 0x32, 0x00]);
const forever = "public, max-age=31536000, immutable";

/** Verbatim the documented policy, with nothing configured beside the server itself. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
];

const browser = { Accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };

let house: TestHouse;
let ask: (path: string, headers?: Record<string, string>) => Promise<Response>;
const built = temporaryFolder();
const empty = temporaryFolder();

beforeAll(async () => {
  mkdirSync(join(built.path, "assets"));
  const write = (name: string, bytes: string | Uint8Array) => writeFileSync(join(built.path, name), bytes);
  write("index.html", index);
  write("look.js", "document");
  write("assets/app-a1b2.js", script);
  write("assets/app-a1b2.js.br", brotliCompressSync(script));
  write("assets/app-a1b2.js.gz", gzipSync(script));
  write("assets/face-c3d4.woff2", face);
  house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  ask = asking(house.running.house, built.path);
});
afterAll(async () => {
  await house.end();
  built.remove();
  empty.remove();
});

/** Requests pages served from this folder, beside everything else that a house answers. */
function asking(running: House, folder: string) {
  const others = pages(running).filter(({ name }) => name !== "page");
  const answer = openRoutes(running, [...others, ...webPages(running, folder)]);
  return async (path: string, headers: Record<string, string> = browser) => {
    const facts = { requestId: "one", clientIp: () => "127.0.0.1", operation: "none" };
    return answer(new Request(`http://localhost${path}`, { headers }), path, facts);
  };
}

describe("the page", () => {
  test("comes at each of its addresses, and is never kept, not even for those who say that they have it", async () => {
    for (const pattern of Object.values(pagePath)) {
      const path = pattern.replace(/\{\w+\}/g, "x");
      const page = await ask(path);
      expect([path, page.status, await page.text()]).toEqual([path, 200, index]);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(page.headers.get("etag")).toBeNull();
    }
    expect((await ask("/", { ...browser, "If-None-Match": "*" })).status).toBe(200);
  });

  test("is kept by no search engine at the address of an invite", async () => {
    const robots = async (path: string) => (await ask(path)).headers.get("x-robots-tag");
    expect([await robots("/invite/abc"), await robots("/servers/1")]).toEqual(["noindex", null]);
  });

  test("comes at the root, too, where the interface has operations of the same names", async () => {
    for (const path of ["/admin/users", "/pictures", "/settings/profile", "/servers/1/settings/roles"])
      expect([path, await (await ask(path)).text()]).toEqual([path, index]);
  });

  test("is for browsers: programs get the error body", async () => {
    for (const Accept of ["application/json", "*/*"]) {
      const refusal = await ask("/servers/1/channels/2", { Accept });
      expect([refusal.status, await refusal.json()]).toMatchObject([404, { code: "not_found" }]);
    }
    for (const path of ["/api/v1/nothing", "/api/v1", "/api/unknown", "/api/", "/api"]) {
      const inside = await ask(path);
      expect([path, inside.status, await inside.json()]).toMatchObject([path, 404, { code: "not_found" }]);
    }
    expect((await ask("/apiary")).headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("says word for word what it may do", async () => {
    const said = ((await ask("/")).headers.get("content-security-policy") ?? "").split("; ");
    expect(said).toEqual(expect.arrayContaining(policy));
    expect(said).toContain("require-trusted-types-for 'script'");
    expect(said.join(" ")).not.toContain("unsafe");
  });

  test("may reach the media service that is set up, and nobody else", async () => {
    const connections = async (url: string) => {
      const { config, features } = house.running.house;
      const livekit = { url, apiKey: "key", apiSecret: "secret" };
      const [page] = webPages({ config: { ...config, livekit }, features } as unknown as House, built.path);
      const answer = await page?.answer({ path: "/", headers: new Headers(browser) });
      const said = answer?.headers?.["Content-Security-Policy"] ?? "";
      return said.split("; ").find((each) => each.startsWith("connect-src"));
    };
    expect(await connections("wss://media.example.org/rtc")).toBe(
      "connect-src 'self' wss://media.example.org https://media.example.org",
    );
    expect(await connections("ws://localhost:7880")).toBe(
      "connect-src 'self' ws://localhost:7880 http://localhost:7880",
    );
  });

  test("is one sentence as long as it is not built", async () => {
    const page = await asking(house.running.house, empty.path)("/login");
    const text = await page.text();
    expect(page.status).toBe(503);
    expect(text).toContain('The page of this Hearth is not built: run "npm ci"');
    expect(text.match(/<p>/g)).toHaveLength(1);
    expect((await asking(house.running.house, empty.path)("/assets/app-a1b2.js")).status).toBe(404);
  });

  test("has no body for HEAD, and all else as for GET", async () => {
    const [head, get] = await Promise.all(
      ["HEAD", "GET"].map((method) => fetch(`${house.url}/login`, { method, headers: browser })),
    );
    expect(head?.status).toBe(get?.status ?? 0);
    expect(await head?.text()).toBe("");
    for (const name of ["content-type", "content-security-policy", "cache-control"])
      expect(head?.headers.get(name) ?? null).toBe(get?.headers.get(name) ?? null);
    await get?.body?.cancel();
  });
});

describe("its files", () => {
  const asset = "/assets/app-a1b2.js";

  test("with a hash in their names are kept for ever; those beside are asked for again", async () => {
    const hashed = await ask(asset, {});
    expect([hashed.status, await hashed.text()]).toEqual([200, script]);
    expect(hashed.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(hashed.headers.get("cache-control")).toBe(forever);
    expect(hashed.headers.get("content-security-policy")).toContain("default-src 'none'");
    const beside = await ask("/look.js", {});
    expect([beside.status, await beside.text()]).toEqual([200, "document"]);
    expect(beside.headers.get("cache-control")).toBe("no-cache");
  });

  test("come in the smallest encoding that the browser takes, made beforehand", async () => {
    const encodings: [accepted: string, encoding: string | null][] = [
      ["gzip, deflate, br, zstd", "br"],
      ["br;q=1.0, gzip;q=0.8", "br"],
      ["gzip", "gzip"],
      ["gzip, br;q=0", "gzip"],
      ["BR", "br"],
      ["deflate", null],
      ["identity", null],
      ["", null],
    ];
    for (const [accepted, encoding] of encodings) {
      const file = await ask(asset, { "Accept-Encoding": accepted });
      expect([accepted, file.headers.get("content-encoding")]).toEqual([accepted, encoding]);
      expect(file.headers.get("vary")).toContain("Accept-Encoding");
    }
    const packed = await ask(asset, { "Accept-Encoding": "br" });
    expect(Buffer.from(await packed.arrayBuffer())).toEqual(brotliCompressSync(script));
    // A file that does not shrink has no compressed copy.
    const plain = await ask("/assets/face-c3d4.woff2", { "Accept-Encoding": "br, gzip" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(plain.headers.get("content-type")).toBe("font/woff2");
    expect(new Uint8Array(await plain.arrayBuffer())).toEqual(face);
  });

  test("are not sent again to browsers that have them; each encoding has a tag of its own", async () => {
    const tags = await Promise.all(
      ["br", "gzip", "identity"].map(async (accepted) => {
        const file = await ask(asset, { "Accept-Encoding": accepted });
        return [accepted, file.headers.get("etag") ?? ""] as const;
      }),
    );
    expect(new Set(tags.map(([, tag]) => tag)).size).toBe(3);
    for (const [accepted, tag] of tags) {
      const headers = { "Accept-Encoding": accepted, "If-None-Match": `"other", W/${tag}` };
      const known = await ask(asset, headers);
      expect([known.status, await known.text(), known.headers.get("etag")]).toEqual([304, "", tag]);
    }
    const [[, brotli]] = tags as [readonly [string, string]];
    const other = await ask(asset, { "Accept-Encoding": "gzip", "If-None-Match": brotli });
    expect(other.status).toBe(200);
  });

  test("that are none of it are nowhere: a compressed one has no name of its own", async () => {
    for (const path of ["/assets/app-a1b2.js.br", "/assets/other.js"])
      expect([path, (await ask(path, {})).status]).toEqual([path, 404]);
  });
});
