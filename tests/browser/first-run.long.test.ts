// The first run: an empty Hearth gets its owner, by keyboard alone.
import { expect, test } from "bun:test";
import type { Route } from "playwright-core";
import { makeHouse } from "../house/open/engines.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { press, tabTo, type } from "./keyboard.ts";
import { inChromium, journey } from "./scene.ts";
import { Watched, withoutWorker } from "./watched.ts";

const password = "correct horse battery";

inChromium("the first run", (scene) => {
  test(
    "an empty Hearth opens on the page that makes its owner, at every address; the steps outlast a reload",
    async () => {
      const empty = await makeHouse("SQLite", { AVATAR_URL: "off" });
      await empty.open();
      const his = await Watched.open(scene.browser, empty.url);
      const slow = await his.page("/login");
      await slow.getByRole("heading", { name: "Make this Hearth yours" }).waitFor();

      const hers = await Watched.open(scene.browser, empty.url);
      const page = await hers.page("/servers/nothing/channels/yet");
      await page.getByRole("heading", { name: "Make this Hearth yours" }).waitFor();
      await page.getByText("“hearth admin reset-link” makes you a link to a new password.").waitFor();
      await expectNoBarriers(page);
      await type(page, "E-mail", "alice@people.example");
      await type(page, "Username", "al ice");
      await page.keyboard.press("Tab");
      await page.getByText("Use letters, digits, dots, dashes and underscores only.").waitFor();
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("alice");
      await eventually(() => page.getByText("Use letters, digits").count()).toBe(0);
      await type(page, "Display name", "Alice");
      await type(page, "Password", password);
      await page.keyboard.press("Enter");

      await page.getByRole("heading", { name: "Who may come?" }).waitFor();
      const top = async () => (await page.getByRole("main").boundingBox())?.y;
      const topOfSheet = await top();
      await page.reload();
      await page.getByRole("heading", { name: "Who may come?" }).waitFor();
      await expectNoBarriers(page);
      await page.getByRole("textbox", { name: "Name of this Hearth" }).fill("The lamp");
      await tabTo(page, page.getByRole("radio", { name: "Anyone", exact: true }));
      await page.keyboard.press("ArrowDown");
      await press(page, "button", "Continue");
      await page.getByRole("heading", { name: "A first server" }).waitFor();
      // The sheet has the name that was just given, and stands where that of the step before stood.
      await page.getByText(/^The lamp/).waitFor();
      expect(await top()).toBe(topOfSheet);
      await type(page, "Server name", "The kitchen");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Bring people in" }).waitFor();
      const link = await page.getByRole("textbox", { name: "Invite link" }).inputValue();
      await expectNoBarriers(page);
      await press(page, "button", "Open The kitchen");
      await page.getByRole("main", { name: "general" }).waitFor();
      const settings = (await (await fetch(`${empty.url}/api/v1/instance`)).json()) as object;
      expect(settings).toMatchObject({ name: "The lamp", registration: "invite", setup: "done" });

      // Bob had the same page open, and returns to it.
      await slow.evaluate("dispatchEvent(new Event('focus'))");
      await slow.getByRole("heading", { name: "Somebody was faster" }).waitFor();
      await press(slow, "button", "Sign in");
      await press(slow, "link", "Create an account");
      await type(slow, "Invite link or code", link);
      await type(slow, "E-mail", "bob@people.example");
      await type(slow, "Username", "bob");
      await type(slow, "Display name", "Bob");
      await type(slow, "Password", password);
      await slow.keyboard.press("Enter");
      await slow.getByRole("main", { name: "general" }).waitFor();
      await hers.close();
      await his.close();
      await empty.end();
    },
    journey,
  );

  test(
    "a step that the server has not answered yet cannot be left backwards",
    async () => {
      const empty = await makeHouse("SQLite", { AVATAR_URL: "off" });
      await empty.open();
      const hers = await Watched.open(scene.browser, empty.url, withoutWorker);
      const page = await hers.page("/");
      await type(page, "E-mail", "alice@people.example");
      await type(page, "Username", "alice");
      await type(page, "Display name", "Alice");
      await type(page, "Password", password);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Who may come?" }).waitFor();
      await press(page, "button", "Continue");
      const title = page.getByRole("heading", { name: "A first server" });
      await title.waitFor();
      const asked = Promise.withResolvers<Route>();
      await page.route("**/api/v1/servers", (route) => asked.resolve(route), { times: 1 });
      await type(page, "Server name", "The kitchen");
      await page.keyboard.press("Enter");
      const creation = await asked.promise;
      const back = page.getByRole("button", { name: "Back" });
      await back.and(page.locator("[aria-disabled=true]")).waitFor();
      await back.click({ force: true });
      await page.evaluate("new Promise(requestAnimationFrame)");
      expect(await title.count()).toBe(1);

      await creation.continue();
      await page.getByRole("heading", { name: "Bring people in" }).waitFor();
      await hers.close();
      await empty.end();
    },
    journey,
  );

  test(
    "where others can come, the owner needs the set-up code; a wrong one is named at its field",
    async () => {
      const far = await makeHouse("SQLite", { AVATAR_URL: "off", PUBLIC_URL: "https://lamp.example.org" });
      await far.open();
      const hers = await Watched.open(scene.browser, far.url);
      hers.allow(/status of 403/);
      const page = await hers.page("/");
      await type(page, "Set-up code", "AAAA-BBBB-CCCC-DDDD");
      await type(page, "E-mail", "alice@people.example");
      await type(page, "Username", "alice");
      await type(page, "Display name", "Alice");
      await type(page, "Password", password);
      await page.keyboard.press("Enter");
      await page.getByText("This is not the set-up code").waitFor();
      await page.getByRole("textbox", { name: "Set-up code" }).fill((far.setupCode ?? "").toLowerCase());
      await press(page, "button", "Create account");
      await page.getByRole("heading", { name: "Who may come?" }).waitFor();
      await hers.close();
      await far.end();
    },
    journey,
  );
});
