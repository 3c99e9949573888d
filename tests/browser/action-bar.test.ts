// The bar of actions over a message: its keys in a narrow room, and where single letters are turned off.
import { expect, test } from "bun:test";
import { keeps } from "./kept.ts";
import { barOf, inChromium, journey, rowOf } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("the bar over a message", (scene) => {
  test(
    "is walked by the arrow keys in a narrow room, too, where it has no emoji",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said = await bob.say(general.id, "Who cooks?");
      const narrow = { ...withoutWorker, viewport: { width: 540, height: 800 } };
      const { watched, page } = await scene.open(alice, server, narrow);
      const bar = await barOf(rowOf(page, said));
      expect(await bar.getByRole("button", { name: /^React with/ }).count()).toBe(0);
      const shown = bar.getByRole("button");
      const focused = page.locator(":focus");
      await shown.first().focus();
      await page.keyboard.press("ArrowLeft");
      await shown.last().and(focused).waitFor();
      await page.keyboard.press("ArrowRight");
      await shown.first().and(focused).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "and its menu name no letters where these are turned off; Delete, which is none, works",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const said = await alice.say(general.id, "Soup");
      const watched = await scene.watched(withoutWorker);
      await watched.context.addInitScript(keeps("letter-keys", false));
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      const bar = await barOf(rowOf(page, said));
      const edit = bar.getByRole("button", { name: "Edit", exact: true });
      expect(await edit.getAttribute("title")).toBe("Edit");
      expect(await edit.getAttribute("aria-keyshortcuts")).toBeNull();
      await bar.getByRole("button", { name: "More", exact: true }).click();
      const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
      await item("Delete").waitFor();
      const keysOf = (name: string) => item(name).getAttribute("aria-keyshortcuts");
      expect([await keysOf("Copy text"), await keysOf("Delete")]).toEqual([null, "Delete"]);
      await page.keyboard.press("Escape");
      await item("Delete").waitFor({ state: "detached" });
      await rowOf(page, said).focus();
      await page.keyboard.press("Delete");
      await page.getByRole("button", { name: "Undo" }).waitFor();
      await watched.close();
    },
    journey,
  );
});
