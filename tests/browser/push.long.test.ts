// Pushes and the request for permission: asked in context, as the browser allows, and closed once read.
import { expect, test } from "bun:test";
import type { Page, Worker } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { later } from "./held.ts";
import { notices, Pushing } from "./pushing.ts";
import { inWholeChromium, journey } from "./scene.ts";

const label = "Notify me when Hearth is closed";

inWholeChromium("push", (scene) => {
  async function neighbours(options: { isAllowed?: boolean; script?: string; userAgent?: string } = {}) {
    const { alice, bob, server: home } = await scene.twoPeople("Ubuntu");
    const { userAgent, script, isAllowed = true } = options;
    const watched = await scene.watched(userAgent ? { userAgent } : {});
    if (isAllowed) await watched.context.grantPermissions(["notifications"], { origin: scene.url });
    if (script) await watched.context.addInitScript(script);
    const address = `/servers/${home.id}/channels/${home.general.id}`;
    const page = await watched.page(address, alice);
    await page.getByRole("main", { name: "general" }).waitFor();
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
    return { alice, bob, home, watched, page, address };
  }

  const offer = (page: Page) => page.getByRole("region", { name: "Notifications" });

  test(
    "a notification goes when its message is read, here or elsewhere; one of what was read is closed at once",
    async () => {
      const { alice, bob, home, watched, page, address } = await neighbours();
      await page.goto("/settings/profile");
      await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
      const pushing = await Pushing.to(page, scene.url);
      const first = await bob.say(home.general.id, "read me");
      const notice = (id: string) => ({
        ...{ type: "message", title: "bob (#general, Ubuntu)", body: "read me" },
        ...{ server_id: home.id, channel_id: home.general.id, message_id: id },
        url: `${scene.url}${address}/messages/${id}`,
      });
      await pushing.push(notice(first.id));
      await untilShown(page, 1);
      const elsewhere = { message_id: first.id };
      expect((await alice.put(`/channels/${home.general.id}/read`, elsewhere)).status).toBe(204);
      await untilShown(page, 0);

      const second = await bob.say(home.general.id, "read me, too");
      await pushing.push(notice(second.id));
      await untilShown(page, 1);
      await page.goto(address);
      await page.getByRole("article").filter({ hasText: "read me, too" }).waitFor();
      await untilShown(page, 0);
      await pushing.push(notice(second.id));
      await untilShown(page, 0);
      await watched.close();
    },
    journey,
  );

  test(
    "the latest of a channel takes the place of the one before, and stays when that is closed; the same push shows once",
    async () => {
      const { watched, page } = await neighbours();
      const pushing = await Pushing.to(page, scene.url);
      const notice = (channel_id: string, message_id: string) => ({
        ...{ type: "message", title: "bob", body: message_id, url: "/", channel_id, message_id },
      });
      await pushing.push(notice("square", "1"));
      await untilShown(page, 1);
      await page.evaluate(`${notices}.then(([first]) => void (window.first = first))`);
      await pushing.push(notice("park", "2"));
      for (let i = 0; i < 2; i++) await pushing.push(notice("square", "3"));
      await untilTexts(page, ["2", "3"]);
      // Closed in this order, so that the first has had its effect by then, if any.
      await page.evaluate(`${notices}.then((all) => {
        window.first.close();
        all.find(({ body }) => body === "2").close();
      })`);
      await untilTexts(page, ["3"]);
      await watched.close();
    },
    journey,
  );

  test(
    "a click leads an open page there, without losing what is written; where only other pages are open, a new one",
    async () => {
      const { bob, home, watched, page, address } = await neighbours();
      await boxOf(page).fill("half a sentence");
      const said = await bob.say(home.general.id, "look here");
      const path = `${address}/messages/${said.id}`;
      await page.evaluate("window.isTheSame = true");
      await click(page, path);
      await page.waitForURL(`**${path}`);
      await page.getByRole("article").filter({ hasText: "look here" }).waitFor();
      expect(await page.evaluate("window.isTheSame")).toBe(true);
      await page
        .getByRole("textbox", { name: "Message #general" })
        .and(page.getByText("half a sentence"))
        .waitFor();

      await page.goto("/docs");
      const worker = await workerOf(page);
      await worker.evaluate("clients.openWindow = async (url) => { globalThis.opened = url; }");
      await worker.evaluate(clicked(path));
      await eventually(() => worker.evaluate("globalThis.opened")).toBe(new URL(path, page.url()).href);
      await watched.close();
    },
    journey,
  );

  test(
    "whom the browser refuses is told where to allow it, and needs no other start once they did",
    async () => {
      const { watched, page } = await neighbours({ isAllowed: false, script: permission("denied") });
      await page.goto("/settings/notifications");
      const toggle = page.getByRole("switch", { name: label });
      await page.getByText("The browser refuses it for this address.").waitFor();
      await eventually(() => toggle.getAttribute("aria-disabled")).toBe("true");
      await expectNoBarriers(page, [360]);
      await page.evaluate(`window.decide("granted")`);
      await page.getByText("The browser refuses it for this address.").waitFor({ state: "detached" });
      await toggle.click();
      await page.getByText("Notifications come to this device.").waitFor();
      await page.evaluate(`window.decide("denied")`);
      await page.getByText("The browser refuses it for this address.").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "where the browser does not say whether it is subscribed, it is not, and the page goes on",
    async () => {
      const script = `PushManager.prototype.getSubscription = async () => { throw new DOMException("gone", "AbortError"); };`;
      const { watched, page } = await neighbours({ script });
      await page.goto("/settings/notifications");
      await page.getByRole("switch", { name: label, checked: false }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "who closes the browser's question can be asked again, and who agrees in the offer is subscribed",
    async () => {
      const { alice, bob, home, watched, page } = await neighbours({
        isAllowed: false,
        script: permission("default"),
      });
      expect(await offer(page).count()).toBe(0);
      await bob.say(home.general.id, `@${alice.username} look at this`);
      await offer(page).waitFor();
      await expectNoBarriers(page);
      await offer(page).getByRole("button", { name: "Turn on" }).click();
      await page.getByRole("alert").getByText("Turn it on again to be asked once more.").waitFor();
      await page.goto("/settings/notifications");
      await page.evaluate(`window.willSay = "granted"`);
      const told = page.waitForResponse("**/api/v1/push/subscribe");
      await page.getByRole("switch", { name: label }).click();
      expect((await told).status()).toBe(204);
      await page.getByText("Notifications come to this device.").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a browser that is subscribed is told to the server anew at a start and after signing in again",
    async () => {
      const script = `${permission("granted")} if (isSecureContext) void PushManager.prototype.subscribe();`;
      const { alice, watched, page } = await neighbours({ script });
      watched.allow(/status of 401/);
      const told = () => page.waitForResponse("**/api/v1/push/subscribe");
      const [atStart] = await Promise.all([told(), page.reload()]);
      expect(atStart.status()).toBe(204);
      // The session takes its subscription along, which the browser keeps.
      await alice.post("/auth/logout");
      const dialog = page.getByRole("dialog", { name: "You were signed out" });
      await dialog.getByRole("textbox", { name: "Password" }).fill(alice.password);
      const [again] = await Promise.all([told(), page.keyboard.press("Enter")]);
      expect(again.status()).toBe(204);
      await boxOf(page).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "the subscription of somebody who was here before is not that of the next person",
    async () => {
      // Her belongings are not dropped in time: the subscription does not end.
      const script = `${permission("granted")}
        if (isSecureContext) {
          PushManager.prototype.subscribe().then((made) => { made.unsubscribe = () => new Promise(() => {}); });
          const { register } = ServiceWorkerContainer.prototype;
          ServiceWorkerContainer.prototype.register = function (...given) { window.isAtWork = true; return register.apply(this, given); };
        }`;
      const { bob, watched, page, address } = await neighbours({ script });
      await page.close();
      const told: string[] = [];
      watched.context.on("request", (request) => told.push(request.url()));
      const his = await watched.page(address, bob);
      await until(() => his.evaluate<boolean>("window.isAtWork === true"), "the worker is not registered");
      await his.evaluate(later);
      expect(told.filter((url) => url.endsWith("/push/subscribe"))).toEqual([]);
      await watched.close();
    },
    journey,
  );

  test(
    "on an iPhone the page has to be installed first, and says how",
    async () => {
      const userAgent =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
      const script = "delete window.PushManager; delete window.Notification;";
      const { alice, bob, home, watched, page } = await neighbours({ isAllowed: false, script, userAgent });
      await bob.say(home.general.id, `@${alice.username} look at this`);
      await offer(page).getByText("first add it to the home screen").waitFor();
      await offer(page).getByRole("button", { name: "Understood" }).click();
      await offer(page).waitFor({ state: "detached" });
      await until(
        () => page.evaluate<boolean>("document.activeElement !== document.body"),
        "the focus is lost",
      );
      await page.goto("/settings/notifications");
      await page.getByText("On iPhone and iPad, first add Hearth to the home screen").waitFor();
      await watched.close();
    },
    journey,
  );
});

/** Sets the browser's permission, and replaces its push service, a foreign host. */
function permission(first: string): string {
  return `(() => {
    let state = ${JSON.stringify(first)};
    let made = null;
    window.willSay = "default";
    const status = new EventTarget();
    window.decide = (next) => { state = next; if (next === "denied") made = null; status.dispatchEvent(new Event("change")); };
    Object.defineProperty(Notification, "permission", { get: () => state });
    Notification.requestPermission = async () => { if (state === "default") state = window.willSay; return state; };
    navigator.permissions.query = async () => status;
    const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    PushManager.prototype.getSubscription = async () => made;
    PushManager.prototype.subscribe = async () => {
      const { publicKey } = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
      const keys = { p256dh: text(await crypto.subtle.exportKey("raw", publicKey)), auth: text(crypto.getRandomValues(new Uint8Array(16))) };
      const endpoint = "https://push.people.example/" + crypto.randomUUID();
      made = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => { made = null; return true; } };
      return made;
    };
  })();`;
}

async function untilShown(page: Page, count: number): Promise<void> {
  await until(async () => (await shownTexts(page)).length === count, `not ${count} are shown`);
}

async function untilTexts(page: Page, texts: readonly string[]): Promise<void> {
  await until(
    async () => (await shownTexts(page)).toSorted().join() === texts.join(),
    `${texts.join()} are not what is shown`,
  );
}

function shownTexts(page: Page): Promise<string[]> {
  return page.evaluate(`${notices}.then((all) => all.map(({ body }) => body))`);
}

/** A click on a notification, dispatched to the service worker. */
function clicked(path: string): string {
  return `(() => {
    const event = new ExtendableEvent("notificationclick");
    Object.defineProperty(event, "notification", { value: { close() {}, data: { path: ${JSON.stringify(path)} } } });
    dispatchEvent(event);
  })()`;
}

async function click(page: Page, path: string): Promise<void> {
  const worker = await workerOf(page);
  await worker.evaluate(clicked(path));
}

/** Waits for the service worker, which the page may know before Playwright does. */
async function workerOf(page: Page): Promise<Worker> {
  let worker: Worker | undefined;
  await until(() => {
    [worker] = page.context().serviceWorkers();
    return worker !== undefined;
  }, "the page has no service worker");
  return worker as Worker;
}
