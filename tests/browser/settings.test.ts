// A person's settings: saved ones are kept, those of this device apply at once, and typed text is not lost.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { hasFocus, inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

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
