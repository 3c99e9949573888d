// A press that comes before the part of the page that it needs: it does what it does as soon as that is there.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import type { TestPerson } from "../house/people.ts";
import { chromiumPath, launchChromium } from "./chromium.ts";
import { Watched } from "./watched.ts";

const patienceMs = 120_000;
const here = chromiumPath ? "" : " (skipped: no Chromium here)";

describe.skipIf(!chromiumPath)(`a press before its part is there, in Chromium${here}`, () => {
  let house: TestHouse;
  let browser: Browser;
  let alice: TestPerson;

  beforeAll(async () => {
    house = await makeHouse("SQLite", { AVATAR_URL: "off" });
    await house.open();
    browser = await launchChromium();
    alice = await house.person("alice");
  }, patienceMs);
  afterAll(async () => {
    await browser?.close();
    await house?.end();
  }, patienceMs);

  test(
    "opens the menu of a server, the switcher, and what a word can be completed to",
    async () => {
      const home = await alice.makeServer("Home");
      await alice.say(home.general.id, "Hello");
      const watched = await Watched.open(browser, house.url);
      const held = Promise.withResolvers<void>();
      await watched.context.route(
        /assets\/(menu-overlay|menus|switcher|finder-overlay|composer-suggestions)-/,
        async (route) => {
          await held.promise;
          await route.continue();
        },
      );
      const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, alice);
      await page.locator("[data-message-id]").first().waitFor();
      const writing = page.getByRole("textbox", { name: "Message #general" });
      await writing.pressSequentially("#gen");
      await page.getByRole("button", { name: "Server menu" }).click();
      expect(await page.getByRole("menu").count()).toBe(0);
      held.resolve();
      await page.getByRole("menu").waitFor();
      await page.keyboard.press("Escape");
      await writing.click();
      await page.getByRole("option", { name: /general/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to" }).waitFor();
      await watched.close();
    },
    patienceMs,
  );
});
