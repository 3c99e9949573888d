// The size of the page before people see something: the files that the browser loads, compressed on the disk.
import { beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { builtPageFolder } from "../../server/built-page.ts";
import type { TestPerson } from "../house/people/people.ts";
import { inChromium, journey } from "./scene.ts";

const folder = fileURLToPath(new URL(`../../${builtPageFolder}/`, import.meta.url));

const kB = 1000;
/**
 * Bytes. The worker caches 2.4 times as much, which each page loads later anyway while its reader reads: many small
 * files, each a little larger than as a part of one.
 */
const most = { signIn: 100 * kB, chat: 160 * kB, kept: 378 * kB, styles: 25 * kB, font: 45 * kB };

interface Weight {
  scripts: number;
  styles: number;
  fonts: number[];
  /** The heaviest first, for whoever has to find the cause. */
  files: string[];
}

inChromium("the weight of the page", (scene) => {
  let alice: TestPerson;
  beforeAll(async () => {
    alice = await scene.person("alice");
  });

  /** Everything that began loading before this element appeared. */
  async function weightUntil(
    selector: string,
    path: string,
    person?: TestPerson,
    isLate = false,
  ): Promise<Weight> {
    const watched = await scene.watched();
    const saidSo = Promise.withResolvers<void>();
    if (isLate)
      await watched.context.routeWebSocket(/\/ws$/, async (socket) => {
        await saidSo.promise;
        socket.connectToServer();
      });
    await watched.context.addInitScript(`new MutationObserver((_, observer) => {
      if (!document.querySelector(${JSON.stringify(selector)})) return;
      performance.mark("seen");
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });`);
    const page = await watched.page(path, person);
    if (isLate) await page.getByRole("heading", { name: "Connecting" }).waitFor();
    saidSo.resolve();
    await page.locator(selector).first().waitFor();
    const loaded = await page.evaluate<string[]>(
      `performance.getEntriesByType("resource").filter(({ startTime }) => startTime < performance.getEntriesByName("seen")[0].startTime).map(({ name }) => new URL(name).pathname)`,
    );
    await watched.close();
    return weigh([...new Set(loaded)].filter((name) => /\.(js|css|woff2)$/.test(name)));
  }

  test(
    "the page of signing in",
    async () => {
      const weight = await weightUntil("input[autocomplete~=current-password]", "/login");
      expect(over(weight, most.signIn)).toEqual([]);
    },
    journey,
  );

  test(
    "a list on its way says so with its first drawing, so that what can wait waits for it",
    async () => {
      const home = await alice.makeServer("Home");
      await alice.say(home.general.id, "Hello");
      const watched = await scene.watched();
      await watched.context.addInitScript(`new MutationObserver((_, observer) => {
        const room = document.querySelector("main[data-channel-id]");
        if (!room) return;
        window.wasBusy = room.querySelector("[aria-busy=true]") !== null;
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });`);
      const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, alice);
      await page.locator("[data-message-id]").waitFor();
      expect(await page.evaluate<boolean>("wasBusy")).toBe(true);
      await watched.close();
    },
    journey,
  );

  // After three seconds the page says that it is connecting, and deferred parts stay deferred.
  for (const [which, isLate] of [
    ["", false],
    [", where the connection takes its time", true],
  ] as const)
    test(
      `a channel, up to its first message${which}`,
      async () => {
        const home = await alice.makeServer("Home");
        await alice.say(home.general.id, "Hello");
        const path = `/servers/${home.id}/channels/${home.general.id}`;
        const weight = await weightUntil("[data-message-id]", path, alice, isLate);
        expect(over(weight, most.chat)).toEqual([]);
      },
      journey,
    );
});

test("what the worker keeps from the beginning: what the house is made of, its small later parts, and no more", () => {
  const worker = readFileSync(`${folder}sw.js`, "utf8");
  const kept = [...worker.matchAll(/url:\s*"(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  const { scripts, styles, fonts, files } = weigh(kept);
  // Includes parts loaded after the first message: a page that opens offline has its menus and dialogs.
  expect(scripts + styles, files.join("\n")).toBeLessThan(most.kept);
  expect(fonts.length, files.join("\n")).toBeLessThanOrEqual(3);
  const rare =
    /^\/assets\/(call(-(button|bar-inside|watch))?|conversation-call|ringing-watch|colours-worker|reorder-rows|lightbox-overlay|gif-picker|invite-(dialog|page)|create-channel|giving-roles|rename-category|jump-to-date|why-dialog|message-button|missing|new-conversation|people-dialog|all-servers|server-list|add-server|(person|server|channel)-settings|console|(\w+\.)?(en|de))-[\w-]{8}\.\w+$/;
  expect(kept.filter((path) => rare.test(path))).toEqual([]);
});

function weigh(paths: readonly string[]): Weight {
  const sizes = paths.map((path) => ({ path, bytes: sizeOf(path) }));
  const sum = (ending: string) =>
    sizes.filter(({ path }) => path.endsWith(ending)).reduce((all, { bytes }) => all + bytes, 0);
  return {
    scripts: sum(".js"),
    styles: sum(".css"),
    fonts: sizes.filter(({ path }) => path.endsWith(".woff2")).map(({ bytes }) => bytes),
    files: sizes.sort((one, other) => other.bytes - one.bytes).map(({ path, bytes }) => `${bytes} ${path}`),
  };
}

/** Compressed by gzip; fonts are compressed already. */
function sizeOf(path: string): number {
  const bytes = readFileSync(folder + path.slice(1));
  return path.endsWith(".woff2") ? bytes.length : gzipSync(bytes, { level: 9 }).length;
}

/** Sentences about each excess, with the files. */
function over({ scripts, styles, fonts, files }: Weight, mostScripts: number): string[] {
  if (Bun.env.HEARTH_SHOW_WEIGHT) console.log({ scripts, styles, fonts, files });
  const wrong: string[] = [];
  if (scripts > mostScripts) wrong.push(`${scripts} bytes of JavaScript, ${mostScripts} are the most`);
  if (styles > most.styles) wrong.push(`${styles} bytes of CSS, ${most.styles} are the most`);
  if (fonts.length > 1) wrong.push(`${fonts.length} faces, 1 is the most`);
  if (fonts.some((bytes) => bytes > most.font)) wrong.push(`a face of ${fonts.join(", ")} bytes`);
  return wrong.length > 0 ? [...wrong, ...files] : [];
}
