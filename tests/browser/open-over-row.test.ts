// Pickers, menus and cards that are open over a message stay in place, whatever its row and the list do meanwhile.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { barOf, inChromium, journey, rowOf, untilSo } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

/** More messages than the window has room for. */
const many = 40;

const framesLater = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

inChromium("what is open over a message", (scene) => {
  const search = (page: Page) => page.getByRole("combobox", { name: "Search emoji" });
  const press = async (row: Locator, name: string) =>
    (await barOf(row)).getByRole("button", { name, exact: true }).click();

  test(
    "a press right after the pointer came into the picker counts, though the button that opened it goes",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const said = await alice.say(general.id, "Where to?");
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const row = rowOf(page, said);
      await press(row, "React");
      await search(page).fill("Italy");
      const flag = page.getByRole("gridcell", { name: /Italy/ });
      await flag.click({ trial: true, position: { x: 8, y: 8 } });
      await page.mouse.move(4, 4);
      const place = await flag.boundingBox();
      if (!place) throw new Error("the flag is not shown");
      await page.evaluate(`{
        const gone = () => document.querySelector("[role=toolbar][aria-label='Message actions']") === null;
        window.wasGone = false;
        new MutationObserver(() => (window.wasGone ||= gone())).observe(document.body, { childList: true, subtree: true });
      }`);
      await page.mouse.move(place.x + 8, place.y + 8);
      await page.mouse.down();
      await untilSo(page, "wasGone");
      await page.evaluate(framesLater);
      expect(await flag.boundingBox()).toEqual(place);
      await page.mouse.up();
      await row.getByRole("button", { name: "🇮🇹 1" }).waitFor();
      await search(page).waitFor({ state: "detached" });
      await watched.close();
    },
    journey,
  );

  test(
    "a picker, a menu and a card stay open when messages pour in, and do what they are for",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const pour = async (round: string) => {
        for (let i = 1; i <= many; i++) await bob.say(general.id, `${round} ${i}`);
        await page.getByText(`${round} ${many}`, { exact: true }).waitFor();
        await page.evaluate(framesLater);
      };

      const first = await bob.say(general.id, "Where to?");
      await press(rowOf(page, first), "React");
      await search(page).fill("Italy");
      await pour("a walk");
      await page.getByRole("gridcell", { name: /Italy/ }).click();
      await search(page).waitFor({ state: "detached" });
      const reacted = async () => (await alice.get(`/messages/${first.id}`)).body;
      await eventually(reacted).toMatchObject({ reactions: [{ emoji: "🇮🇹", count: 1 }] });

      const second = await bob.say(general.id, "Who comes along?");
      await press(rowOf(page, second), "More");
      await page.getByRole("menu").waitFor();
      await pour("a swim");
      await page.getByRole("menuitem", { name: "Reply", exact: true }).click();
      await page.getByText("Replying to bob").waitFor();

      const third = await alice.say(general.id, "I do!");
      await rowOf(page, third).getByRole("button", { name: "alice" }).click();
      const card = page.getByRole("dialog", { name: /alice/ });
      await card.waitFor();
      await pour("a sleep");
      expect(await card.count()).toBe(1);
      await page.keyboard.press("Escape");
      await card.waitFor({ state: "detached" });
      await watched.close();
    },
    journey,
  );
});
