// Settings and dialogs that are open while others change the same things: only what was touched is saved, and a page
// whose subject goes makes way.
import { expect, test } from "bun:test";
import type { Availability } from "../../features/availability/contract.ts";
import type { Role } from "../../features/roles/contract.ts";
import { permission } from "../../protocol/permissions.ts";
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
