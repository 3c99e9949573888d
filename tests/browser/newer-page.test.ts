// A newer page while an older one is open: people are told, take it when they like, and lose nothing that they wrote.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import { expectNoBarriers } from "./axe.ts";
import { chromiumPath, launchChromium } from "./chromium.ts";
import { NewerPage } from "./newer-page.ts";
import { Watched } from "./watched.ts";

const patienceMs = 180_000;
const here = chromiumPath ? "" : " (skipped: no Chromium here)";

describe.skipIf(!chromiumPath)(`a newer page, in Chromium${here}`, () => {
  let house: TestHouse;
  let newer: NewerPage;
  let browser: Browser;

  beforeAll(async () => {
    newer = new NewerPage(() => house.url);
    house = await makeHouse("SQLite", { AVATAR_URL: "off", TRUSTED_ORIGINS: newer.url });
    await house.open();
    browser = await launchChromium();
  }, patienceMs);
  afterAll(async () => {
    await browser?.close();
    await house?.end();
    await newer?.close();
  }, patienceMs);

  /** Alice's page, with a service worker that looks after it. */
  async function open(width = 1280) {
    const alice = await house.person("alice");
    const home = await alice.makeServer("Ubuntu");
    const message = await alice.say(home.general.id, "a message of hers");
    const watched = await Watched.open(browser, newer.url, {
      viewport: { width, height: 800 },
      hasTouch: true,
    });
    const address = `/servers/${home.id}/channels/${home.general.id}`;
    const page = await watched.page(address, alice);
    await page.getByRole("main", { name: "general" }).waitFor();
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
    await page.reload();
    await page.getByRole("main", { name: "general" }).waitFor();
    return { alice, home, message, watched, page, address };
  }

  const offer = (page: Page) =>
    page.getByRole("region", { name: "Notices" }).getByText("A new version is ready.");
  const reload = (page: Page) =>
    page.getByRole("region", { name: "Notices" }).getByRole("button", { name: "Reload" });
  /** As the browser does by itself, and the page after its connection was away. */
  const look = (page: Page) =>
    page.evaluate(
      "navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => true)",
    );
  const takes = (page: Page) => Promise.all([page.waitForEvent("framenavigated"), reload(page).click()]);

  test(
    "Alice is told, writes on, deletes and undoes, and takes it; what she wrote and where she was is there",
    async () => {
      const { watched, page } = await open();
      await page.getByRole("textbox", { name: "Message #general" }).waitFor();
      newer.renew();
      await look(page);
      await offer(page).waitFor();
      await expectNoBarriers(page);
      const box = page.getByRole("textbox", { name: "Message #general" });
      await box.fill("half a sentence");

      // Another line takes its place, and it comes back.
      const row = page.getByRole("article").filter({ hasText: "a message of hers" });
      await row.focus();
      await page.keyboard.press("Delete");
      await page.getByRole("button", { name: "Undo" }).click();
      await row.waitFor();
      await offer(page).waitFor();

      await takes(page);
      await page
        .getByRole("textbox", { name: "Message #general" })
        .and(page.getByText("half a sentence"))
        .waitFor();
      await row.waitFor();
      expect(await offer(page).count()).toBe(0);
      await watched.close();
    },
    patienceMs,
  );

  test(
    "it is taken in one tab: the other one is told, and goes on until its reader reloads it",
    async () => {
      const { watched, page, address } = await open();
      const other = await watched.context.newPage();
      await other.goto(address);
      await other.getByRole("main", { name: "general" }).waitFor();
      newer.renew();
      await look(page);
      await Promise.all([offer(page).waitFor(), offer(other).waitFor()]);
      await takes(page);
      await page.getByRole("main", { name: "general" }).waitFor();
      await offer(other).waitFor();
      await takes(other);
      await other.getByRole("main", { name: "general" }).waitFor();
      expect(await offer(other).count()).toBe(0);
      await watched.close();
    },
    patienceMs,
  );

  test(
    "a page that stays open finds out by itself, when its connection comes back",
    async () => {
      const { watched, page } = await open(360);
      watched.allow(/WebSocket connection|ERR_INTERNET_DISCONNECTED/);
      await page.clock.install();
      await page.reload();
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
      newer.renew();
      await page.clock.fastForward("02:00");
      await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
      await offer(page).waitFor();
      await page.getByRole("button", { name: "Not now" }).tap();
      await offer(page).waitFor({ state: "detached" });
      await watched.close();
    },
    patienceMs,
  );
});
