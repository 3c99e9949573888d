// The menus of categories and members, a new category in a channel's settings, and a voice room as a role has it.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import type { NotificationSettings } from "../../features/notifications/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import type { TestPerson } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { furnished } from "./furnished-server.ts";
import { held } from "./held.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

async function categoriesOf(person: TestPerson, serverId: string): Promise<(string | null)[]> {
  const { body } = await person.get<Channel[]>(`/channels?server_id=${serverId}`);
  const inOrder = body.toSorted((one, other) => one.position - other.position);
  return [...new Set(inOrder.map(({ category }) => category))];
}

async function makeChannels(owner: TestPerson, serverId: string, ...channels: Partial<Channel>[]) {
  const made: Channel[] = [];
  for (const channel of channels)
    made.push((await owner.post<Channel>("/channels", { server_id: serverId, ...channel })).body);
  return made;
}

/** Opens the menu of a category in the list. */
async function openCategory(page: Page, name: string): Promise<void> {
  const channels = page.getByRole("navigation", { name: "Channels" });
  await channels.getByRole("button", { name, exact: true }).click({ button: "right" });
  await page.getByRole("menu", { name: `Menu of ${name}` }).waitFor();
}

inChromium("menus of channels", (scene) => {
  test(
    "a category is renamed, moved and given a channel by its menu; all of them are collapsed",
    async () => {
      const { owner, member, server } = await furnished(scene, "Granary");
      await makeChannels(
        owner,
        server.id,
        { name: "wheat", category: "Grain", position: 1 },
        { name: "barley", category: "Grain", position: 2 },
        { name: "sacks", category: "Tools", position: 3 },
      );
      const watched = await scene.watched(withoutWorker);
      const path = `/servers/${server.id}/channels/${server.general.id}`;
      const page = await watched.page(path, owner);
      const choose = (name: string) => page.getByRole("menuitem", { name, exact: true }).click();
      await openCategory(page, "Grain");
      expect(await page.getByRole("menuitem").allTextContents()).toEqual([
        "Mark as read",
        "Mute",
        "Create channel",
        "Rename category",
        "Move down",
        "Collapse all",
      ]);
      await expectNoBarriers(page);
      await choose("Rename category");
      const renaming = page.getByRole("dialog", { name: "Rename Grain" });
      await renaming.getByRole("textbox", { name: "Name of the category" }).fill("Harvest");
      await renaming.getByRole("button", { name: "Rename category" }).click();
      await renaming.waitFor({ state: "detached" });
      expect(await categoriesOf(owner, server.id)).toEqual([null, "Harvest", "Tools"]);

      await openCategory(page, "Harvest");
      await choose("Move down");
      await eventually(() => categoriesOf(owner, server.id)).toEqual([null, "Tools", "Harvest"]);
      await openCategory(page, "Tools");
      await choose("Create channel");
      const creating = page.getByRole("dialog", { name: "Create channel" });
      const category = creating.getByRole("combobox", { name: "Category" });
      expect(await category.locator("option:checked").textContent()).toBe("Tools");
      await creating.getByRole("button", { name: "Cancel" }).click();

      await openCategory(page, "Tools");
      await choose("Collapse all");
      await page.getByRole("link", { name: "wheat", exact: true }).waitFor({ state: "detached" });
      expect(await page.getByRole("link", { name: "sacks", exact: true }).count()).toBe(0);
      await watched.close();

      const others = await scene.watched(withoutWorker);
      const seen = await others.page(path, member);
      await openCategory(seen, "Harvest");
      expect(await seen.getByRole("menuitem").allTextContents()).toEqual([
        "Mark as read",
        "Mute",
        "Collapse all",
      ]);
      await others.close();
    },
    journey,
  );

  test(
    "a level that is chosen elsewhere while a category is being muted stays",
    async () => {
      const { owner, member, server } = await furnished(scene, "Windmill");
      const [, barley] = await makeChannels(
        owner,
        server.id,
        { name: "wheat", category: "Grain", position: 1 },
        { name: "barley", category: "Grain", position: 2 },
      );
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, member);
      await page.getByRole("link", { name: "barley" }).waitFor();
      const muting = await held(page, "**/channels/*/notification-settings");
      await openCategory(page, "Grain");
      await page.getByRole("menuitem", { name: "Mute", exact: true }).press("ArrowRight");
      await page.getByRole("menuitem", { name: "1 hour", exact: true }).click();
      await muting.asked;
      const path = `/channels/${barley?.id}/notification-settings`;
      const muted_until = "2199-12-31T00:00:00.000Z";
      await member.put(path, { level: "all", muted_until });
      await page.getByRole("link", { name: "barley muted" }).waitFor();
      await member.put(path, { level: "all", muted_until: null });
      await page.getByRole("link", { name: "barley", exact: true }).waitFor();
      await muting.answer();
      await page.getByRole("link", { name: "barley muted" }).waitFor();
      const { body } = await member.get<NotificationSettings>("/notification-settings");
      expect(body.channels.find(({ channel_id }) => channel_id === barley?.id)?.level).toBe("all");
      await watched.close();
    },
    journey,
  );

  test(
    "all channels of a category are marked as read, and muted, by its menu; others stay as they were",
    async () => {
      const { owner, member, server } = await furnished(scene, "Mill");
      const made = await makeChannels(
        owner,
        server.id,
        { name: "wheat", category: "Grain", position: 1 },
        { name: "barley", category: "Grain", position: 2 },
        { name: "sacks", category: "Tools", position: 3 },
      );
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, member);
      const link = (name: string) => page.getByRole("link", { name, exact: true });
      const item = (name: string) => page.getByRole("menuitem", { name, exact: true });
      await link("sacks").waitFor();
      for (const { id } of made) await owner.say(id, "Fresh from the field");
      for (const { name } of made) await link(`${name} unread`).waitFor();

      await openCategory(page, "Grain");
      await expectNoBarriers(page, [1280]);
      // The marks go with the press, and come back when it is refused.
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      await page.route(
        "**/api/v1/channels/*/read",
        async (route) => {
          await held;
          await route.fulfill({ status: 403, json: { error: "Not now.", code: "forbidden" } });
        },
        { times: 2 },
      );
      watched.allow(/status of 403/);
      await item("Mark as read").click();
      await link("wheat").waitFor();
      await link("barley").waitFor();
      release();
      await link("wheat unread").waitFor();
      await link("barley unread").waitFor();
      await openCategory(page, "Grain");
      await item("Mark as read").click();
      await link("wheat").waitFor();
      await link("barley").waitFor();
      await link("sacks unread").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await link("wheat unread").waitFor();
      await link("barley unread").waitFor();
      await openCategory(page, "Grain");
      await item("Mark as read").click();
      await link("barley").waitFor();
      await openCategory(page, "Grain");
      await eventually(() => item("Mark as read").getAttribute("aria-disabled")).toBe("true");

      await item("Mute").press("ArrowRight");
      await item("1 hour").click();
      await link("wheat muted").waitFor();
      await link("barley muted").waitFor();
      expect(await link("sacks muted").count()).toBe(0);
      await openCategory(page, "Grain");
      await page.getByRole("menuitem", { name: /^Unmute/ }).click();
      await link("wheat").waitFor();
      await link("barley").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "what a member can do here is told from their menu and their card, to them and to who manages the server",
    async () => {
      const { owner, member, server } = await furnished(scene, "Bakery");
      const path = `/servers/${server.id}/channels/${server.general.id}`;
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(path, owner);
      const row = (on: Page, name: RegExp) =>
        on.getByRole("complementary", { name: "Members" }).getByRole("button", { name });
      await row(page, /^ben/).click({ button: "right" });
      await page.getByRole("menu", { name: "Menu of ben" }).waitFor();
      await expectNoBarriers(page, [1280]);
      await page.getByRole("menuitem", { name: "What ben can do here" }).click();
      const why = page.getByRole("dialog", { name: "What ben can do here" });
      await why.getByRole("listitem").filter({ hasText: "So, here" }).getByText("Send messages").waitFor();
      await page.keyboard.press("Escape");
      await why.waitFor({ state: "detached" });
      await row(page, /^ben/).press("Shift+F10");
      await page.getByRole("menuitem", { name: "Profile" }).click();
      const card = page.getByRole("dialog", { name: "Profile of ben" });
      await card.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "What ben can do here" }).click();
      await why.getByRole("list").waitFor();
      await watched.close();

      const others = await scene.watched(withoutWorker);
      const his = await others.page(path, member);
      await row(his, /^olga/).click({ button: "right" });
      await his.getByRole("menuitem", { name: "Profile" }).waitFor();
      expect(await his.getByRole("menuitem").allTextContents()).toEqual(["Profile", "Message", "Block"]);
      await his.keyboard.press("Escape");
      await row(his, /^ben/).click();
      const own = his.getByRole("dialog", { name: "Profile of ben" });
      await own.getByRole("button", { name: "More", exact: true }).click();
      await his.getByRole("menuitem", { name: "What ben can do here" }).waitFor();
      expect(await his.getByRole("menuitem").allTextContents()).toEqual(["What ben can do here"]);
      await others.close();
    },
    journey,
  );

  test(
    "a name in messages and a mention have the menu of that person, and the message beside them keeps its own",
    async () => {
      const { owner, member, server } = await furnished(scene, "Orchard");
      const content = `hello @${owner.username}, the pears are ripe`;
      await member.post(`/channels/${server.general.id}/messages`, { content });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, owner);
      const message = page.getByRole("article").filter({ hasText: "the pears are ripe" });
      const menuOf = (name: string) => page.getByRole("menu", { name: `Menu of ${name}` });

      const author = message.getByRole("button", { name: "ben", exact: true });
      await author.click({ button: "right" });
      await menuOf("ben").waitFor();
      expect(await page.getByRole("menuitem").allTextContents()).toEqual([
        "Profile",
        "Message",
        "Roles",
        "What ben can do here",
        "Block",
        "Kick",
        "Ban",
      ]);
      await page.getByRole("menuitem", { name: "Profile" }).click();
      await page.getByRole("dialog", { name: "Profile of ben" }).waitFor();
      await page.keyboard.press("Escape");

      await message.getByRole("button", { name: "@olga" }).click({ button: "right" });
      await menuOf("olga").waitFor();
      await page.keyboard.press("Escape");
      await menuOf("olga").waitFor({ state: "detached" });
      await message.getByText("the pears are ripe").click({ button: "right" });
      await page.getByRole("menuitem", { name: /^Copy text/ }).waitFor();
      expect(await menuOf("ben").count()).toBe(0);
      await page.keyboard.press("Escape");

      await author.press("Shift+F10");
      await menuOf("ben").waitFor();
      await page.getByRole("menuitem", { name: "Message", exact: true }).click();
      await page.waitForURL("**/direct/*");
      await page.getByRole("textbox", { name: "Message ben" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a channel moves into a new category from its settings, and its sign is no part of its name",
    async () => {
      const { owner, server } = await furnished(scene, "Loft");
      const watched = await scene.watched(withoutWorker);
      const address = `/servers/${server.id}/channels/${server.general.id}/settings/overview`;
      const page = await watched.page(address, owner);
      const name = page.getByRole("textbox", { name: "Channel name", exact: true });
      expect(await name.inputValue()).toBe("general");
      await page.getByRole("combobox", { name: "Category" }).selectOption("New category…");
      await page.getByRole("textbox", { name: "Name of the category" }).fill("Upstairs");
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });
      expect(await categoriesOf(owner, server.id)).toEqual(["Upstairs"]);
      await page.getByRole("link", { name: "Back to #general" }).click();
      const channels = page.getByRole("navigation", { name: "Channels" });
      await channels.getByRole("button", { name: "Upstairs", exact: true }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a channel that is looked at as a role offers that role's actions on a message, and sends nothing",
    async () => {
      const { owner, server } = await furnished(scene, "Weir");
      const said = await owner.say(server.general.id, "Hello");
      const watched = await scene.watched(withoutWorker);
      const address = `/servers/${server.id}/channels/${server.general.id}/settings/permissions`;
      const page = await watched.page(address, owner);
      await page.getByRole("button", { name: "View as role" }).click();
      await page.getByRole("combobox", { name: "Role" }).selectOption("Listeners");
      await page.getByRole("status", { name: "You see this channel as Listeners" }).waitFor();
      const row = page.getByRole("article").filter({ hasText: "Hello" });
      await row.hover();
      const actions = page.getByRole("toolbar", { name: "Message actions" });
      await actions.getByRole("button", { name: "Reply" }).waitFor();
      expect(await actions.getByRole("button", { name: "Edit" }).count()).toBe(0);
      await actions.getByRole("button", { name: /👍/ }).click();
      await page.getByRole("combobox", { name: "Role" }).selectOption("Helpers");
      await row.hover();
      await actions.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Delete", exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await row.press("Shift+Delete");
      await page.getByRole("button", { name: "Stop" }).click();
      await row.hover();
      await actions.getByRole("button", { name: "Edit" }).waitFor();
      const { body } = await owner.get<Message>(`/messages/${said.id}`);
      expect(body).toMatchObject({ content: "Hello", reactions: [] });
      await watched.close();
    },
    journey,
  );

  test(
    "a voice room is looked at as a role, which may join or not",
    async () => {
      const { owner, server, helpers } = await furnished(scene, "Mill");
      const [room] = await makeChannels(owner, server.id, { name: "Wheel", type: "voice" });
      const path = `/servers/${server.id}/channels/${room?.id}`;
      await owner.put(`/channels/${room?.id}/overrides/${helpers.id}`, {
        ...{ kind: "role", allow: 0, deny: permission.CONNECT_VOICE },
      });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`${path}/settings/permissions`, owner);
      await page.getByText("These apply only in Wheel.").waitFor();
      await page.getByRole("button", { name: "View as role" }).click();
      const role = page.getByRole("combobox", { name: "Role" });
      await role.selectOption("Helpers");
      await page.getByRole("status", { name: "You see this channel as Helpers" }).waitFor();
      await page.getByText("Helpers can see Wheel but not join it.").waitFor();
      await role.selectOption("Listeners");
      await page.getByText("Listeners can join, speak and share a screen here.").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Stop" }).click();
      await role.waitFor({ state: "detached" });
      await page.getByRole("main", { name: "Wheel" }).waitFor();
      await watched.close();
    },
    journey,
  );
});
