// Direct conversations on a phone of 360 pixels, by touch alone: nothing lies outside of it, and each pane has its way back.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "./axe.ts";
import { begin, choose, listOf, threePeople } from "./conversing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, untilSo } from "./scene.ts";
import { noMouse, phone, swipeBack } from "./touch.ts";
import { withoutWorker } from "./watched.ts";

/** The width of the page's content, which is that of the phone as long as nothing lies outside of it. */
const widthOf = (page: Page) => page.evaluate<number>("document.scrollingElement.scrollWidth");

/** A finger hits nothing in a pane that is still moving. */
const atRest =
  "!document.querySelector('[style*=translateX]') && document.documentElement.dataset.pane === undefined";

inChromium("direct conversations on a phone", (scene) => {
  test(
    "a group is begun, written in, named and left, and its list says what to do when it is empty",
    async () => {
      const { alice, bob, carol } = await threePeople(scene);
      const watched = await scene.watched({ ...phone, ...withoutWorker });
      const page = await watched.page("/direct", alice);
      await noMouse(page);
      await page.getByText("No conversations yet").waitFor();
      await expectNoBarriers(page, [360]);
      await page.getByRole("button", { name: "New conversation" }).last().tap();
      const dialog = page.getByRole("dialog", { name: "New conversation", exact: true });
      for (const name of ["bob", "carol"]) await choose(page, name);
      await eventually(() => widthOf(page)).toBe(360);
      await expectNoBarriers(page, [360]);
      await dialog.getByRole("button", { name: "Start", exact: true }).tap();
      const main = page.getByRole("main", { name: "bob, carol", exact: true });
      await main.getByRole("heading", { level: 3, name: "bob, carol" }).waitFor();
      await page.getByRole("textbox", { name: "Message bob, carol", exact: true }).fill("Who opens?");
      await page.getByRole("button", { name: "Send" }).tap();
      await page.locator("article:not([data-state])").getByText("Who opens?").waitFor();
      await expectNoBarriers(page, [360]);

      await page.getByRole("button", { name: "People", exact: true }).tap();
      const people = page.getByRole("dialog", { name: "People", exact: true });
      await people.getByRole("textbox", { name: "Group name" }).fill("A".repeat(100));
      await page.keyboard.press("Enter");
      await eventually(() => widthOf(page)).toBe(360);
      await expectNoBarriers(page, [360]);
      await people.getByRole("button", { name: "Close" }).tap();
      await people.waitFor({ state: "detached" });
      const named = page.getByRole("main", { name: "A".repeat(100) });
      await named.waitFor();
      expect(await widthOf(page)).toBe(360);
      await page.getByRole("button", { name: "Back to conversations" }).tap();
      await named.waitFor({ state: "detached" });
      await listOf(page).getByRole("link").waitFor();
      await untilSo(page, atRest);
      expect(await widthOf(page)).toBe(360);
      await listOf(page).getByRole("link").tap();
      await page.getByRole("button", { name: "People", exact: true }).tap();
      await people.getByRole("button", { name: "Leave group" }).tap();
      await page.getByRole("dialog").getByRole("button", { name: "Leave group" }).tap();
      await page.getByText("No conversations yet").waitFor();
      expect(
        (await bob.get<{ recipients: { id: string }[] }[]>("/direct")).body[0]?.recipients,
      ).toMatchObject([{ id: bob.id }, { id: carol.id }]);
      await watched.close();
    },
    journey,
  );

  test(
    "where one cannot write the reason stands in the place of the box, with the way out of it",
    async () => {
      const { alice, bob } = await scene.twoPeople();
      const talk = await begin(alice, bob);
      await alice.put(`/blocks/${bob.id}`);
      const watched = await scene.watched({ ...phone, ...withoutWorker });
      const page = await watched.page(`/direct/${talk.id}`, alice);
      await noMouse(page);
      await page.getByText("You block bob. Unblock them to write to them.").waitFor();
      expect(await widthOf(page)).toBe(360);
      await expectNoBarriers(page, [360]);
      await page.getByRole("button", { name: "Unblock" }).tap();
      const box = page.getByRole("textbox", { name: "Message bob", exact: true });
      await box.waitFor();
      await swipeBack(page);
      await box.waitFor({ state: "detached" });
      await listOf(page).getByRole("link", { name: "bob" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a finger that rests on a conversation opens its menu, where the browser tells of no context menu",
    async () => {
      const { alice, bob } = await scene.twoPeople();
      await begin(alice, bob);
      const watched = await scene.watched({ ...phone, ...withoutWorker });
      const page = await watched.page("/direct", alice);
      await listOf(page)
        .getByRole("link", { name: "bob" })
        .dispatchEvent("pointerdown", { pointerType: "touch", isPrimary: true });
      await page.getByRole("menuitem").first().waitFor();
      await watched.close();
    },
    journey,
  );
});
