// Parts of the page that fail to load when they are needed: the page says so or retries later, and nothing is stuck.
import { expect, test } from "bun:test";
import type { Route } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { BuiltInKey } from "./chromium.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey } from "./scene.ts";
import { Watched, withoutWorker } from "./watched.ts";

inChromium("parts out of reach", (scene) => {
  test(
    "the browser's part of passkeys: each press is answered, and makes one as soon as it can",
    async () => {
      const alice = await scene.person("alice");
      const local = scene.url.replace("127.0.0.1", "localhost");
      const watched = await Watched.open(scene.browser, local, withoutWorker);
      watched.allow(/net::ERR_FAILED/);
      const part = /\/assets\/esm-/;
      await watched.context.route(part, (route) => route.abort());
      const page = await watched.page("/settings/sign-in", alice);
      await page.getByRole("button", { name: "Add a passkey" }).click();
      const dialog = page.getByRole("dialog", { name: "Add a passkey" });
      const make = dialog.getByRole("button", { name: "Create it now" });
      await make.click();
      await dialog.getByText("The server cannot be reached.", { exact: false }).waitFor();
      await watched.context.unroute(part);
      await BuiltInKey.plugInto(page);
      await make.click();
      await dialog.waitFor({ state: "hidden" });
      await watched.close();
    },
    journey,
  );

  test(
    "the words of another language: it is spoken once they are there, unless the reader chose again",
    async () => {
      const alice = await scene.person("alice");
      const watched = await scene.watched(withoutWorker);
      watched.allow(/net::ERR_FAILED/);
      const german = /\/assets\/(\w+\.)?de-[^/]+\.js/;
      await watched.context.route(german, (route) => route.abort());
      const page = await watched.page("/settings/language", alice);
      const refused = page.waitForEvent("requestfailed");
      await page.getByRole("radio", { name: "Deutsch" }).check({ force: true });
      await refused;
      await eventually(() => page.getByRole("heading", { name: "Language" }).count()).toBe(1);
      await watched.context.unroute(german);
      await page.getByRole("heading", { name: "Sprache", exact: true }).waitFor();
      await eventually(() => page.evaluate<string>("document.documentElement.lang")).toBe("de");
      await watched.close();
    },
    journey,
  );

  test(
    "the part that sends files: each says so, and goes as soon as the part can be had",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const watched = await scene.watched(withoutWorker);
      watched.allow(/net::ERR_FAILED/);
      const part = /\/assets\/uploads-sending-/;
      await watched.context.route(part, (route) => route.abort());
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      await boxOf(page).waitFor();
      const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("words") };
      await page.locator("input[type=file]").setInputFiles(file);
      const card = page.getByRole("listitem").filter({ hasText: "notes.txt" });
      await card.getByText("Not sent: this part of the page did not load.", { exact: false }).waitFor();
      await watched.context.unroute(part);
      await page.getByRole("button", { name: "Send notes.txt again" }).click();
      await page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
      await watched.close();
    },
    journey,
  );

  for (const [how, refuse] of [
    ["does not come", (route: Route) => route.abort()],
    ["hangs", () => {}],
  ] as const)
    test(
      `the worker of colours ${how}: another one is asked`,
      async () => {
        const { alice, server } = await scene.twoPeople();
        for (const name of ["salt", "pepper"])
          await alice.say(server.general.id, `\`\`\`ts\nconst ${name} = 1;\n\`\`\``);
        const watched = await scene.watched(withoutWorker);
        watched.allow(/net::ERR_FAILED/);
        const asked: string[] = [];
        await watched.context.route(/\/assets\/colours-worker-/, (route) => {
          asked.push(route.request().url());
          return asked.length === 1 ? refuse(route) : route.continue();
        });
        const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
        const coloured = () => page.locator("code span", { hasText: "const" }).count();
        // A hanging worker gets fifteen seconds of frames, which come slowly on a busy machine.
        await until(async () => (await coloured()) === 2, "some are without colours");
        // A busy machine may also end a worker that was late.
        expect(asked.length).toBeGreaterThanOrEqual(2);
        await watched.close();
      },
      journey,
    );
});
