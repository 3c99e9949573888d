// A newer version of the page while an older one is open: people are told, reload when they like, and lose no text.
import { afterAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { NewerPage } from "./newer-page.ts";
import { linesStay } from "./postponed.ts";
import { comes, inWholeChromium, journey } from "./scene.ts";
import { Watched } from "./watched.ts";

let newer: NewerPage;

inWholeChromium(
  "a newer page",
  (scene) => {
    afterAll(() => newer?.close());

    /** Opens Alice's page, controlled by a service worker. */
    async function open(width = 1280) {
      const alice = await scene.person("alice");
      const home = await alice.makeServer("Ubuntu");
      const message = await alice.say(home.general.id, "a message of hers");
      const watched = await Watched.open(scene.browser, newer.url, {
        viewport: { width, height: 800 },
        hasTouch: true,
      });
      await watched.context.addInitScript(linesStay);
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
    /** Checks for a newer worker, as the browser does by itself, and the page after it was offline. */
    const look = (page: Page) =>
      page.evaluate(
        "navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => true)",
      );
    /** A newer page is offered, but this one's worker never gives way. */
    async function openBesideStubbornWorker() {
      const { watched, page } = await open();
      newer.renew();
      await look(page);
      await offer(page).waitFor();
      await page.evaluate("void (ServiceWorker.prototype.postMessage = () => {})");
      return { watched, page };
    }
    const takes = (page: Page) => Promise.all([page.waitForEvent("framenavigated"), reload(page).click()]);

    test(
      "Alice is told, writes on, deletes and undoes, and takes it; what she wrote and where she was is there",
      async () => {
        const { watched, page } = await open();
        await boxOf(page).waitFor();
        newer.renew();
        await look(page);
        await offer(page).waitFor();
        await expectNoBarriers(page);
        const box = boxOf(page);
        await box.fill("half a sentence");

        // Another line takes its place, and then it returns.
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
        await eventually(() => offer(page).count()).toBe(0);
        await watched.close();
      },
      journey,
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
        await eventually(() => offer(other).count()).toBe(0);
        await watched.close();
      },
      journey,
    );

    test(
      "a worker that does not give way keeps nobody from reloading",
      async () => {
        const { watched, page } = await openBesideStubbornWorker();
        await takes(page);
        await page.getByRole("main", { name: "general" }).waitFor();
        // This is the newer page, although the older worker is still there.
        expect(await page.locator(`script[src="/look.js?v=${newer.version}"]`).count()).toBe(1);
        await watched.close();
      },
      journey,
    );

    test(
      "a newer page that the browser does not show is asked for again",
      async () => {
        const { watched, page } = await openBesideStubbornWorker();
        // Shortens the page's timeouts of ten and twenty seconds.
        await page.evaluate(`{
          const set = setTimeout;
          window.setTimeout = (run, ms) => set(run, ms >= 10_000 ? ms / 20 : ms);
        }`);
        newer.isUnshown = true;
        await takes(page);
        expect(newer.isUnshown).toBe(false);
        await page.getByRole("main", { name: "general" }).waitFor();
        await watched.close();
      },
      journey,
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
        // The part that checks for a newer page loads after the first message.
        await until(async () => {
          await page.clock.fastForward("02:00");
          await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
          return comes(offer(page), 5000);
        }, "it does not find out");
        await page.getByRole("button", { name: "Not now" }).tap();
        await offer(page).waitFor({ state: "detached" });
        await watched.close();
      },
      journey,
    );

    test(
      "the first worker, which a page installs that is left meanwhile, is no newer page",
      async () => {
        const alice = await scene.person("alice");
        const home = await alice.makeServer("Ubuntu");
        const watched = await Watched.open(scene.browser, newer.url);
        await watched.context.addInitScript(`if (globalThis.ServiceWorkerContainer) {
          const { register } = ServiceWorkerContainer.prototype;
          ServiceWorkerContainer.prototype.register = async function (...given) {
            const registration = await register.apply(this, given);
            setTimeout(() => (window.hasRegistered = true));
            return registration;
          };
        }`);
        const release = newer.hold();
        const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, alice);
        const hasRegistered = () => page.evaluate<boolean>("window.hasRegistered === true");
        await until(hasRegistered, "no worker is registered");
        await page.reload();
        await until(hasRegistered, "no worker is registered");
        expect(await page.evaluate<boolean>("navigator.serviceWorker.controller === null")).toBe(true);
        release();
        await until(
          () => page.evaluate<boolean>("navigator.serviceWorker.controller !== null"),
          "no worker takes over",
        );
        await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))");
        expect(await offer(page).count()).toBe(0);
        newer.renew();
        await look(page);
        await offer(page).waitFor();
        await watched.close();
      },
      journey,
    );

    test(
      "a page that is of the same build as the worker that waits is not told of it",
      async () => {
        const { watched, page } = await open();
        await watched.context.addInitScript(`{
          const { postMessage } = ServiceWorker.prototype;
          ServiceWorker.prototype.postMessage = function (said, ports) {
            if (said.type === "HAS") window.hasAsked = true;
            return postMessage.call(this, said, ports);
          };
        }`);
        await page.reload();
        await page.getByRole("main", { name: "general" }).waitFor();
        const drawn = () =>
          page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))");
        newer.renewWorker();
        await look(page);
        await until(() => page.evaluate<boolean>("window.hasAsked === true"), "the page does not ask");
        // The worker answers in order: when this is answered, so was the page.
        await page.evaluate(`navigator.serviceWorker.getRegistration().then(({ waiting }) => {
          const { port1, port2 } = new MessageChannel();
          waiting.postMessage({ type: "HAS", paths: [] }, [port2]);
          return new Promise((resolve) => (port1.onmessage = () => resolve(true)));
        })`);
        await drawn();
        expect(await offer(page).count()).toBe(0);

        newer.renew();
        await look(page);
        await offer(page).waitFor();
        await watched.close();
      },
      journey,
    );

    test(
      "a page that was opened while the server was busy gets its worker a while later",
      async () => {
        const alice = await scene.person("alice");
        const home = await alice.makeServer("Ubuntu");
        const watched = await Watched.open(scene.browser, newer.url);
        watched.allow(/bad HTTP response code \(502\)/);
        newer.isBusy = true;
        const refused = watched.context.waitForEvent("console", (said) => said.text().includes("502"));
        await watched.context.clock.install();
        const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, alice);
        await refused;
        newer.isBusy = false;
        await page.clock.fastForward("02:00");
        expect(await page.evaluate("navigator.serviceWorker.ready.then(() => true)")).toBe(true);
        await watched.close();
      },
      journey,
    );
  },
  (scene) => {
    newer = new NewerPage(() => scene.url);
    return { TRUSTED_ORIGINS: newer.url };
  },
);
