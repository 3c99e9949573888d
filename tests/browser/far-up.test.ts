// A list whose reader is further up than the present: it stays there until they go elsewhere.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { later } from "./held.ts";
import { inChromium, journey, rowOf } from "./scene.ts";
import { longPress, phone } from "./touch.ts";
import { withoutWorker } from "./watched.ts";
import { follow, untilStill, wheel } from "./watching-rows.ts";

inChromium("further up", (scene) => {
  async function talking(count: number) {
    const { alice, bob, server, general } = await scene.twoPeople();
    const said: Message[] = [];
    for (let i = 0; i < count; i++) said.push(await alice.say(general.id, `message ${i}.`));
    const own = await bob.say(general.id, "Soup?");
    const path = `/servers/${server.id}/channels/${general.id}`;
    return { bob, said, own, path, at: (i: number) => `${path}/messages/${said[i]?.id}` };
  }

  test(
    "Up in the empty box corrects nothing while the last own message is not among the rows, nor later by itself",
    async () => {
      const { bob, said, own, path, at } = await talking(300);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(path, bob);
      await rowOf(page, own).waitFor();
      await untilStill(page);
      await follow(page, at(10));
      await rowOf(page, said[10] as Message).waitFor();
      await untilStill(page);
      await boxOf(page).press("ArrowUp");
      await page.evaluate(later);
      await page.getByRole("button", { name: "Jump to present" }).click();
      await rowOf(page, own).waitFor();
      await boxOf(page).pressSequentially("Hello");
      await page.evaluate(later);
      expect(await page.getByRole("textbox", { name: "Edit message" }).count()).toBe(0);
      await eventually(() => boxOf(page).inputValue()).toBe("Hello");
      // At the present, it corrects that message.
      await boxOf(page).fill("");
      await boxOf(page).press("ArrowUp");
      await page.getByRole("textbox", { name: "Edit message" }).waitFor();
      await watched.close();
    },
    journey,
  );

  const placeOf = (page: Page) =>
    page.evaluate<number>(
      `document.querySelector('[role=list][aria-label="Messages"]').parentElement.scrollTop`,
    );

  test(
    "who was led to a message and then scrolled away stays there when something opens over the list and closes again",
    async () => {
      const { bob, said, at } = await talking(60);
      const watched = await scene.watched({ ...phone, ...withoutWorker });
      const page = await watched.page(at(5), bob);
      const target = rowOf(page, said[5] as Message);
      await target.waitFor();
      await untilStill(page);
      await wheel(page, 900);
      await untilStill(page);
      const place = await placeOf(page);
      const other = page.getByRole("article").filter({ visible: true }).nth(15);
      await longPress(page, other);
      await page.goBack();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.evaluate(later);
      await untilStill(page);
      expect(Math.abs((await placeOf(page)) - place)).toBeLessThan(400);
      await page.getByRole("button", { name: "Members" }).first().click();
      await page.waitForURL(/show=members/);
      await page.goBack();
      await page.waitForURL(({ search }) => search === "");
      await page.evaluate(later);
      await untilStill(page);
      expect(Math.abs((await placeOf(page)) - place)).toBeLessThan(400);
      expect(await target.isVisible()).toBe(false);
      await watched.close();
    },
    journey,
  );
});
