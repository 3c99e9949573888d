// The documentation pages: their contents, what they may load, and where their files come from.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { closeCode } from "../../protocol/closing.ts";
import { features } from "../../server/features.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { expectRefusal } from "./error-body.ts";

let house: TestHouse;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
});
afterAll(() => house.end());

async function read(path: string) {
  const answer = await fetch(house.url + path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  return { html: await answer.text(), policy: answer.headers.get("content-security-policy") ?? "" };
}

/** Below the address of the instance: the mark, the style that was built with the page, and the way back to it. */
const absoluteLinks = ["/mark.svg", "/assets/docs-*.css", "/", "/mark.svg"];

function hashOf(html: string, element: string): string {
  const [, text = ""] = new RegExp(`<${element}>(.*?)</${element}>`, "s").exec(html) ?? [];
  expect(text.length).toBeGreaterThan(50);
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

test("all pages are the same under /api/v1, and /docs leads to the first", async () => {
  for (const path of ["/docs/", "/docs/gateway"])
    expect((await read(`/api/v1${path}`)).html).toBe((await read(path)).html);
  for (const path of ["/docs", "/api/v1/docs"]) {
    const short = await fetch(house.url + path, { redirect: "manual" });
    expect(short.status).toBe(308);
    expect(new URL(short.headers.get("location") ?? "", house.url + path).pathname).toBe(`${path}/`);
  }
});

describe("the gateway's page", () => {
  let page: string;
  let policy: string;
  beforeAll(async () => {
    ({ html: page, policy } = await read("/docs/gateway"));
  });

  /** The article of the page with this anchor. */
  function articleOf(anchor: string): string {
    return new RegExp(`<article id="${anchor}">.*?</article>`, "s").exec(page)?.[0] ?? "";
  }

  test("tells of every event what happened, who hears it, its fields, and an example", () => {
    const heard = {
      server: "all members",
      channel: "who see the channel",
      person: "the person alone",
      people: "members of the person.s servers",
    };
    for (const { type, summary, happensIn, live, data } of features.flatMap(({ events = [] }) => events)) {
      const article = articleOf(`event-${type.toLowerCase()}`);
      expect(article).toContain(`${summary}.`.replaceAll("&", "&amp;"));
      expect(article).toMatch(new RegExp(`Heard by .*${heard[happensIn]}`));
      expect(article).toContain(live ? "Live only" : "told again after a resume");
      for (const field of Object.keys((data as { shape?: object }).shape ?? {}))
        expect(article).toContain(`<td><code>${field}</code>`);
      const [, example = ""] = /<pre><code>(.*?)<\/code><\/pre>/s.exec(article) ?? [];
      expect(JSON.parse(example.replaceAll("&quot;", '"'))).toMatchObject({ type });
    }
  });

  test("tells of every frame, either way", () => {
    const frames = features.flatMap((feature) => feature.frames ?? []);
    for (const type of ["AUTH", "PING", ...frames.map((frame) => frame.type)]) {
      const article = articleOf(`say-${type.toLowerCase()}`);
      expect([type, /<p>\w.{8,}\.<\/p>/.test(article)]).toEqual([type, true]);
    }
    for (const type of ["READY", "RESUMED", "PONG", "ERROR", "SERVER_CREATE"])
      expect(articleOf(`hear-${type.toLowerCase()}`)).toContain("<pre><code>");
    expect(articleOf("say-auth")).toContain("<code>resume.streams</code>");
  });

  test("tells of all that READY says of a server", async () => {
    const alice = await house.person("alice");
    await alice.makeServer();
    const ear = await alice.listen();
    const [entry = {}] = ear.ready.servers as unknown as object[];
    const rows = [...articleOf("hear-ready").matchAll(/<td><code>servers\[\]\.(\w+)<\/code>/g)];
    expect(rows.map(([, field]) => field).sort()).toEqual(Object.keys(entry).sort());
    ear.close();
  });

  test("tells of every close code, and how to come back", () => {
    for (const { code } of Object.values(closeCode)) expect(page).toContain(`<td><code>${code}</code></td>`);
    expect(page).toContain("<h2>Come back</h2>");
    expect(page).toContain("within 10 seconds");
    expect(page).toContain("At most 120 frames in 60 seconds");
  });

  test("runs nothing but the choice of the theme, and loads the page's own style, font and mark alone", () => {
    expect(page).not.toMatch(/<(iframe|form|style)\b|\son\w+=|style="|@import|url\(/i);
    const absolute = [...page.matchAll(/(?:src|href)\s*=\s*["']?((?:\w+:|\/)[^"' >]*)/gi)].map(
      ([, to]) => to,
    );
    expect(absolute.map((to) => to?.replace(/-[\w-]{8}\.css$/, "-*.css"))).toEqual(absoluteLinks);
    expect(policy).toBe(
      `default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; script-src ${hashOf(page, "script")}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    );
  });

  test("has links that lead somewhere, and no two things of one name", async () => {
    const anchors = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(anchors).size).toBe(anchors.length);
    const links = [...page.matchAll(/href="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(links.length).toBeGreaterThan(30);
    const inside = links.filter((link) => link.startsWith("#"));
    expect(inside.filter((link) => !anchors.includes(link.slice(1)))).toEqual([]);
    const headers = { Accept: "text/html, */*" };
    const statusOf = async (link: string) =>
      (await fetch(new URL(link, `${house.url}/docs/gateway`), { headers })).status;
    for (const link of new Set(links.filter((each) => !each.startsWith("#"))))
      expect([link, await statusOf(link)]).toEqual([link, 200]);
  });
});

describe("the page of the operations", () => {
  test("runs its own script and that of Swagger UI, and calls this server alone", async () => {
    const { html, policy } = await read("/docs/");
    expect(policy.split("; ").sort()).toEqual(
      [
        "default-src 'none'",
        `script-src ${hashOf(html, "script")} 'self'`,
        `style-src 'self' ${hashOf(html, "style")}`,
        "font-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
      ].sort(),
    );
    expect(html).not.toMatch(/\son\w+=|style="|(src|href)\s*=\s*["']?\w+:/i);
  });

  test("has its files beside it: of a hashed name, compressed, kept for good, and known again", async () => {
    const { html } = await read("/docs/");
    const paths = [...html.matchAll(/(?:src="|url\(")(assets\/[^"]+)"/g)].map((match) => match[1] ?? "");
    expect(paths.map((path) => path.replace(/^assets\/[0-9a-f]{16}\//, "")).sort()).toEqual([
      "swagger-ui-bundle.js",
      "swagger-ui.css",
    ]);
    for (const path of paths) {
      const url = `${house.url}/docs/${path}`;
      const ask = (headers: Record<string, string>, method = "GET") =>
        fetch(url, { method, headers, decompress: false } as RequestInit);
      const plain = await ask({ "Accept-Encoding": "identity" });
      const bytes = Buffer.from(await plain.arrayBuffer());
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(path).toContain(createHash("sha256").update(bytes).digest("hex").slice(0, 16));
      expect(plain.headers.get("content-type")).toMatch(/^text\/(javascript|css); charset=utf-8$/);

      const packed = await ask({ "Accept-Encoding": "br, gzip" });
      const sent = Buffer.from(await packed.arrayBuffer());
      expect(packed.headers.get("content-encoding")).toBe("gzip");
      expect(sent.length).toBeLessThan(bytes.length / 2);
      expect(gunzipSync(sent).equals(bytes)).toBe(true);
      const refused = await ask({ "Accept-Encoding": "gzip;q=0, identity" });
      expect(refused.headers.get("content-encoding")).toBeNull();

      for (const answer of [plain, packed]) {
        expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
        expect(answer.headers.get("vary")).toBe("Accept-Encoding");
      }
      const tag = packed.headers.get("etag") ?? "";
      expect(tag).not.toBe(plain.headers.get("etag"));
      const known = await ask({ "Accept-Encoding": "gzip", "If-None-Match": `"other", W/${tag}` });
      expect([known.status, await known.text(), known.headers.get("etag")]).toEqual([304, "", tag]);
      const head = await ask({ "Accept-Encoding": "gzip" }, "HEAD");
      expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([200, "", tag]);
      expect((await fetch(`${house.url}/api/v1/docs/${path}`)).status).toBe(200);
    }
  });

  test("has no other files: neither of another hash, nor anything else of the package or the machine", async () => {
    const { html } = await read("/docs/");
    const [, hash = ""] = /assets\/(\w+)\/swagger-ui-bundle/.exec(html) ?? [];
    for (const path of [
      "assets/0000000000000000/swagger-ui-bundle.js",
      `assets/${hash}/swagger-ui.css`,
      `assets/${hash}/package.json`,
      `assets/${hash}/..%2f..%2fpackage.json`,
      "assets/",
    ]) {
      const answer = await fetch(`${house.url}/docs/${path}`);
      const { status, headers } = answer;
      expectRefusal({ status, headers, body: await answer.json() }, "not_found");
    }
  });
});
