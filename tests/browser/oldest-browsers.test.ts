// The built page works in the oldest browsers that the documents name; an older one is told that it is too old.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtPageFolder } from "../../server/built-page.ts";
import { oldestBrowsers } from "../../tools/oldest-browsers.ts";
import { newerInScript, newerInStyle } from "./browser-support.ts";
import { boxOf } from "./composing.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFileSync(root + path, "utf8");
const { chrome, firefox, safari } = oldestBrowsers;

/** Functions and styles that some of them lack, with the reason why the page can do without. */
const allowed = {
  scripts: {
    ".checkVisibility()": "React Aria asks first whether there is one",
    ".drop()": "methods of ours; those of iterators are not called",
    ".take()": "methods of ours; those of iterators are not called",
    ".dispose()": "a method of the media library",
    ".startViewTransition()": "without it panes change at once (pane-change.ts)",
    "Error.captureStackTrace": "the media library asks first whether there is one",
    "PublicKeyCredential.getClientCapabilities": "the library of passkeys asks first whether there is one",
    RTCRtpScriptTransform: "the media library's encryption, which calls have none of",
  },
  styles: {
    "::-moz-range-thumb": "Firefox's own part of a slider, beside that of the others",
    "::-webkit-search-cancel-button": "hides a cross that Firefox does not draw",
    "::-webkit-slider-thumb": "the others' part of a slider, beside that of Firefox",
    "::selection": "colours, which iOS keeps to itself",
    "::view-transition": "belongs to what is not called there",
    "::view-transition-new": "belongs to what is not called there",
    "::view-transition-old": "belongs to what is not called there",
    "content: alt_text": "without it a screen reader may say the title twice",
    "corner-shape": "corners stay round",
    "field-sizing": "a script sizes the field where it is missing",
    "forced-color-adjust": "belongs to a mode that Safari does not have",
    "overflow-anchor": "turns off what Safari does not do",
    "overflow-clip-margin": "outlines are cut by some pixels",
    "round()": "without it the strip of servers ends with any part of a tab",
    "superellipse()": "corners stay round",
    resize: "iOS has no handle to resize a field",
    "scrollbar-color": "scroll bars as the system draws them",
    "scrollbar-width": "scroll bars as the system draws them",
    "text-wrap": "lines of a heading are less even",
  },
};

function newerIn(ending: string, find: (text: string) => string[]): string[] {
  const names = readdirSync(`${root}${builtPageFolder}`, { recursive: true }) as string[];
  const files = names.filter((name) => name.endsWith(ending));
  expect(files.length).toBeGreaterThan(1);
  return [...new Set(files.flatMap((name) => find(read(`${builtPageFolder}/${name}`))))].sort();
}

test("of what the oldest browsers lack, the built page uses what it can do without, and nothing else", () => {
  expect(newerIn(".js", newerInScript)).toEqual(Object.keys(allowed.scripts).sort());
  expect(newerIn(".css", newerInStyle)).toEqual(Object.keys(allowed.styles).sort());
});

test("what is too new is found in each way of writing it", () => {
  for (const [script, found] of [
    ["Map.groupBy(a, b); new Map(); a.map(b)", ["Map.groupBy"]],
    ["globalThis.URL.canParse(a); Other.canParse(a)", ["URL.canParse"]],
    ["one.union(other).has(1); one?.union(other)", [".union()"]],
    ["one.union?.(other); const union = 1", []],
    ["document.body.moveBefore(a, b)", [".moveBefore()"]],
    ["/[a--b]/v.test(a); /(?<=a)b/u.test(a)", ["/v"]],
    ["/(?i:a)b/.test(a)", ["(?i:)"]],
  ] as const)
    expect(newerInScript(script)).toEqual([...found]);
  const style =
    "@scope (.a){.b{color:red}}@layer x{.c:focus-visible{field-sizing:content}}.d::details-content{top:0}";
  expect(newerInStyle(style)).toEqual(["::details-content", "@scope", "field-sizing"]);
  const values =
    '.a{width:round(down,1px,2px);content:attr(b) / "";text-decoration:underline 1px red;color:light-dark(red,tan)}.b{content:"a / b";text-decoration:underline;margin:calc(1px/2) max(0px,1px)}';
  expect(newerInStyle(values)).toEqual([
    "content: alt_text",
    "light-dark()",
    "round()",
    "text-decoration: includes_thickness",
  ]);
});

test("the documents and the page name the same oldest browsers, and the page is built for them", () => {
  const english = `Chrome or Edge ${chrome}, Firefox ${firefox}, Safari ${safari}`;
  for (const path of ["README.md", "docs/web.md", "web/index.html"]) expect(read(path)).toContain(english);
  expect(read("web/index.html")).toContain(
    `Chrome oder Edge ${chrome}, Firefox ${firefox}, Safari ${safari} oder`,
  );
  const script = "const a = await import('b'); export const c = a?.d ?? 1;";
  expect(newerInScript(script)).toEqual([]);
});

test("the script that tells an older browser so has no syntax that it may not have", () => {
  const script = read(`${builtPageFolder}/look.js`);
  expect(script).toContain("oklch(");
  expect(script).not.toMatch(/\?\?|\?\.|\*\*|catch ?\{|\basync\b|\.\.\.|^\s*(import|export)\b/m);
});

inChromium("a browser", (scene) => {
  for (const [language, sentence] of [
    ["en-GB", `This browser is too old for Hearth, which needs Chrome or Edge ${chrome},`],
    ["de-AT", "Dieser Browser ist zu alt für Hearth: Nötig ist"],
  ] as const)
    for (const missing of ["delete Intl.Segmenter", "CSS.supports = (name) => name !== 'color'"])
      test(
        `that is too old is told so in one sentence (${language}; ${missing})`,
        async () => {
          const watched = await scene.watched({ ...withoutWorker, locale: language });
          await watched.context.addInitScript(missing);
          const page = await watched.page("/login");
          await page.getByText(sentence).waitFor();
          await page.waitForLoadState("networkidle");
          expect((await page.locator("body").innerText()).split("\n")).toHaveLength(1);
          await watched.close();
        },
        journey,
      );

  test(
    "that lacks what is younger than the oldest ones opens a channel, and says nothing of its age",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      await bob.say(general.id, "See https://example.org/a and https://[bad/");
      const watched = await scene.watched(withoutWorker);
      await watched.context.addInitScript(
        "delete Map.groupBy; delete AbortSignal.any; delete Promise.withResolvers; delete URL.canParse; delete URL.parse",
      );
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      await page.getByRole("link", { name: "https://example.org/a" }).waitFor();
      await boxOf(page).fill("Works.");
      await boxOf(page).press("Enter");
      await page.locator("article[data-message-id]").filter({ hasText: "Works." }).waitFor();
      expect(await page.getByText("too old").isVisible()).toBe(false);
      await watched.close();
    },
    journey,
  );
});
