// How a person signs in, in the settings: passwords, passkeys and devices are changed in place.
import { expect, test } from "bun:test";
import type { Page, Request, Route } from "playwright-core";
import { expectNoBarriers } from "./axe.ts";
import { BuiltInKey } from "./chromium.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, untilSo } from "./scene.ts";
import { Watched, withoutWorker } from "./watched.ts";

inChromium("the settings of signing in", (scene) => {
  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();
  const open = (page: Page, name: string) =>
    page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name, exact: true }).click();

  /** A script of a page in which the browser's question about a passkey waits for its user. */
  const asking = `
    globalThis.asked = [];
    // Pages without https have none.
    if (navigator.credentials) navigator.credentials.create = ({ signal }) => {
      asked.push(signal);
      return new Promise((_, refuse) => signal.addEventListener("abort", () => refuse(signal.reason)));
    };`;

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
});
