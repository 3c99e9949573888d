// The description for people: whole, and a page that a browser shows without loading or running anything.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { errorStatus } from "../../protocol/errors.ts";
import { closeCode } from "../../protocol/frames.ts";
import { features } from "../../server/features.ts";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import { routes } from "./walk.ts";

let house: TestHouse;
let page: string;
let policy: string;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  const answer = await fetch(`${house.url}/docs/`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  policy = answer.headers.get("content-security-policy") ?? "";
  page = await answer.text();
});
afterAll(() => house.end());

/** What stands on the page about one thing. */
function articleOf(anchor: string): string {
  return new RegExp(`<article id="${anchor}">.*?</article>`, "s").exec(page)?.[0] ?? "";
}

test("it is the same under /api/v1, and /docs leads to it", async () => {
  expect(await (await fetch(`${house.url}/api/v1/docs/`)).text()).toBe(page);
  for (const path of ["/docs", "/api/v1/docs"]) {
    const short = await fetch(house.url + path, { redirect: "manual" });
    expect(short.status).toBe(308);
    expect(new URL(short.headers.get("location") ?? "", house.url + path).pathname).toBe(`${path}/`);
  }
});

test("it tells of every operation: its path, fields, parameters, answers and refusals", () => {
  for (const { operation } of routes) {
    const article = articleOf(operation.name);
    expect(article).toContain(`<code>${operation.path}</code>`);
    const fields = Object.keys((operation.body as { shape?: object } | undefined)?.shape ?? {});
    const parameters = [operation.params, operation.query].flatMap((each) => Object.keys(each?.shape ?? {}));
    for (const name of [...fields, ...parameters]) expect(article).toContain(`<td><code>${name}</code>`);
    for (const status of Object.keys(operation.answers)) expect(article).toContain(`<b>${status}</b>`);
    for (const code of operation.errors ?? []) expect(article).toContain(`<code>${code}</code>`);
  }
});

test("it tells of all that READY says of a server", async () => {
  const alice = await house.person("alice");
  await alice.makeServer();
  const ear = await alice.listen();
  const [entry = {}] = ear.ready.servers as unknown as object[];
  const [, told = ""] = /<code>servers<\/code>, each with (.*?)\.<\/td>/.exec(page) ?? [];
  const fields = [...told.matchAll(/<code>(\w+)<\/code>/g)].map(([, field]) => field);
  expect(fields.sort()).toEqual(Object.keys(entry).sort());
  ear.close();
});

test("it tells of every event, every frame, every code", () => {
  for (const feature of features) {
    for (const { type } of feature.events ?? []) {
      expect(articleOf(`event-${type.toLowerCase()}`)).toContain("Heard by");
    }
    for (const { type } of feature.frames ?? []) expect(page).toContain(`<h3><code>${type}</code></h3>`);
  }
  for (const { code } of Object.values(closeCode)) expect(page).toContain(`<td><code>${code}</code></td>`);
  for (const code of Object.keys(errorStatus)) expect(page).toContain(`<td><code>${code}</code></td>`);
});

test("it says limits as people do", () => {
  const article = articleOf("createInvite");
  expect(article).toContain("0 to 8760");
  expect(article).toContain("default <code>24</code>");
  expect(articleOf("createChannel")).toContain("<code>text</code> | <code>voice</code>");
  expect(articleOf("register")).toContain("8 to 256 characters");
});

test("it runs nothing, loads nothing, and its own style is all that the policy lets in", () => {
  expect(page).not.toMatch(/<(script|link|img|iframe|form)\b|\son\w+=|style="|@import|url\(/i);
  expect(page).not.toMatch(/(src|href)\s*=\s*["']?(\w+:|\/)/i);
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const hash = createHash("sha256").update(style).digest("base64");
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  );
});

test("every link on it leads somewhere, and no two things have one name", () => {
  const anchors = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
  expect(new Set(anchors).size).toBe(anchors.length);
  const links = [...page.matchAll(/href="([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(links.length).toBeGreaterThan(routes.length);
  expect(links.filter((link) => link !== "swagger.json" && !anchors.includes(link.slice(1)))).toEqual([]);
});
