// On a phone everything that opens comes from the bottom: menus, pickers and dialogs, with a grip, a title and a scrim.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { boxOf } from "./composing.ts";
import { colourOf, styleOf } from "./computed.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, untilSo } from "./scene.ts";
import { longPress, phone, toChannels } from "./touch.ts";
import { village } from "./village.ts";

const { width, height } = { width: 360, height: 780 };

inChromium("sheets", (scene) => {
  test(
    "a message that gets the focus on a phone has no bar over it until a key moves the focus",
    async () => {
      const { alice, server } = await village(scene);
      const { general } = server;
      await alice.say(general.id, "Who brings bread?");
      const answer = await alice.say(general.id, "I do");
      const hers = await scene.watched(phone);
      const page = await hers.page(`/servers/${server.id}/channels/${general.id}`, alice);
      const row = page.locator(`[data-message-id="${answer.id}"]`);
      await row.waitFor();
      await boxOf(page).tap();
      await page.keyboard.press("x");
      // A script moves the focus after a key, as the page does after editing; the browser marks it as visible.
      await row.focus();
      expect(await page.evaluate("document.activeElement.matches('article:focus-visible')")).toBe(true);
      // A bar would be loaded by then.
      await page.waitForLoadState("networkidle");
      expect(await page.getByRole("toolbar").count()).toBe(0);
      await page.keyboard.press("ArrowUp");
      await page.getByRole("toolbar", { name: "Message actions" }).waitFor();
      await hers.close();
    },
    journey,
  );

  test(
    "a finger that rests on an action of a message's sheet does it, like a short tap",
    async () => {
      const { alice, server } = await village(scene);
      const said = await alice.say(server.general.id, "Who brings bread?");
      const hers = await scene.watched(phone);
      const page = await hers.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      await longPress(page, page.locator(`[data-message-id="${said.id}"]`));
      const sheet = page.getByRole("dialog", { name: "Message actions" });
      const reply = sheet.getByRole("button", { name: "Reply", exact: true });
      await reply.click({ trial: true });
      const { x, y, width, height } = (await reply.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
      const session = await page.context().newCDPSession(page);
      await page.clock.install();
      await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
      await page.clock.runFor(600);
      await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      await sheet.waitFor({ state: "detached" });
      await page.getByText("Replying to").waitFor();
      await hers.close();
    },
    journey,
  );

  test(
    "the menus of server, channel and oneself are sheets, which a tap on the scrim closes",
    async () => {
      const { alice, server } = await village(scene);
      const hers = await scene.watched(phone);
      const page = await hers.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      await boxOf(page).waitFor();
      await page.getByRole("button", { name: "Channel menu" }).tap();
      await expectSheet(page, page.locator("[data-title='Channel menu']"));
      await closeByScrim(page, page.getByRole("menu"));
      await toChannels(page);
      for (const name of ["Server menu", "You"]) {
        await page.getByRole("button", { name, exact: true }).tap();
        await expectSheet(page, page.locator(`[data-title='${name}']`));
        await closeByScrim(page, page.getByRole("menu"));
      }
      await hers.close();
    },
    journey,
  );

  test(
    "a dialog is a sheet below its scrim, with a grip over its title",
    async () => {
      const { alice, server } = await village(scene);
      const hers = await scene.watched(phone);
      const page = await hers.page(`/servers/${server.id}`, alice);
      await page.getByRole("button", { name: "Add a server" }).tap();
      const dialog = page.getByRole("dialog", { name: "Add a server" });
      await dialog.waitFor();
      await eventually(() => edges(dialog)).toMatchObject({ left: 0, right: width, bottom: height });
      expect((await edges(dialog)).top).toBeGreaterThan(100);
      expect(await styleOf(dialog, "width", "::before")).toBe("36px");
      await closeByScrim(page, dialog);
      await hers.close();
    },
    journey,
  );

  test(
    "the emoji are a sheet of cells that a thumb can hit",
    async () => {
      const { alice, server } = await village(scene);
      const hers = await scene.watched(phone);
      const page = await hers.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      await boxOf(page).waitFor();
      await page.getByRole("button", { name: "Emoji" }).tap();
      const cell = page.getByRole("gridcell").nth(10);
      await cell.waitFor();
      await expectSheet(page, page.locator("[data-title='Emoji']"));
      await eventually(async () => {
        const size = await cell.boundingBox();
        return Math.min(size?.width ?? 0, size?.height ?? 0) >= 44;
      }).toBe(true);
      await closeByScrim(page, page.getByRole("dialog", { name: "Emoji" }));
      await hers.close();
    },
    journey,
  );
  test(
    "on a phone the members close at the left, and on a tablet they lie over a scrim, a press on which closes them",
    async () => {
      const { alice, server } = await village(scene);
      const hers = await scene.watched(phone);
      const page = await hers.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      const members = page.getByRole("complementary", { name: "Members" });
      await boxOf(page).waitFor();
      await page.getByRole("button", { name: "Members" }).tap();
      const close = members.getByRole("button", { name: "Close" });
      await close.waitFor();
      await eventually(async () => (await edges(close)).right).toBeLessThan(60);
      await close.tap();
      await members.waitFor({ state: "detached" });

      await page.setViewportSize({ width: 768, height });
      await page.getByRole("button", { name: "Members" }).tap();
      await members.waitFor();
      const scrim = members.locator("xpath=preceding-sibling::div");
      const drawer = await edges(members);
      await eventually(() => edges(scrim)).toMatchObject({ top: 0, right: drawer.left, bottom: height });
      expect((await edges(scrim)).left).toBeLessThanOrEqual(0);
      expect(await styleOf(scrim, "backgroundColor")).toBe(await colourOf(page, "--scrim"));
      await page.touchscreen.tap(drawer.left - 20, height / 2);
      await members.waitFor({ state: "detached" });
      await hers.close();
    },
    journey,
  );

  test(
    "a click on the scrim of the members leads the focus back to their button",
    async () => {
      const { alice, server } = await village(scene);
      const { watched, page } = await scene.open(alice, server, { viewport: { width: 768, height } });
      const members = page.getByRole("complementary", { name: "Members" });
      await page.getByRole("button", { name: "Members" }).click();
      const { left } = await edges(members);
      await page.mouse.click(left - 20, height / 2);
      await members.waitFor({ state: "detached" });
      await untilSo(page, "document.activeElement?.matches('[data-toggles=members]')");
      await watched.close();
    },
    journey,
  );
});

/** Expects a sheet as wide as the screen at its bottom, with a grip, a title and a scrim around it. */
async function expectSheet(page: Page, sheet: Locator): Promise<void> {
  await sheet.waitFor();
  await eventually(() => edges(sheet)).toMatchObject({ left: 0, right: width, bottom: height });
  expect(await styleOf(sheet, "width", "::after")).toBe("36px");
  expect(await styleOf(sheet, "content", "::before")).not.toBe("none");
  expect(Number.parseFloat(await styleOf(sheet, "height", "::before"))).toBeGreaterThanOrEqual(44);
  expect(await styleOf(sheet, "boxShadow")).toContain(await colourOf(page, "--scrim"));
}

async function closeByScrim(page: Page, open: Locator): Promise<void> {
  await page.touchscreen.tap(width / 2, 40);
  await open.waitFor({ state: "detached" });
}

async function edges(of: Locator) {
  const box = (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return {
    left: Math.round(box.x),
    top: Math.round(box.y),
    right: Math.round(box.x + box.width),
    bottom: Math.round(box.y + box.height),
  };
}
