// The page of notifications for somebody in many servers, and the titles of settings in German.
import { expect, test } from "bun:test";
import type { NotificationSettings } from "../../features/notifications/contract.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { type Home, inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("the page of notifications", (scene) => {
  test(
    "one server of many is found by name, and a level is set for all at once; what is muted stays muted",
    async () => {
      const alice = await scene.person("alice");
      const names = ["Bakery", "Café Süd", "Choir", "Dovecote", "Elms", "Ferry", "Granary"];
      const servers: Home[] = [];
      for (const name of names) servers.push(await alice.makeServer(name));
      const muted_until = "9999-12-31T23:59:59.999Z";
      await alice.put(`/servers/${servers[2]?.id}/notification-settings`, { level: "none", muted_until });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/notifications", alice);
      await page.getByText("a server tells you of mentions only").waitFor();
      const change = page.getByRole("button", { name: /^Change notifications of / });
      await eventually(() => change.count()).toBe(names.length);
      const search = page.getByRole("searchbox", { name: "Find a server" });
      await search.fill("sud");
      await eventually(() => change.count()).toBe(1);
      await page.getByRole("button", { name: "Change notifications of Café Süd" }).waitFor();
      await search.fill("Windmill");
      await page.getByText("No server of yours is called “Windmill”.").waitFor();
      await search.fill("");
      await expectNoBarriers(page);

      await page.getByRole("button", { name: "For all servers" }).click();
      const dialog = page.getByRole("dialog", { name: "Notifications of all servers" });
      await dialog.getByRole("radio", { name: "Every message" }).click();
      await dialog.getByRole("button", { name: "Set for all 7 servers" }).click();
      await dialog.waitFor({ state: "detached" });
      const { body } = await alice.get<NotificationSettings>("/notification-settings");
      expect(body.servers.map(({ level }) => level)).toEqual(names.map(() => "all" as const));
      expect(body.servers.find(({ server_id }) => server_id === servers[2]?.id)?.muted_until).toBe(
        muted_until,
      );
      await eventually(() => page.getByText("Every message", { exact: false }).count()).toBe(names.length);
      await watched.close();
    },
    journey,
  );

  test(
    "the dialog of a channel stays when the channel has the level of its server again",
    async () => {
      const { alice, general } = await scene.twoPeople();
      await alice.put(`/channels/${general.id}/notification-settings`, { level: "none", muted_until: null });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/notifications", alice);
      const change = page.getByRole("button", { name: "Change notifications of #general" });
      await change.click();
      const dialog = page.getByRole("dialog", { name: "Notifications of #general" });
      await dialog.getByRole("radio", { name: /^As the server/ }).click();
      await page.getByText("No channel differs from its server.").waitFor();
      await dialog.getByRole("button", { name: "For 1 hour" }).click();
      await dialog.getByRole("button", { name: "Unmute" }).waitFor();
      await dialog.getByRole("button", { name: "Done" }).click();
      await dialog.waitFor({ state: "detached" });
      await change.waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "no title of the settings is broken within a word, in German either",
    async () => {
      const bob = await scene.person("bob");
      const watched = await scene.watched({ ...withoutWorker, locale: "de-DE" });
      const page = await watched.page("/settings/notifications", bob);
      const titles = ["Benachrichtigungen", "Barrierefreiheit", "Erreichbarkeit"];
      const links = page.getByRole("navigation", { name: "Einstellungen" });
      for (const title of titles) {
        await links.getByRole("link", { name: title, exact: true }).click();
        const heading = page.getByRole("heading", { name: title, exact: true });
        await heading.waitFor();
        const lines = () =>
          page.evaluate<number>(`(() => {
            const range = document.createRange();
            range.selectNodeContents(document.querySelector("main h2"));
            return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
          })()`);
        await eventually(lines).toBe(1);
      }
      await watched.close();
    },
    journey,
  );
});
