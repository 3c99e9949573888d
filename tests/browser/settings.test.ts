// A person's settings: saved ones are kept, those of this device apply at once, and typed text is not lost.
import { expect, test } from "bun:test";
import type { Page, Request, Route } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { BuiltInKey } from "./chromium.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { hasFocus, inChromium, journey, untilSo } from "./scene.ts";
import { Watched, withoutWorker } from "./watched.ts";

inChromium("a person's settings", (scene) => {
  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();
  const open = (page: Page, name: string) =>
    page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name, exact: true }).click();
  const theme = (page: Page) =>
    page.evaluate<string | null>("document.documentElement.dataset.theme ?? null");

  test(
    "a profile is saved, discarded and kept when one leaves by mistake; a refusal keeps what was typed",
    async () => {
      const alice = await scene.person("alice");
      const home = await alice.makeServer("Ubuntu");
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of (400|503)/);
      const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, alice);
      await page.getByRole("button", { name: "You" }).click();
      await page.getByRole("menuitem", { name: "Settings" }).click();
      await heading(page, "Profile");
      await eventually(() => page.evaluate("document.activeElement !== document.body")).toBe(true);
      const name = page.getByRole("textbox", { name: "Display name" });
      const bar = page.getByRole("button", { name: "Save changes" });
      await eventually(() => bar.count()).toBe(0);
      await name.fill("Alice in the kitchen");
      await page.getByText("1 unsaved change").waitFor();
      await page.getByRole("button", { name: "Discard" }).click();
      await until(async () => (await name.inputValue()) !== "Alice in the kitchen", "nothing is discarded");
      await eventually(() => bar.count()).toBe(0);

      // Leaving asks for confirmation, by a link and by the browser's back alike; staying loses nothing.
      await name.fill("Alice in the kitchen");
      await page.getByRole("textbox", { name: "Status" }).fill("baking");
      await open(page, "Devices");
      await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
      await page.keyboard.press("Escape");
      await page.goBack();
      await page.getByRole("button", { name: "Stay here" }).click();
      expect(page.url()).toContain("/settings");
      await eventually(() => name.inputValue()).toBe("Alice in the kitchen");

      // The server is down: the bar stays, with the error.
      await page.route("**/api/v1/auth/me", (route) =>
        route.fulfill({
          status: 503,
          contentType: "application/json",
          body: '{"error":"","code":"unavailable"}',
        }),
      );
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("The server failed. Nothing is lost; try again.").waitFor();
      await page.unroute("**/api/v1/auth/me");
      await name.fill("");
      await page.keyboard.press("Enter");
      await page.locator("[aria-invalid=true]").waitFor();
      await name.fill("Alice in the kitchen");
      await page.keyboard.press("Enter");
      await bar.waitFor({ state: "detached" });
      expect((await alice.get<{ display_name: string; status_text: string }>("/auth/me")).body).toMatchObject(
        {
          display_name: "Alice in the kitchen",
          status_text: "baking",
        },
      );

      await page.getByRole("switch", { name: "A colour of your own" }).click();
      await page.getByRole("radio", { name: "Violet" }).click();
      await page.getByRole("button", { name: "Save changes" }).click();
      await bar.waitFor({ state: "detached" });
      expect((await alice.get<{ accent_color: string }>("/auth/me")).body.accent_color).toBe("#6a5bb0");
      await expectNoBarriers(page);
      await page.getByRole("link", { name: "Back to Ubuntu" }).click();
      await page.getByRole("main", { name: "general" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "the browser's back asks each time that something is unsaved, also after it was left once",
    async () => {
      const carl = await scene.person("carl");
      const home = await carl.makeServer("Ubuntu");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, carl);
      await page.getByRole("button", { name: "You" }).click();
      await page.getByRole("menuitem", { name: "Settings" }).click();
      await heading(page, "Profile");
      const name = page.getByRole("textbox", { name: "Display name" });
      const question = page.getByRole("dialog", { name: "Leave without saving?" });
      await name.fill("Carl of the hill");
      await page.getByText("1 unsaved change").waitFor();
      await page.goBack();
      await question.getByRole("button", { name: "Discard and leave" }).click();
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.goForward();
      await heading(page, "Profile");
      await name.fill("Carl of the dale");
      await page.getByText("1 unsaved change").waitFor();
      await page.goBack();
      await question.waitFor();
      await page.getByRole("button", { name: "Stay here" }).click();
      await eventually(() => name.inputValue()).toBe("Carl of the dale");
      await watched.close();
    },
    journey,
  );

  test(
    "at a loopback address the way to passkeys is the name localhost, for people who do not run this Hearth, too",
    async () => {
      await scene.person("alice");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/sign-in", await scene.person("bob"));
      await page.getByText("Passkeys do not work at 127.0.0.1, but at localhost.").waitFor();
      const way = page.getByRole("link", { name: "Open this page at localhost" });
      const { port } = new URL(scene.url);
      expect(await way.getAttribute("href")).toBe(`http://localhost:${port}/settings/sign-in`);
      expect(await page.getByText("Passkeys need a safe connection").count()).toBe(0);
      await expectNoBarriers(page);
      await watched.close();
    },
    journey,
  );

  test(
    "passwords, passkeys and devices: changed in place, and this device stays signed in",
    async () => {
      const bob = await scene.person("bob");
      const local = scene.url.replace("127.0.0.1", "localhost");
      const watched = await Watched.open(scene.browser, local, withoutWorker);
      watched.allow(/status of (401|403)/);
      const page = await watched.page("/settings/sign-in", bob);
      await heading(page, "Password and passkeys");
      // A long title does not push down the first field.
      await eventually(async () => (await page.getByLabel("Current password").boundingBox())?.y).toBe(96);
      await page.getByLabel("Current password").fill("not this one");
      await page.getByLabel("New password").fill("a sentence to remember");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.locator("[aria-invalid=true]").waitFor();
      await eventually(() => page.getByLabel("New password").inputValue()).toBe("a sentence to remember");
      await page.getByLabel("Current password").fill(bob.password);
      await page.keyboard.press("Enter");
      await page.getByText("Your password is changed.", { exact: false }).first().waitFor();

      const key = await BuiltInKey.plugInto(page);
      await page.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByRole("textbox", { name: "Name of the passkey" }).fill("The laptop");
      await page.getByRole("button", { name: "Create it now" }).click();
      await page.getByText("The laptop", { exact: true }).waitFor();
      await eventually(() => key.ids()).toHaveLength(1);
      await expectNoBarriers(page, [360]);

      // A stolen session could have added a passkey, which outlives the password: unknown ones are removed with it.
      await page.getByLabel("New password").fill("12345678");
      await page.getByText("Many people use this password").waitFor();
      await page.getByLabel("New password").fill(bob.username.toUpperCase());
      await page.getByText("This is your own name").waitFor();
      const ends = page.getByRole("switch", { name: "Remove “The laptop”" });
      await eventually(() => ends.getAttribute("aria-checked")).toBe("true");
      await expectNoBarriers(page, [360]);
      const change = async (from: string, to: string) => {
        await page.getByLabel("Current password").fill(from);
        await page.getByLabel("New password").fill(to);
        await page.keyboard.press("Enter");
        await eventually(() => page.getByLabel("New password").inputValue()).toBe("");
      };
      await page.getByLabel("New password").fill("another sentence");
      await ends.click();
      await change("a sentence to remember", "another sentence");
      await eventually(() => page.getByText("The laptop", { exact: true }).count()).toBe(1);
      await page.getByLabel("New password").fill("a third sentence");
      await ends.click();
      await change("another sentence", "a third sentence");
      await page.getByText("You have no passkey yet.").waitFor();
      await page.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByRole("textbox", { name: "Name of the passkey" }).fill("The laptop");
      await page.getByRole("button", { name: "Create it now" }).click();
      await page.getByRole("button", { name: "Remove The laptop" }).click();
      await page.getByRole("button", { name: "Remove passkey" }).click();
      await page.getByText("You have no passkey yet.").waitFor();

      const body = JSON.stringify({ email: bob.username, password: "a third sentence" });
      for (const agent of ["curl/8.5.0", "curl/8.6.0", "curl/8.7.0"]) {
        const headers = { "Content-Type": "application/json", "User-Agent": agent };
        const url = `${scene.url}/api/v1/auth/login/password`;
        expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
      }
      await open(page, "Devices");
      await heading(page, "Devices");
      await page.getByRole("button", { name: "Sign out curl/8.5.0" }).click();
      await page.getByRole("button", { name: "Sign out curl/8.5.0" }).waitFor({ state: "detached" });
      await eventually(() => page.evaluate("document.activeElement !== document.body")).toBe(true);
      await expectNoBarriers(page, [360]);
      await page.getByRole("button", { name: "Sign out 2 other devices" }).click();
      const dialog = page.getByRole("dialog", { name: "Sign out everywhere else?" });
      await dialog.getByRole("button", { name: "Sign out 2 other devices" }).click();
      await page.getByText("You are signed in nowhere else.").waitFor();
      await page.reload();
      await heading(page, "Devices");
      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await page.waitForURL("**/login");
      await watched.close();
    },
    journey,
  );

  test(
    "how the page looks counts at once, and from the first paint after a reload; so does the language",
    async () => {
      const carol = await scene.person("carol");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/appearance", carol);
      await heading(page, "Appearance");
      await eventually(() => theme(page)).toBe(null);
      await expectNoBarriers(page);
      await page.getByRole("radio", { name: "Night" }).check();
      await eventually(() => theme(page)).toBe("dark");
      await page.getByRole("radio", { name: "Compact, text only" }).check();
      await page.getByRole("slider", { name: "Text size" }).press("End");
      await page.getByRole("slider", { name: "Colours of people" }).press("Home");
      const shown =
        "[document.documentElement.dataset.theme, document.documentElement.dataset.density, getComputedStyle(document.documentElement).fontSize, getComputedStyle(document.documentElement).getPropertyValue('--saturation'), document.documentElement.lang]";
      const night = ["dark", "compact", "21.3333px", "0"];
      await eventually(() => page.evaluate<string[]>(shown)).toEqual([...night, "en"]);
      await open(page, "Language");
      await page.getByRole("radio", { name: "Deutsch" }).check();
      await page.getByRole("heading", { name: "Sprache", exact: true }).waitFor();
      // Already before any script of the page has run.
      await page.route("**/assets/*.js", async (route) => {
        await page.locator("html[data-theme]").waitFor({ state: "attached" });
        await eventually(() => page.evaluate<string[]>(shown)).toEqual([...night, "de"]);
        await route.continue();
      });
      await page.reload();
      await page.getByRole("heading", { name: "Sprache", exact: true }).waitFor();
      await page.unrouteAll({ behavior: "wait" });
      await page.getByRole("radio", { name: "English", exact: true }).check();
      await heading(page, "Language");
      await watched.close();
    },
    journey,
  );

  test(
    "the names of the buttons that change keys contain the keys as they are shown, so that they can be spoken",
    async () => {
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/keys", await scene.person("kim"));
      const buttons = page.getByRole("main").locator("li > button[aria-pressed]");
      await buttons.first().waitFor();
      const both = await buttons.evaluateAll((all) =>
        all.map(({ textContent, ariaLabel }) => [textContent, ariaLabel] as const),
      );
      expect(both).not.toEqual([]);
      for (const [shown, name] of both) expect(name).toContain(shown ?? "");
      await watched.close();
    },
    journey,
  );

  test(
    "no character that people type becomes a shortcut, and a screen reader hears why keys are not taken",
    async () => {
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/keys", await scene.person("kim"));
      const said = page.getByRole("main").locator("[aria-live=polite]", { hasText: "keys" });
      const button = page.getByRole("main").locator("li > button[aria-pressed]").first();
      const nameNow = () => button.getAttribute("aria-label");
      const name = await nameNow();
      await button.click();
      for (const keys of ["Shift+A", "+", "Shift+?"]) {
        await page.keyboard.press("Control+Shift+ArrowUp");
        await said.getByText("has these keys already").waitFor();
        await page.keyboard.press(keys);
        await said.getByText("Hold Ctrl, Alt or Command with it").waitFor();
      }
      expect(await nameNow()).toBe(name);
      await page.keyboard.press("Control+Alt+Y");
      await eventually(nameNow).toContain("Ctrl Alt Y");
      await watched.close();
    },
    journey,
  );

  /** A script of a page in which the browser's question about a passkey waits for its user. */
  const asking = `
    globalThis.asked = [];
    // Pages without https have none.
    if (navigator.credentials) navigator.credentials.create = ({ signal }) => {
      asked.push(signal);
      return new Promise((_, refuse) => signal.addEventListener("abort", () => refuse(signal.reason)));
    };`;

  test(
    "a passkey that is given up is not asked for by the browser any more",
    async () => {
      const local = scene.url.replace("127.0.0.1", "localhost");
      const watched = await Watched.open(scene.browser, local, withoutWorker);
      await watched.context.addInitScript(asking);
      const page = await watched.page("/settings/sign-in", await scene.person("bob"));
      const begin = async () => {
        await page.getByRole("button", { name: "Add a passkey" }).click();
        await page.getByRole("button", { name: "Create it now" }).click();
      };
      const giveUp = async () => {
        await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
      };
      const beginning = Promise.withResolvers<Route>();
      await page.route("**/webauthn/register/begin", (route) => beginning.resolve(route), { times: 1 });
      await begin();
      const route = await beginning.promise;
      const isOne = (each: Request) => each === route.request();
      const over = Promise.race([
        page.waitForEvent("requestfinished", isOne),
        page.waitForEvent("requestfailed", isOne),
      ]);
      await giveUp();
      await route.continue().catch(() => {});
      await over;
      await page.evaluate("new Promise(requestAnimationFrame)");
      expect(await page.evaluate("asked.length")).toBe(0);

      await begin();
      await untilSo(page, "asked.length === 1");
      await giveUp();
      await untilSo(page, "asked[0].aborted");
      await page.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByRole("button", { name: "Create it now" }).waitFor();
      await page.evaluate("new Promise(requestAnimationFrame)");
      expect(await page.getByRole("dialog").count()).toBe(1);
      await watched.close();
    },
    journey,
  );

  test(
    "less motion, pages instead of a list, and hours that are kept",
    async () => {
      const dora = await scene.person("dora");
      const home = await dora.makeServer("Ubuntu");
      for (let i = 1; i <= 120; i++) await dora.say(home.general.id, `message ${i}`);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/accessibility", dora);
      await heading(page, "Accessibility");
      await page.getByRole("switch", { name: "Less motion" }).click();
      await page.getByRole("switch", { name: "Reader mode" }).click();
      await eventually(() => page.evaluate<string>("document.documentElement.dataset.motion")).toBe(
        "reduced",
      );
      await expectNoBarriers(page, [360]);

      await page.goto(`/servers/${home.id}/channels/${home.general.id}`);
      await page
        .getByRole("article")
        .filter({ hasText: /message 120$/ })
        .waitFor();
      await eventually(() => page.getByRole("article").count()).toBe(100);
      await boxOf(page).fill("and one more");
      await page.keyboard.press("Enter");
      await page.locator("article:not([data-state])").filter({ hasText: "and one more" }).waitFor();
      await page.getByRole("button", { name: "Older" }).click();
      await page
        .getByRole("article")
        .filter({ hasText: /message 1$/ })
        .waitFor();
      await eventually(() =>
        page
          .getByRole("article")
          .filter({ hasText: /message 120$/ })
          .count(),
      ).toBe(0);
      await dora.say(home.general.id, "said meanwhile");
      await page.getByText("1 newer message").waitFor();
      // Messages in other channels do not count.
      const make = (name: string) =>
        dora.post<{ id: string }>("/channels", { server_id: home.id, name, type: "text" });
      await dora.say((await make("kitchen")).body.id, "said elsewhere");
      await make("pantry");
      await page.getByRole("link", { name: /^pantry/ }).waitFor();
      await eventually(() => page.getByText("1 newer message").count()).toBe(1);
      await page.getByRole("button", { name: "Newest" }).click();
      await page.getByRole("article").filter({ hasText: "said meanwhile" }).waitFor();

      await page.goto("/settings/availability");
      await page.getByRole("button", { name: "Monday to Friday, 9 to 17" }).click();
      await page.getByRole("button", { name: "Remove Friday", exact: false }).click();
      await page.getByRole("combobox", { name: "Time zone" }).selectOption("Europe/Berlin");
      await page.getByRole("switch", { name: "Do not disturb" }).click();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });
      const kept = await dora.get<{ windows: unknown[]; time_zone: string }>("/auth/me/availability");
      expect(kept.body).toMatchObject({ time_zone: "Europe/Berlin", dnd_outside: true });
      expect(kept.body.windows).toHaveLength(4);
      await expectNoBarriers(page, [360]);
      await watched.close();
    },
    journey,
  );

  test(
    "the focus stays near a button that goes with its press, as that for the zone of the device does",
    async () => {
      const alice = await scene.person("alice");
      const hours = { time_zone: "Asia/Tokyo", windows: [], dnd_outside: false };
      await alice.put("/auth/me/availability", hours);
      const watched = await scene.watched({ ...withoutWorker, timezoneId: "Europe/Berlin" });
      const page = await watched.page("/settings/availability", alice);
      const use = page.getByRole("button", { name: "Use the zone of this device: Europe/Berlin" });
      await use.press("Enter");
      await use.waitFor({ state: "detached" });
      await eventually(() => hasFocus(page)).toBe(true);
      await watched.close();
    },
    journey,
  );
});
