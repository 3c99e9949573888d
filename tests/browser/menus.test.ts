// The menus of servers, channels and oneself: their order, reading and muting from them, by pointer, keys and finger.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import type { NotificationSettings } from "../../features/notifications/contract.ts";
import type { TestPerson } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { copiedText } from "./clipboard.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, untilSo } from "./scene.ts";
import { phone, toChannels } from "./touch.ts";
import { village } from "./village.ts";
import { withoutWorker } from "./watched.ts";

inChromium("menus", (scene) => {
  const channels = (page: Page) => page.getByRole("navigation", { name: "Channels" });
  const servers = (page: Page) => page.getByRole("navigation", { name: "Servers" });
  const item = (page: Page, name: string | RegExp) => page.getByRole("menuitem", { name, exact: true });

  test(
    "what is used most comes first, what deletes or leaves comes last",
    async () => {
      const { alice, bob, server, garden } = await village(scene);
      const path = `/servers/${server.id}/channels/${garden.id}`;
      const [hers, his] = [await scene.watched(withoutWorker), await scene.watched(withoutWorker)];
      const [page, bobs] = [await hers.page(path, alice), await his.page(path, bob)];
      const listed = async (on: Page, opener: string) => {
        await on.getByRole("button", { name: opener, exact: true }).click();
        await on.getByRole("menu").waitFor();
        const parts = await on
          .locator("[role=menuitem], [role=menu] [role=separator]")
          .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? "|"));
        await on.keyboard.press("Escape");
        await on.getByRole("menu").waitFor({ state: "detached" });
        return parts.join();
      };
      const everyday = "Mark as read,Mute,Notifications,Invite people,Copy link,|,Events,|";
      expect(await listed(page, "Server menu")).toBe(`${everyday},Create channel,Server settings`);
      expect(await listed(bobs, "Server menu")).toBe(`${everyday},Server settings,|,Leave server`);
      expect(await listed(page, "Channel menu")).toBe(
        "Mark as read,Mute,Notifications,|,Copy link,Jump to date,Invite people,|,Channel settings,Move up,Move down,|,Delete channel",
      );
      expect(await listed(page, "You")).toBe("Set status,Settings,Console,|,Sign out");
      expect(await listed(bobs, "You")).toBe("Set status,Settings,|,Sign out");
      await hers.close();
      await his.close();
    },
    journey,
  );

  test(
    "a channel and a server are marked as read from their menus, on the tab too, and that can be undone",
    async () => {
      const { alice, bob, server, garden, cellar } = await village(scene);
      for (const { id } of [garden, cellar]) await alice.say(id, "Rain is coming");
      const watched = await scene.watched({ ...withoutWorker, permissions: ["clipboard-write"] });
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, bob);
      const link = (name: string) => channels(page).getByRole("link", { name, exact: true });
      const tab = servers(page).getByRole("link", { name: /^The village/ });

      await link("garden unread").click({ button: "right" });
      await item(page, "Mark as read").click();
      await link("garden").waitFor();
      await link("cellar unread").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await link("garden unread").waitFor();

      await tab.click({ button: "right" });
      await item(page, "Mark as read").click();
      await link("garden").waitFor();
      await link("cellar").waitFor();
      await page.keyboard.press("Control+z");
      await link("garden unread").waitFor();
      await link("cellar unread").waitFor();

      await page.getByRole("button", { name: "Server menu" }).click();
      await expectNoBarriers(page, [1280]);
      await item(page, "Mark as read").click();
      await link("garden").waitFor();
      await page.getByRole("button", { name: "Server menu" }).click();
      await eventually(() => item(page, "Mark as read").getAttribute("aria-disabled")).toBe("true");
      await page.keyboard.press("Escape");

      await link("garden").click({ button: "right" });
      await item(page, "Copy link").click();
      await eventually(() => copiedText(page)).toBe(
        `${scene.pageUrl}/servers/${server.id}/channels/${garden.id}`,
      );
      await watched.close();
    },
    journey,
  );

  test(
    "Enter and Space open a menu whose first item Enter acts on; Right opens the submenu that mutes for an hour",
    async () => {
      const { bob, server, garden } = await village(scene);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${garden.id}`, bob);
      for (const key of ["Enter", " "]) {
        await page.getByRole("button", { name: "You", exact: true }).press(key);
        await item(page, "Set status").waitFor();
        await untilSo(page, "document.activeElement?.getAttribute('aria-label') === 'Set status'");
        await page.keyboard.press("Enter");
        await page.getByRole("dialog", { name: "Set status" }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }

      await page.getByRole("button", { name: "Channel menu" }).press("Enter");
      // Nothing is unread.
      await untilSo(page, "document.activeElement?.getAttribute('aria-label') === 'Mute'");
      await page.keyboard.press("ArrowRight");
      await item(page, "1 hour").waitFor();
      await untilSo(page, "document.activeElement?.getAttribute('aria-label') === '15 minutes'");
      await expectNoBarriers(page, [1280]);
      await page.keyboard.press("ArrowDown");
      const now = Date.now();
      await page.keyboard.press("Enter");
      await channels(page).getByRole("link", { name: "garden muted", exact: true }).waitFor();
      const minutes = (Date.parse((await mutedUntil(bob, garden)) ?? "") - now) / 60_000;
      expect(Math.abs(minutes - 60)).toBeLessThan(2);

      await page.getByRole("button", { name: "Channel menu" }).click();
      await item(page, /^Unmute, until /).click();
      await channels(page).getByRole("link", { name: "garden", exact: true }).waitFor();
      await page.getByRole("button", { name: "Channel menu" }).click();
      await item(page, "Mute").hover();
      await item(page, "Until I unmute it").click();
      await channels(page).getByRole("link", { name: "garden muted", exact: true }).waitFor();
      await page.getByRole("menu").waitFor({ state: "detached" });
      await watched.close();
    },
    journey,
  );

  test(
    "by finger, a long press on a server's tab, a channel or a category opens its menu; muting is a second sheet with a way back",
    async () => {
      const { alice, bob, server, garden } = await village(scene);
      await alice.say(garden.id, "Rain is coming");
      const watched = await scene.watched({ ...withoutWorker, ...phone });
      const page = await watched.page(`/servers/${server.id}`, bob);
      const tab = servers(page).getByRole("link", { name: /^The village/ });
      await toChannels(page);
      const path = new URL(page.url()).pathname;
      const session = await page.context().newCDPSession(page);
      const press = async (on: Locator) => {
        const { x = 0, y = 0, width = 0, height = 0 } = (await on.boundingBox()) ?? {};
        const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
        await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
        await item(page, "Mark as read").waitFor();
        await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      };
      for (const [on, name] of [
        [channels(page).getByRole("link", { name: /^garden/ }), "Menu of garden"],
        [channels(page).getByRole("button", { name: "Outside", exact: true }), "Menu of Outside"],
      ] as const) {
        await press(on);
        await page.getByRole("menu", { name }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
      }
      await press(tab);
      await item(page, "Mute").tap();
      await item(page, "15 minutes").waitFor();
      expect(await item(page, "Mark as read").count()).toBe(0);
      await item(page, "Mute").tap();
      await item(page, "Mark as read").tap();
      await page.getByRole("menu").waitFor({ state: "detached" });
      await channels(page).getByRole("link", { name: "garden", exact: true }).waitFor();
      // The press was no tap on the link.
      expect(new URL(page.url()).pathname).toBe(path);
      await watched.close();
    },
    journey,
  );
});

/** The end of a channel's mute as the server tells it. */
async function mutedUntil(person: TestPerson, { id }: Channel): Promise<string | null> {
  const { body } = await person.get<NotificationSettings>("/notification-settings");
  return body.channels.find(({ channel_id }) => channel_id === id)?.muted_until ?? null;
}
