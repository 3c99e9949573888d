// A server's list of channels for a member: actions on a channel, and the content of a collapsed category.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { inChromium, journey, untilSo } from "./scene.ts";
import { village } from "./village.ts";
import { withoutWorker } from "./watched.ts";

inChromium("the list of channels", (scene) => {
  test(
    "the menu of a channel has what changes the channel for those alone who may manage channels",
    async () => {
      const { alice, bob, server, garden } = await village(scene);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${garden.id}`, bob);
      const items = async (open: () => Promise<void>) => {
        await open();
        await page.getByRole("menuitem", { name: "Notifications" }).waitFor();
        const names = await page.getByRole("menuitem").allTextContents();
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
        return names.join();
      };
      const inHead = () => page.getByRole("button", { name: "Channel menu" }).press("Enter");
      const atRow = () => page.getByRole("link", { name: "garden" }).click({ button: "right" });
      const everybodys = "Mark as read,Mute,NotificationsOnly mentions,Copy link,Jump to date,Invite people";
      for (const open of [inHead, atRow]) expect(await items(open)).toBe(everybodys);
      const permissions = server.everyone.permissions | permission.MANAGE_CHANNELS;
      await alice.patch(`/servers/${server.id}/roles/${server.everyone.id}`, { permissions });
      await page.getByRole("button", { name: "Create channel in Outside" }).waitFor();
      for (const open of [inHead, atRow])
        expect(await items(open)).toMatch(
          /^Mark as read,Mute,NotificationsOnly mentions,Copy link,Jump to date,Invite people,Channel settings,Move up.*,Move down.*,Delete channel$/,
        );
      await watched.close();
    },
    journey,
  );

  test(
    "a folded category shows the channel that is open, and folds none of that name in another server",
    async () => {
      const { alice, bob, server, cellar } = await village(scene);
      const hamlet = await alice.makeServer("The hamlet");
      await alice.post<Channel>("/channels", { server_id: hamlet.id, name: "pond", category: "Outside" });
      await alice.bringIn(hamlet.id, bob);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${cellar.id}`, bob);
      const fold = () => page.getByRole("button", { name: "Outside", exact: true }).click();
      const servers = page.getByRole("navigation", { name: "Servers" });
      const goTo = (name: RegExp) => servers.getByRole("link", { name }).click();
      await inOrder(page, ["general", "garden", "cellar"]);
      await fold();
      await inOrder(page, ["general", "cellar"]);
      await page.getByRole("link", { name: "general" }).click();
      await inOrder(page, ["general"]);
      await goTo(/^The hamlet/);
      await inOrder(page, ["general", "pond"]);
      await fold();
      await inOrder(page, ["general"]);
      await goTo(/^The village/);
      await fold();
      await inOrder(page, ["general", "garden", "cellar"]);
      await goTo(/^The hamlet/);
      await page.getByRole("button", { name: "Outside", exact: true, expanded: false }).waitFor();
      await watched.close();
    },
    journey,
  );
});

/** Waits until the list shows these channels, from top to bottom. */
function inOrder(page: Page, names: readonly string[]): Promise<void> {
  const shown = `[...document.querySelectorAll("nav[aria-label=Channels] a")].map((a) => a.querySelector("span").textContent)`;
  return untilSo(page, `JSON.stringify(${shown}) === ${JSON.stringify(JSON.stringify(names))}`);
}
