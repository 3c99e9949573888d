// A press that comes before the part of the page that it needs: it does what it does as soon as that is there.
import { beforeAll, expect, test } from "bun:test";
import type { TestPerson } from "../house/people.ts";
import { boxOf } from "./composing.ts";
import { inChromium, journey, patienceMs } from "./scene.ts";

inChromium("a press before its part is there", (scene) => {
  let alice: TestPerson;

  beforeAll(async () => {
    alice = await scene.person("alice");
  }, patienceMs);

  test(
    "opens the menu of a server, the switcher, and what a word can be completed to",
    async () => {
      const home = await alice.makeServer("Home");
      await alice.say(home.general.id, "Hello");
      const watched = await scene.watched();
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
      const writing = boxOf(page);
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
    journey,
  );
});
