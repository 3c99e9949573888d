// Settings and dialogs that are open while others change the same things: only what was touched is saved, and a page
// whose subject goes makes way.
import { expect, test } from "bun:test";
import type { Availability } from "../../features/availability/contract.ts";
import type { Invite } from "../../features/invites/contract.ts";
import type { Role } from "../../features/roles/contract.ts";
import type { Override } from "../../protocol/overrides.ts";
import { permission } from "../../protocol/permissions.ts";
import { cutAnew } from "./cut-anew.ts";
import { eventually } from "./eventually.ts";
import { furnished, rolesOf } from "./furnished-server.ts";
import { inChromium, journey } from "./scene.ts";
import { countsSounds, untilItSounds } from "./sounding.ts";
import { withoutWorker } from "./watched.ts";

inChromium("what others change meanwhile", (scene) => {
  test(
    "a channel that is deleted while its settings have unsaved changes makes way for another one",
    async () => {
      const { owner, server } = await furnished(scene, "Slope");
      const asked = { server_id: server.id, name: "garden", type: "text" };
      const { body: garden } = await owner.post<{ id: string }>("/channels", asked);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${garden.id}/settings/overview`, owner);
      await page.getByRole("textbox", { name: "Topic" }).fill("Beans");
      await page.getByRole("button", { name: "Save changes" }).waitFor();
      await owner.delete(`/channels/${garden.id}`);
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.getByRole("button", { name: "Server menu" }).click();
      await page.getByRole("menuitem", { name: "Server settings" }).click();
      await page.getByRole("navigation", { name: "Server settings" }).waitFor();
      expect(await page.getByRole("dialog").count()).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "a member's roles and a role's permissions that others change stay as they made them, but for the switched ones",
    async () => {
      const { owner, moderator, server, operators, helpers, listeners } = await furnished(scene, "Levee");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/settings/members`, owner);
      const marta = page
        .getByRole("list", { name: "Members" })
        .getByRole("listitem")
        .filter({ hasText: "marta" });
      await marta.getByRole("button").last().click();
      await page.getByRole("menuitem", { name: "Roles" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("switch", { name: "Helpers" }).click();
      const path = `/servers/${server.id}/members/${moderator.id}/roles`;
      await owner.put(path, { role_ids: [listeners.id] });
      await dialog.getByRole("switch", { name: "Operators", checked: false }).waitFor();
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      const held = async () => (await moderator.get<Role[]>(path)).body.map(({ id }) => id).sort();
      expect(await held()).toEqual([helpers.id, listeners.id].sort());

      await page.goto(`/servers/${server.id}/settings/roles`);
      await page
        .getByRole("grid", { name: "Roles" })
        .getByRole("row")
        .filter({ hasText: "Operators" })
        .click();
      await page.getByRole("switch", { name: "Manage channels" }).click();
      await page.getByText("1 unsaved change").waitFor();
      await owner.patch(`/servers/${server.id}/roles/${operators.id}`, {
        permissions: permission.BAN_MEMBERS,
      });
      await page.getByRole("switch", { name: "Kick members", checked: false }).waitFor();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });
      const now = (await rolesOf(owner, server.id)).find(({ id }) => id === operators.id);
      expect(now?.permissions).toBe(permission.BAN_MEMBERS | permission.MANAGE_CHANNELS);
      await watched.close();
    },
    journey,
  );

  test(
    "hours that were changed on another device stay when something else about them is saved here",
    async () => {
      const { alice } = await scene.twoPeople();
      const windows = [{ day: 1, start: "09:00", end: "17:00" }];
      const first = await alice.put<Availability>("/auth/me/availability", {
        ...{ time_zone: "UTC", windows, dnd_outside: false },
      });
      expect(first.status).toBe(200);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/availability", alice);
      await page.getByRole("switch").first().click();
      await alice.put("/auth/me/availability", {
        time_zone: "Asia/Tokyo",
        windows: first.body.windows,
        dnd_outside: false,
      });
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });
      const { body } = await alice.get<Availability>("/auth/me/availability");
      expect(body).toMatchObject({ time_zone: "Asia/Tokyo", dnd_outside: true });
      await watched.close();
    },
    journey,
  );

  test(
    "a name that is still being looked for is nobody found for fewer letters",
    async () => {
      const { owner, server, helpers } = await furnished(scene, "Fosse");
      const barbara = await scene.person("barbara");
      await owner.bringIn(server.id, barbara);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/settings/roles`, owner);
      await page.getByRole("grid", { name: "Roles" }).getByRole("row").filter({ hasText: "Helpers" }).click();
      const add = page.getByRole("combobox", { name: "Add a member" });
      await add.fill("b");
      await page.getByRole("option", { name: /ben/ }).waitFor();
      const held = Promise.withResolvers<void>();
      await watched.context.route(/\/members\?q=/, async (route) => {
        await held.promise;
        await route.continue();
      });
      await add.press("End");
      await page.keyboard.type("ar");
      await page.keyboard.press("Enter");
      const people = page.getByRole("list", { name: `People with ${helpers.name}` }).getByRole("listitem");
      await people.filter({ hasText: "barbara" }).waitFor();
      held.resolve();
      expect(await people.count()).toBe(1);
      await watched.close();
    },
    journey,
  );

  test(
    "a value that somebody sets back to what it was before a change here is shown",
    async () => {
      const { owner, server } = await furnished(scene, "Quay");
      const { id } = server.general;
      await owner.patch(`/channels/${id}`, { topic: "Peas" });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${id}/settings/overview`, owner);
      const topic = page.getByRole("textbox", { name: "Topic" });
      await topic.fill("Beans");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });
      await owner.patch(`/channels/${id}`, { topic: "Peas" });
      await eventually(() => topic.inputValue()).toBe("Peas");
      expect(await page.getByRole("button", { name: "Save changes" }).count()).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "unsaved rights of a role stay when its only override is cleared, and go with the role",
    async () => {
      const { owner, server, helpers, listeners } = await furnished(scene, "Lock");
      const at = `/channels/${server.general.id}/overrides`;
      for (const { id } of [helpers, listeners])
        await owner.put(`${at}/${id}`, { kind: "role", allow: permission.MANAGE_MESSAGES, deny: 0 });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(
        `/servers/${server.id}/channels/${server.general.id}/settings/permissions`,
        owner,
      );
      const targets = page.getByRole("list", { name: "Roles and members" });
      const chosen = targets.locator("[aria-current=true]");
      const choice = (right: string, name: string) =>
        page.getByRole("radiogroup", { name: right }).getByRole("radio", { name });
      const save = page.getByRole("button", { name: "Save changes" });
      await targets.getByRole("button", { name: /^Helpers/ }).click();
      await choice("Send messages", "Deny").check();
      await owner.delete(`${at}/${helpers.id}`);
      await eventually(() => choice("Manage messages", "Neutral").isChecked()).toBe(true);
      await chosen.getByText("Helpers").waitFor();
      await save.click();
      await save.waitFor({ state: "detached" });
      const set = async () => (await owner.get<Override[]>(at)).body.find(({ id }) => id === helpers.id);
      expect(await set()).toMatchObject({ allow: 0, deny: permission.SEND_MESSAGES });

      // The last right that is taken back by hand leaves the role where it is, too.
      await choice("Send messages", "Neutral").check();
      await save.click();
      await save.waitFor({ state: "detached" });
      await eventually(set).toBe(undefined);
      await chosen.getByText("Helpers").waitFor();

      await choice("Send messages", "Deny").check();
      await save.waitFor();
      await owner.delete(`/servers/${server.id}/roles/${helpers.id}`);
      await save.waitFor({ state: "detached" });
      expect(await targets.getByRole("button").allTextContents()).toEqual([
        expect.stringContaining("@everyone"),
        expect.stringContaining("Listeners"),
      ]);
      await watched.close();
    },
    journey,
  );

  test(
    "the option that is marked in a field stays the same when one above it goes",
    async () => {
      const { owner, server, operators } = await furnished(scene, "Weir");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(
        `/servers/${server.id}/channels/${server.general.id}/settings/permissions`,
        owner,
      );
      await page.getByRole("button", { name: "Add role or member" }).click();
      const first = page.getByRole("option", { name: "Operators" });
      await first.and(page.locator("[aria-selected=true]")).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.getByRole("option", { name: "Helpers", selected: true }).waitFor();
      await owner.delete(`/servers/${server.id}/roles/${operators.id}`);
      await first.waitFor({ state: "detached" });
      await page.keyboard.press("Enter");
      await page
        .getByRole("list", { name: "Roles and members" })
        .getByRole("button", { name: /^Helpers/ })
        .waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "the role that is open first stays open when others change the order",
    async () => {
      const { owner, server, helpers } = await furnished(scene, "Sluice");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/settings/roles`, owner);
      const name = page.getByRole("textbox", { name: "Name" });
      await eventually(() => name.inputValue()).toBe("Operators");
      await owner.patch(`/servers/${server.id}/roles/${helpers.id}`, { position: 40 });
      const rows = page.getByRole("grid", { name: "Roles" }).getByRole("row");
      await rows.first().getByText("Helpers").waitFor();
      expect(await name.inputValue()).toBe("Operators");
      await watched.close();
    },
    journey,
  );

  test(
    "what was deleted elsewhere goes from the list when it is deleted here, too",
    async () => {
      const { owner, server } = await furnished(scene, "Ford");
      const { body: webhook } = await owner.post<{ id: string }>(`/channels/${server.general.id}/webhooks`, {
        name: "Bakery",
      });
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 404/);
      const page = await watched.page(
        `/servers/${server.id}/channels/${server.general.id}/settings/webhooks`,
        owner,
      );
      const remove = page.getByRole("button", { name: "Delete Bakery" });
      await remove.waitFor();
      await owner.delete(`/webhooks/${webhook.id}`);
      await remove.click();
      await page.getByRole("button", { name: "Delete webhook" }).click();
      await page.getByText("This channel has no webhooks.").waitFor();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await watched.close();
    },
    journey,
  );

  test(
    "a further page of a list that was loaded anew meanwhile leaves no gap in it",
    async () => {
      const { owner, server } = await furnished(scene, "Mole");
      for (let i = 0; i < 4; i++) await owner.post("/invites", { server_id: server.id });
      const path = `/servers/${server.id}/invites`;
      const codes = (await owner.get<Invite[]>(path)).body.map(({ code }) => code);
      const watched = await scene.watched(withoutWorker);
      watched.allow(/WebSocket/);
      const cut = await cutAnew(watched);
      const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let isHeld = false;
      // Two on each page.
      await watched.context.route(/\/invites\?limit=/, async (route) => {
        const url = route.request().url().replace("limit=50", "limit=2");
        if (isHeld && url.includes("before=")) {
          asked.resolve();
          await held.promise;
        }
        await route.continue({ url });
      });
      const page = await watched.page(`/servers/${server.id}/settings/invites`, owner);
      const shown = () => page.getByRole("listitem").locator("code").allTextContents();
      const more = page.getByRole("button", { name: "Show more", exact: true });
      await more.click();
      await eventually(shown).toEqual(codes.slice(0, 4));
      isHeld = true;
      await more.click();
      await asked.promise;
      cut();
      await eventually(shown).toEqual(codes.slice(0, 2));
      held.resolve();
      await eventually(() => more.getAttribute("aria-busy")).toBe(null);
      expect(await shown()).toEqual(codes.slice(0, 2));
      await more.click();
      await eventually(shown).toEqual(codes.slice(0, 4));
      await watched.close();
    },
    journey,
  );

  test(
    "a role to look as is forgotten where the page is not left for it",
    async () => {
      const { owner, server } = await furnished(scene, "Dyke");
      const watched = await scene.watched(withoutWorker);
      const at = `/servers/${server.id}/channels/${server.general.id}`;
      const page = await watched.page(`${at}/settings/permissions`, owner);
      await page
        .getByRole("radiogroup", { name: "Manage messages" })
        .getByRole("radio", { name: "Deny" })
        .check();
      await page.getByRole("button", { name: "View as role" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
      await page.getByRole("button", { name: "Discard" }).click();
      await page.getByRole("link", { name: "Back to #general" }).click();
      await page.getByRole("textbox", { name: "Message #general" }).waitFor();
      expect(await page.getByText("You see this channel as").count()).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "sounds that the browser does not play yet are not played all at once later",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const watched = await scene.watched(withoutWorker);
      await watched.context.addInitScript(countsSounds);
      await watched.context.addInitScript(`{
        const Running = AudioContext;
        const { promise, resolve } = Promise.withResolvers();
        const at = performance.now.bind(performance);
        let later = 0;
        performance.now = () => at() + later;
        window.asked = 0;
        window.letSound = (ms) => { later = ms; resolve(); };
        window.AudioContext = class extends Running {
          state = "suspended";
          async resume() { window.asked++; await promise; this.state = "running"; }
        };
      }`);
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      await untilItSounds(page);
      await bob.say(general.id, `<@${alice.id}> Soup?`);
      await eventually(() => page.evaluate("asked")).toBe(1);
      await page.evaluate("letSound(5000)");
      await page.evaluate("new Promise((done) => setTimeout(done))");
      expect(await page.evaluate("heard")).toBe(0);
      await watched.close();
    },
    journey,
  );
});
