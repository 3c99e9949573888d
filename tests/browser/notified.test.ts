// Notifications: levels and mutes, pushes, and the page offline.
import { expect, test } from "bun:test";
import type { Locator, Page, Worker } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { noteBadge } from "./app-badge.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { untilKept } from "./kept.ts";
import { notices, Pushing } from "./pushing.ts";
import { hasFocus, inChromium, inWholeChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

const workerIsThere = (page: Page) => page.evaluate("navigator.serviceWorker.ready.then(() => true)");

inChromium("being told", (scene) => {
  test(
    "a channel is muted in its settings and on all devices; blocked people are let go",
    async () => {
      const { alice, bob, server: home } = await scene.twoPeople("Ubuntu");
      await alice.put(`/blocks/${bob.id}`);
      await alice.put(`/channels/${home.general.id}/notification-settings`, { level: "all" });
      const watched = await scene.watched();
      const page = await watched.page("/settings/notifications", alice);
      await page.getByRole("heading", { name: "Notifications", exact: true }).waitFor();
      await page.getByRole("radio", { name: "Always", exact: true }).check();
      await page.getByRole("button", { name: "Change notifications of #general" }).click();
      const dialog = page.getByRole("dialog", { name: "Notifications of #general" });
      // The server is slow with one choice while another is made already.
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/notification-settings$/, async (route) => {
        await held;
        await route.continue();
      });
      await dialog.getByRole("radio", { name: "Only mentions", exact: true }).click();
      await dialog.getByRole("button", { name: "Until I unmute it" }).click();
      release();
      await dialog.getByRole("button", { name: "Unmute" }).waitFor();
      await expectNoBarriers(page, [360]);
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.getByText("Only mentions · Muted").waitFor();
      await eventually(() => hasFocus(page)).toBe(true);
      const channels = async () =>
        (await alice.get<{ channels: unknown[] }>("/notification-settings")).body.channels;
      await eventually(channels).toEqual([
        { channel_id: home.general.id, level: "mentions", muted_until: "9999-12-31T23:59:59.999Z" },
      ]);
      const settings = async () => (await alice.get<{ when: string }>("/auth/me/push-settings")).body;
      await eventually(settings).toMatchObject({ when: "always" });
      await expectNoBarriers(page);

      await page.goto("/settings/blocked");
      await page.getByRole("button", { name: /^Unblock/ }).click();
      await page.getByText("is not blocked any more", { exact: false }).first().waitFor();
      expect((await alice.get<unknown[]>("/blocks")).body).toEqual([]);
      await page.goto(`/servers/${home.id}/channels/${home.general.id}`);
      await page.getByRole("link", { name: "general muted" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "the number on the installed app is that of the mentions that wait, and goes when they are read elsewhere",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const watched = await scene.watched(withoutWorker);
      await watched.context.addInitScript(noteBadge);
      const page = await watched.page("/settings/profile", bob);
      await page.getByRole("heading", { name: "Profile", exact: true }).waitFor();
      for (let i = 0; i < 2; i++) await alice.say(general.id, `Where are you, @${bob.username}?`);
      await eventually(() => page.evaluate("window.badge")).toBe(2);
      await bob.post(`/servers/${server.id}/read`);
      await eventually(() => page.evaluate("window.badge")).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "without a network the page still opens, says so, and goes on when there is one",
    async () => {
      const erin = await scene.person("erin");
      const home = await erin.makeServer("Ubuntu");
      const watched = await scene.watched();
      // Rare parts that had not been loaded before are not there; axe, too, asks for the styles of each again.
      watched.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|preload assets|WebSocket connection/);
      const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, erin);
      await page.getByRole("main", { name: "general" }).waitFor();
      await workerIsThere(page);
      await untilKept(page, home.general.id);
      await watched.context.setOffline(true);
      await page.reload();
      await page.getByRole("status", { name: "Connection" }).waitFor();
      await expectNoBarriers(page, [360]);
      await watched.context.setOffline(false);
      await page.getByRole("status", { name: "Connection" }).waitFor({ state: "detached" });
      await page.getByRole("main", { name: "general" }).waitFor();
      const manifest = await page.evaluate<{ icons: { src: string }[] }>(
        "fetch('/manifest.webmanifest').then((answer) => answer.json())",
      );
      for (const { src } of manifest.icons) expect((await fetch(scene.url + src)).status).toBe(200);
      await watched.close();
    },
    journey,
  );
});

inWholeChromium("being pushed", (scene) => {
  test(
    "nobody is asked on load; after the first mention they are, once; a push shows, and leads to its message",
    async () => {
      const [carol, dave] = [await scene.person("carol"), await scene.person("dave")];
      const home = await carol.makeServer("Ubuntu");
      await carol.bringIn(home.id, dave);
      const watched = await scene.watched();
      await watched.context.grantPermissions(["notifications"], { origin: scene.url });
      await watched.context.addInitScript(pushService);
      const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, carol);
      await page.getByRole("main", { name: "general" }).waitFor();
      await workerIsThere(page);
      const offer = page.getByRole("region", { name: "Notifications" });
      expect(await offer.count()).toBe(0);
      const said = await dave.say(home.general.id, `@${carol.username} look at this`);
      await offer.waitFor();
      // The offer covers neither the message nor the field for an answer.
      const free = [page.getByRole("article").filter({ hasText: "look at this" }), page.getByRole("textbox")];
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 740 });
        for (const each of free)
          await until(async () => !(await overlap(offer, each)), `at ${width} the offer hides something`);
      }
      await offer.getByRole("button", { name: "Not now" }).click();
      await dave.say(home.general.id, `@${carol.username} and at that`);
      await page.getByRole("article").filter({ hasText: "and at that" }).waitFor();
      expect(await offer.count()).toBe(0);

      const notice = {
        ...{ type: "mention", title: "dave in #general", body: "look at this", channel_id: home.general.id },
        url: `${scene.url}/servers/${home.id}/channels/${home.general.id}/messages/${said.id}`,
      };
      await (await Pushing.to(page, scene.url)).push(notice);
      const shown = `${notices}.then((all) => all.map(({ title, body, data }) => ({ title, body, path: data.path })))`;
      const path = `/servers/${home.id}/channels/${home.general.id}/messages/${said.id}`;
      await eventually(() => page.evaluate<unknown[]>(shown)).toEqual([
        { title: "dave in #general", body: "look at this", path },
      ]);

      await page.goto("/settings/notifications");
      const told = (operation: string) => page.waitForResponse(`**/api/v1/push/${operation}`);
      const [subscribed] = await Promise.all([
        told("subscribe"),
        page.getByRole("switch", { name: "Notify me when Hearth is closed" }).click(),
      ]);
      expect(subscribed.status()).toBe(204);
      await page.getByText("Notifications come to this device.").waitFor();
      const [ended] = await Promise.all([
        told("unsubscribe"),
        page.getByRole("switch", { name: "Notify me when Hearth is closed" }).click(),
      ]);
      expect(ended.status()).toBe(204);
      await watched.close();
    },
    journey,
  );

  test(
    "in a low window the last channels can be scrolled clear of the offer",
    async () => {
      const [hana, ivo] = [await scene.person("hana"), await scene.person("ivo")];
      const home = await hana.makeServer("Ubuntu");
      await hana.bringIn(home.id, ivo);
      for (let i = 0; i < 14; i++) await hana.post("/channels", { server_id: home.id, name: `shelf-${i}` });
      const watched = await scene.watched({ viewport: { width: 1280, height: 500 } });
      await watched.context.grantPermissions(["notifications"], { origin: scene.url });
      await watched.context.addInitScript(pushService);
      const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, hana);
      await page.getByRole("main", { name: "general" }).waitFor();
      await workerIsThere(page);
      const offer = page.getByRole("region", { name: "Notifications" });
      await ivo.say(home.general.id, `@${hana.username} look at this`);
      await offer.waitFor();
      const last = page.getByRole("navigation", { name: "Channels" }).getByRole("link").last();
      await last.hover({ force: true });
      await page.mouse.wheel(0, 3000);
      await until(async () => !(await overlap(offer, last)), "the offer hides the last channel");
      await offer.getByRole("button", { name: "Not now" }).click();
      const isLow = async () => ((await last.boundingBox())?.y ?? 0) > 350;
      await until(isLow, "the list keeps the space of the offer");
      await watched.close();
    },
    journey,
  );

  test(
    "the offer does not stay without an answer, and counts as unanswered",
    async () => {
      const [frida, gus] = [await scene.person("frida"), await scene.person("gus")];
      const home = await frida.makeServer("Ubuntu");
      await frida.bringIn(home.id, gus);
      const watched = await scene.watched();
      await watched.context.grantPermissions(["notifications"], { origin: scene.url });
      await watched.context.addInitScript(pushService);
      await watched.context.clock.install();
      const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, frida);
      await page.getByRole("main", { name: "general" }).waitFor();
      await workerIsThere(page);
      const offer = page.getByRole("region", { name: "Notifications" });
      await gus.say(home.general.id, `@${frida.username} look at this`);
      await offer.waitFor();
      // It waits while somebody is about to answer.
      await offer.getByRole("button", { name: "Not now" }).focus();
      await page.clock.fastForward(90_000);
      expect(await offer.count()).toBe(1);
      await page.getByRole("textbox", { name: "Message #general" }).focus();
      await page.clock.fastForward(90_000);
      await offer.waitFor({ state: "detached" });
      expect(await page.evaluate("localStorage.getItem('hearth.push.offered')")).toBeNull();
      await watched.close();
    },
    journey,
  );
});

inWholeChromium("a subscription that the browser has ended by itself", (scene) => {
  test(
    "is followed by the next one, which the worker tells the server in its person's name",
    async () => {
      const erin = await scene.person("erin");
      const home = await erin.makeServer("Ubuntu");
      const watched = await scene.watched();
      const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, erin);
      await page.getByRole("main", { name: "general" }).waitFor();
      await workerIsThere(page);
      const worker = await workerOf(page);
      await worker.evaluate(pushService);
      expect(await worker.evaluate<number[]>(ended)).toEqual([204]);
      await watched.close();
    },
    journey,
  );
});

/** Waits for the service worker, which the page may know before Playwright does. */
async function workerOf(page: Page): Promise<Worker> {
  let worker: Worker | undefined;
  await until(() => {
    [worker] = page.context().serviceWorkers();
    return worker !== undefined;
  }, "the page has no service worker");
  return worker as Worker;
}

/**
 * Runs in the worker: dispatches the browser's event, and returns the status of each call about pushes. Files of the
 * page may still be loading.
 */
const ended = `(async () => {
  const answers = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (...asked) => {
    const answer = await fetch(...asked);
    if (answer.url.includes("/push/")) answers.push(answer.status);
    return answer;
  };
  const event = new ExtendableEvent("pushsubscriptionchange");
  let work;
  event.oldSubscription = { options: { userVisibleOnly: true, applicationServerKey: new Uint8Array(65) } };
  event.waitUntil = (promise) => {
    work = promise;
  };
  dispatchEvent(event);
  await work;
  globalThis.fetch = fetch;
  return answers;
})()`;

/** Replaces the browser's push service, a foreign host: its subscriptions have real keys. */
const pushService = `(() => {
  let made = null;
  const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  PushManager.prototype.getSubscription = async () => made;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    if (!applicationServerKey) throw new Error("no key of the server");
    const { publicKey } = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
    const keys = { p256dh: text(await crypto.subtle.exportKey("raw", publicKey)), auth: text(crypto.getRandomValues(new Uint8Array(16))) };
    const endpoint = "https://push.people.example/" + crypto.randomUUID();
    made = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => { made = null; return true; } };
    return made;
  };
})();`;

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (!a || !b) return true;
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
