// Private channels in the page: they are made so in one step, shown so in the list, and their overrides are changed.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import type { Override } from "../../protocol/overrides.ts";
import { permission } from "../../protocol/permissions.ts";
import type { TestPerson } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { furnished } from "./furnished-server.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_MESSAGES, MANAGE_CHANNELS } = permission;

async function overridesOf(person: TestPerson, channelId: string): Promise<Override[]> {
  return (await person.get<Override[]>(`/channels/${channelId}/overrides`)).body;
}

function closedTo(everyoneId: string): Override {
  return { id: everyoneId, kind: "role", allow: 0, deny: VIEW_CHANNEL };
}

/** The radio button of a permission. */
function choice(page: Page, right: string, name: "Allow" | "Neutral" | "Deny") {
  return page.getByRole("radiogroup", { name: right }).getByRole("radio", { name });
}

inChromium("private channels", (scene) => {
  test(
    "a private channel is made with its overrides, counts who will see it, and has a lock in the list",
    async () => {
      const { owner, member, server, helpers } = await furnished(scene, "Depot");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, owner);
      await page.getByRole("button", { name: "Server menu" }).click();
      await page.getByRole("menuitem", { name: "Create channel" }).click();
      const dialog = page.getByRole("dialog", { name: "Create channel" });
      await dialog.getByRole("textbox", { name: "Channel name" }).fill("Loan desk");
      await dialog.getByRole("combobox", { name: "Category" }).selectOption("New category…");
      await dialog.getByRole("textbox", { name: "Name of the category" }).fill("Counter");
      await dialog.getByRole("checkbox", { name: "Private channel" }).check();
      await dialog.getByText("1 person will see it").waitFor();
      const who = dialog.getByRole("listbox", { name: "Who can see it" });
      await who.getByRole("option", { name: /^Helpers/ }).click();
      await dialog.getByRole("combobox", { name: "Add a member" }).fill("ben");
      await dialog.getByRole("option", { name: /^ben/i }).last().click();
      await dialog.getByText("2 people will see it").waitFor();
      await expectNoBarriers(page);
      await dialog.getByRole("button", { name: "Create channel" }).click();
      await page.getByRole("textbox", { name: "Message #loan-desk" }).waitFor();
      const channels = page.getByRole("navigation", { name: "Channels" });
      await channels.getByRole("link", { name: "loan-desk private", exact: true }).waitFor();

      const listed = await owner.get<Channel[]>(`/channels?server_id=${server.id}`);
      const made = listed.body.find(({ name }) => name === "loan-desk");
      expect(made?.category).toBe("Counter");
      const wanted = [
        closedTo(server.everyone.id),
        { id: helpers.id, kind: "role", allow: VIEW_CHANNEL, deny: 0 },
        { id: member.id, kind: "member", allow: VIEW_CHANNEL, deny: 0 },
      ];
      expect(new Set(await overridesOf(owner, made?.id ?? ""))).toEqual(new Set(wanted as Override[]));
      await watched.close();
    },
    journey,
  );

  test(
    "a private channel that is unread says so behind its name, and mentions are counted there",
    async () => {
      const { owner, member, server } = await furnished(scene, "Cellar");
      const overrides = [
        closedTo(server.everyone.id),
        { id: member.id, kind: "member", allow: VIEW_CHANNEL | SEND_MESSAGES, deny: 0 },
      ];
      const { body: vault } = await owner.post<Channel>("/channels", {
        ...{ server_id: server.id, name: "vault", topic: "What nobody else reads", overrides },
      });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, member);
      const link = (name: string) => page.getByRole("link", { name, exact: true });
      await link("vault private").waitFor();
      await owner.say(vault.id, "Hello");
      await link("vault private unread").waitFor();
      await owner.say(vault.id, `@${member.username} look`);
      await link("vault private 1 mention").waitFor();
      await link("vault private 1 mention").click();
      await page.getByText("What nobody else reads").waitFor();

      // Losing sight takes the channel away, and nothing else.
      await owner.delete(`/channels/${vault.id}/overrides/${member.id}`);
      await page.getByRole("link", { name: /^vault/ }).waitFor({ state: "detached" });
      await watched.close();
    },
    journey,
  );

  test(
    "the overview changes name, topic and category",
    async () => {
      const { owner, server } = await furnished(scene, "Attic");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, owner);
      await page.getByRole("button", { name: "Channel menu" }).click();
      await page.getByRole("menuitem", { name: "Channel settings" }).click();
      await page.getByRole("textbox", { name: "Channel name" }).fill("hall");
      await page.getByRole("textbox", { name: "Topic" }).fill("For everybody");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });
      const { body } = await owner.get<Channel>(`/channels/${server.general.id}`);
      expect(body).toMatchObject({ name: "hall", topic: "For everybody" });
      await page.getByRole("link", { name: "Back to #hall" }).click();
      await page.getByText("For everybody").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "permissions are set for a role and a member, copied, and explained",
    async () => {
      const { owner, member, server, listeners } = await furnished(scene, "Yard");
      const { body: shed } = await owner.post<Channel>("/channels", { server_id: server.id, name: "shed" });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(
        `/servers/${server.id}/channels/${server.general.id}/settings/permissions`,
        owner,
      );
      const targets = page.getByRole("list", { name: "Roles and members" });
      await targets.getByRole("button", { name: /^@everyone/ }).waitFor();
      await choice(page, "Send messages", "Deny").check();
      const add = async (typed: string, name: RegExp) => {
        await page.getByRole("button", { name: "Add role or member" }).click();
        await page.getByRole("combobox", { name: "Role or member" }).fill(typed);
        await page.getByRole("option", { name }).click();
      };
      await add("Listen", /^Listeners/);
      await page.getByText("Neutral: denied by @everyone").waitFor();
      await choice(page, "Send messages", "Allow").check();
      await page.getByText("Here: allowed. @everyone is denied").waitFor();
      await add("ben", /^ben/i);
      await choice(page, "Manage messages", "Allow").check();
      await page.getByText("3 unsaved changes").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });
      const set: Override[] = [
        { id: server.everyone.id, kind: "role", allow: 0, deny: SEND_MESSAGES },
        { id: listeners.id, kind: "role", allow: SEND_MESSAGES, deny: 0 },
        { id: member.id, kind: "member", allow: MANAGE_MESSAGES, deny: 0 },
      ];
      expect(new Set(await overridesOf(owner, server.general.id))).toEqual(new Set(set));

      await targets.getByRole("button", { name: /^Why ben/i }).click();
      const why = page.getByRole("dialog", { name: /^What ben can do here$/i });
      await why.getByRole("listitem").filter({ hasText: "So, here" }).getByText("Manage messages").waitFor();
      await expectNoBarriers(page);
      await page.keyboard.press("Escape");

      await page.goto(`${scene.pageUrl}/servers/${server.id}/channels/${shed.id}/settings/permissions`);
      await page.getByRole("button", { name: "Copy from another channel" }).click();
      const dialog = page.getByRole("dialog", { name: "Copy from another channel" });
      await dialog.getByRole("combobox", { name: "Channel" }).selectOption({ label: "# general" });
      await dialog.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("button", { name: "Save changes" }).click();
      await eventually(async () => (await overridesOf(owner, shed.id)).length).toBe(3);
      await watched.close();
    },
    journey,
  );

  test(
    "a moderator copies what they may change themselves, and nothing else",
    async () => {
      const { owner, moderator, server, operators, helpers } = await furnished(scene, "Court");
      const { general } = server;
      await owner.patch(`/servers/${server.id}/roles/${operators.id}`, {
        permissions: operators.permissions | MANAGE_CHANNELS,
      });
      const { body: shed } = await owner.post<Channel>("/channels", { server_id: server.id, name: "shed" });
      const copied = { kind: "role", allow: 0, deny: SEND_MESSAGES | MANAGE_MESSAGES };
      for (const { id } of [helpers, operators])
        await owner.put(`/channels/${general.id}/overrides/${id}`, copied);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(
        `/servers/${server.id}/channels/${shed.id}/settings/permissions`,
        moderator,
      );
      await page.getByRole("button", { name: "Copy from another channel" }).click();
      const dialog = page.getByRole("dialog", { name: "Copy from another channel" });
      await dialog.getByRole("combobox", { name: "Channel" }).selectOption({ label: "# general" });
      await dialog.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });
      expect(await overridesOf(owner, shed.id)).toEqual([
        { id: helpers.id, kind: "role", allow: 0, deny: SEND_MESSAGES },
      ]);
      await watched.close();
    },
    journey,
  );

  test(
    "a channel is looked at as a role has it, without sending anything",
    async () => {
      const { owner, server, helpers } = await furnished(scene, "Lane");
      const { general } = server;
      const path = `/servers/${server.id}/channels/${general.id}`;
      await owner.say(general.id, "Hello");
      await owner.put(`/channels/${general.id}/overrides/${helpers.id}`, {
        ...{ kind: "role", allow: 0, deny: SEND_MESSAGES },
      });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`${path}/settings/permissions`, owner);
      await page.getByRole("button", { name: "View as role" }).click();
      const role = page.getByRole("combobox", { name: "Role" });
      await role.selectOption("Helpers");
      await page.getByRole("status", { name: "You see this channel as Helpers" }).waitFor();
      await page.getByText("Helpers can read #general but not write here.").waitFor();
      await role.selectOption("Listeners");
      await page.getByText("Listeners can write here.").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByRole("textbox", { name: "Message #general" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "what one does not hold is not offered, and locking oneself out is said before it is asked",
    async () => {
      const { owner, moderator, server, operators } = await furnished(scene, "Gate");
      await owner.patch(`/servers/${server.id}/roles/${operators.id}`, {
        permissions: operators.permissions | permission.MANAGE_CHANNELS,
      });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(
        `/servers/${server.id}/channels/${server.general.id}/settings/permissions`,
        moderator,
      );
      const messages = page.getByRole("radiogroup", { name: "Manage messages" });
      await messages.waitFor();
      expect(await messages.getAttribute("aria-disabled")).toBe("true");
      await page.getByText("You can set only what you may do here yourself.").first().waitFor();
      await choice(page, "See channels", "Deny").check();
      await page.getByRole("alert").getByText("You would lose the channel yourself.").waitFor();
      await page.getByRole("button", { name: "Save changes" }).click();
      await eventually(() => page.getByText("You would lose the channel yourself.").count()).toBe(2);
      expect(await overridesOf(owner, server.general.id)).toEqual([]);
      await watched.close();
    },
    journey,
  );
});
