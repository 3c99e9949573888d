// Actions in quick succession: the page acts on the newest state, not on what it knew before.
import { expect, test } from "bun:test";
import { soon, until } from "../house/machine/waiting.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { comes, inChromium, journey, rowOf, signIn, untilPart, withVoice } from "./scene.ts";
import { phone, untilPanesMove } from "./touch.ts";
import { Watched } from "./watched.ts";

inChromium("what is done at once", (scene) => {
  test(
    "Up right after Enter corrects what was just said, once that is there; and another key means something else",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const before = await alice.say(general.id, "said before");
      const { watched, page } = await scene.open(alice, server);
      await rowOf(page, before).waitFor();
      let asked = Promise.withResolvers<void>();
      let held = Promise.withResolvers<void>();
      await page.route("**/api/v1/channels/*/messages", async (route) => {
        if (route.request().method() === "POST") {
          asked.resolve();
          await held.promise;
        }
        await route.continue();
      });
      const edit = page.getByRole("textbox", { name: "Edit message" });
      for (const [text, isEdited] of [
        ["said just now", true],
        ["said at last", false],
      ] as const) {
        await boxOf(page).fill(text);
        [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        await boxOf(page).press("Enter");
        await boxOf(page).press("ArrowUp");
        if (!isEdited) await boxOf(page).press("Shift");
        await soon(asked.promise);
        expect(await edit.count()).toBe(0);
        held.resolve();
        await page.locator("[data-message-id]").filter({ hasText: text }).waitFor();
        await eventually(() => page.locator("[data-state]").count()).toBe(0);
        if (!isEdited) continue;
        await edit.waitFor();
        await eventually(() => edit.inputValue()).toBe(text);
        await edit.press("Escape");
        await edit.waitFor({ state: "detached" });
      }
      expect(await edit.count()).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "two swipes, one right behind the other, lead back twice: from the members to the channels",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const hers = await Watched.open(scene.browser, scene.url, phone);
      const page = await hers.page(`/servers/${server.id}`, alice);
      await page.getByRole("link", { name: /^general/ }).tap();
      await page.getByRole("main", { name: general.name }).waitFor();
      await page.getByRole("button", { name: "Members" }).tap();
      await page.getByRole("complementary", { name: "Members" }).waitFor();
      await untilPanesMove(page);
      await eventually(() =>
        page.evaluate<boolean>("document.documentElement.dataset.pane === undefined"),
      ).toBe(true);
      await page.evaluate(swipeTwice);
      await page.getByRole("navigation", { name: "Channels" }).waitFor();
      await eventually(() => page.evaluate<string>("location.pathname")).toBe(`/servers/${server.id}`);
      await hers.close();
    },
    journey,
  );

  test(
    "what was chosen from the menu of a row leaves one bar, of the row below the pointer",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const said = [];
      for (let i = 0; i < 12; i++) said.push(await alice.say(general.id, `number ${i}`));
      const { watched, page } = await scene.open(alice, server);
      const [row, bars] = [
        rowOf(page, said[2] ?? { id: "" }),
        page.getByRole("toolbar", { name: "Message actions" }),
      ];
      await untilPart(page, "action-menu");
      await row.waitFor();
      await row.focus();
      await page.keyboard.press("Shift+F10");
      const item = page.getByRole("menuitem", { name: "Mark unread from here" });
      await item.click();
      await page.getByRole("menu").waitFor({ state: "detached" });
      // Moves the pointer within the row below. The line above new messages moves the rows a frame later.
      const below = rowOf(page, said[8] ?? { id: "" });
      await until(async () => {
        const { x = 0, y = 0 } = (await below.boundingBox()) ?? {};
        await page.mouse.move(x + 200, y + 4);
        await page.mouse.move(x + 210, y + 8);
        return comes(below.getByRole("toolbar"), 3000);
      }, "the row below the pointer has no bar");
      await eventually(() => bars.count()).toBe(1);
      await watched.close();
    },
    journey,
  );

  test(
    "a tab that asks to sign in goes in where another one has signed in, to what it wanted",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const watched = await scene.watched();
      watched.allow(/status of 401/);
      const path = `/servers/${server.id}/channels/${general.id}`;
      const page = await watched.page(path);
      const name = page.getByRole("textbox", { name: "E-mail or username" });
      await name.waitFor();
      const other = await watched.page("/login");
      await signIn(other, alice);
      await boxOf(other).waitFor();
      await boxOf(page).waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
      await watched.close();
    },
    journey,
  );
});

inChromium(
  "keys of calls",
  (scene) => {
    test(
      "the sheet of keys, opened before the keys of calls are there, lists them as soon as they are",
      async () => {
        const { alice, server } = await scene.twoPeople();
        const watched = await scene.watched();
        let letGo = () => {};
        const held = new Promise<void>((resolve) => {
          letGo = resolve;
        });
        await watched.context.route(/assets\/call-watch-/, async (route) => {
          await held;
          await route.continue();
        });
        const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
        await boxOf(page).waitFor();
        const dialog = page.getByRole("dialog");
        // The key of the sheet itself is loaded right behind the first message.
        await eventually(async () => {
          if (!(await dialog.count())) await page.keyboard.press("Control+/");
          return dialog.count();
        }).toBe(1);
        await dialog.getByRole("button", { name: /^Go to a channel/ }).waitFor();
        const deafen = dialog.getByRole("button", { name: /^Stop listening/ });
        expect(await deafen.count()).toBe(0);
        letGo();
        await deafen.waitFor();
        await watched.close();
      },
      journey,
    );
  },
  withVoice,
);

/** A finger swipes from the edge into the middle, and again once the first step back is done. */
const swipeTwice = `(() => {
  const swipe = () => {
    const target = document.elementFromPoint(60, 300);
    const touch = (kind, clientX) => {
      const touches = [new Touch({ identifier: 1, target, clientX, clientY: 300 })];
      const isOver = kind === "touchend";
      target.dispatchEvent(new TouchEvent(kind, { bubbles: true, touches: isOver ? [] : touches, changedTouches: touches }));
    };
    touch("touchstart", 60);
    for (const x of [100, 140, 180, 220, 260]) touch("touchmove", x);
    touch("touchend", 260);
  };
  addEventListener("popstate", () => setTimeout(swipe, 100), { once: true });
  swipe();
})();`;
