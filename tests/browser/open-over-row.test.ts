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

  test(
    "a picker that comes when the pointer has left the row, and the opener with it, is shown at the row",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const said = await alice.say(general.id, "Where to?");
      const watched = await scene.watched(withoutWorker);
      const held = Promise.withResolvers<void>();
      await watched.context.route(/assets\/(picker-overlay|popover-overlay)/, async (route) => {
        await held.promise;
        await route.continue();
      });
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      const row = rowOf(page, said);
      await press(row, "React");
      await page.getByRole("button", { name: "You", exact: true }).hover();
      await page.getByRole("toolbar", { name: "Message actions" }).waitFor({ state: "detached" });
      held.resolve();
      await search(page).waitFor();
      await page.evaluate(framesLater);
      const [picker, place] = [await page.getByRole("dialog").boundingBox(), await row.boundingBox()];
      expect(picker?.x).toBeGreaterThanOrEqual(place?.x ?? Number.NaN);
      await search(page).fill("Italy");
      await page.keyboard.press("Enter");
      await row.getByRole("button", { name: "🇮🇹 1" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a channel that was left with its picker open is shown without it",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const asked = { server_id: server.id, name: "recipes", type: "text" };
      const { body: recipes } = await alice.post<{ id: string }>("/channels", asked);
      const said = await alice.say(general.id, "Where to?");
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      await page.getByRole("link", { name: "recipes" }).click();
      await page.waitForURL(`**/${recipes.id}`);
      await page.getByRole("link", { name: "general" }).click();
      await press(rowOf(page, said), "React");
      await search(page).waitFor();
      await page.goBack();
      await page.getByRole("main", { name: "recipes" }).waitFor();
      await page.goForward();
      await rowOf(page, said).waitFor();
      await page.evaluate(framesLater);
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.keyboard.type("Hi");
      await untilSo(page, "document.querySelector('main textarea')?.value === 'Hi'");
      await press(rowOf(page, said), "React");
      await search(page).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a menu that was opened with the mouse takes the tap of a finger, and the row is at rest afterwards",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said = await bob.say(general.id, "Where to?");
      const { watched, page } = await scene.open(alice, server, { ...withoutWorker, hasTouch: true });
      await press(rowOf(page, said), "More");
      await page.getByRole("menuitem", { name: "Reply", exact: true }).tap();
      await page.getByText("Replying to bob").waitFor();
      await page.getByRole("menu").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "You", exact: true }).hover();
      await page.getByRole("toolbar", { name: "Message actions" }).waitFor({ state: "detached" });
      await watched.close();
    },
    journey,
  );
});
