// Things that are made while their list is still on its way, and come with it, too.
import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import type { Bot } from "../../features/bots/contract.ts";
import { later } from "./held.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("what is made while its list is fetched", (scene) => {
  /** Holds the next request for a list. */
  async function heldList(page: Page, address: string): Promise<Route> {
    const asked = Promise.withResolvers<Route>();
    let isHeld = false;
    await page.route(address, (route) => {
      if (isHeld || route.request().method() !== "GET") return route.fallback();
      isHeld = true;
      asked.resolve(route);
    });
    return asked.promise;
  }

  test(
    "a webhook is listed once",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/profile", alice);
      const address = `**/channels/${general.id}/webhooks`;
      const asked = heldList(page, address);
      await page.goto(`/servers/${server.id}/channels/${general.id}/settings/webhooks`);
      const route = await asked;
      await page.getByRole("button", { name: "New webhook" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Builds");
      await page.getByRole("button", { name: "Create webhook" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await route.continue();
      const made = page.getByRole("button", { name: "Delete Builds" });
      await made.first().waitFor();
      await page.evaluate(later);
      expect(await made.count()).toBe(1);
      await watched.close();
    },
    journey,
  );

  test(
    "a bot's command is listed once",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const { body: bot } = await alice.post<Bot>("/bots", { name: "Porter" });
      await alice.post(`/bots/${bot.id}/servers`, { server_id: server.id });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/settings/bots`, alice);
      const asked = heldList(page, `**/servers/${server.id}/commands`);
      await page.getByText("Commands", { exact: true }).click();
      const route = await asked;
      await page.getByRole("button", { name: "New command" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("soup");
      await page.getByRole("textbox", { name: "What it does" }).fill("Asks for soup");
      await page.getByRole("button", { name: "Offer command" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await route.continue();
      const made = page.getByRole("button", { name: "Withdraw /soup" });
      await made.first().waitFor();
      await page.evaluate(later);
      expect(await made.count()).toBe(1);
      await watched.close();
    },
    journey,
  );
});
