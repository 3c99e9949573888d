// Ctrl+Z undoes only the newest deletion; and a mention of a role counts for its members.
import { expect, test } from "bun:test";
import { eventually } from "./eventually.ts";
import { linesStay } from "./postponed.ts";
import { chooseAction, inChromium, journey, rowOf } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("taking back", (scene) => {
  test(
    "Ctrl+Z brings back the message that was deleted last, never one before it, and does nothing for another line",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const [first, second, third] = [
        await alice.say(general.id, "first"),
        await alice.say(general.id, "second"),
        await alice.say(general.id, "third"),
      ];
      // The line at the lower edge covers the last rows.
      for (let i = 4; i <= 9; i++) await alice.say(general.id, `message ${i}`);
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 403/);
      await watched.context.addInitScript(linesStay);
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      const statusOf = async ({ id }: { id: string }) => (await alice.get(`/messages/${id}`)).status;
      for (const message of [first, second]) {
        await chooseAction(rowOf(page, message), "Delete");
        await rowOf(page, message).waitFor({ state: "detached" });
      }
      await eventually(() => statusOf(first)).toBe(404);
      await page.keyboard.press("Control+z");
      await rowOf(page, second).waitFor();
      await page.keyboard.press("Control+z");
      expect(await rowOf(page, first).count()).toBe(0);
      expect(await statusOf(second)).toBe(200);

      // A line about an error replaces the one that undoes.
      await page.route(/\/reactions/, (route) => route.fulfill({ status: 403, json: { error: "No." } }));
      await chooseAction(rowOf(page, third), "Delete");
      await page.getByRole("button", { name: "Undo" }).waitFor();
      await rowOf(page, second).hover();
      await rowOf(page, second)
        .getByRole("toolbar", { name: "Message actions" })
        .getByRole("button", { name: /^React with/ })
        .first()
        .click();
      await page.getByText(/^The reaction is as it was\. /).waitFor();
      await page.keyboard.press("Control+z");
      await eventually(() => statusOf(third)).toBe(404);
      await eventually(() => rowOf(page, third).count()).toBe(0);
      await page.getByText(/^The reaction is as it was\. /).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a role that is called counts in the list, on the server, and on the rail of those who hold it, and of nobody else",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const role = await alice.giveRole(server.id, bob, 0, 20);
      await alice.patch(`/servers/${server.id}/roles/${role.id}`, { name: "cooks" });
      const recipes = (
        await alice.post<{ id: string }>("/channels", { server_id: server.id, name: "recipes" })
      ).body;
      const { watched, page } = await scene.open(bob, server);
      await alice.say(recipes.id, "Where are the @cooks?");
      const channels = page.getByRole("navigation", { name: "Channels" });
      await channels.getByRole("link", { name: /^recipes,? 1 mention/ }).waitFor();
      await page
        .getByRole("navigation", { name: "Servers" })
        .getByRole("link", { name: /1 mention/ })
        .waitFor();
      await channels.getByRole("link", { name: /^recipes/ }).click();
      await page.locator("[role=slider] i[class*=mention]").waitFor({ state: "attached" });
      await watched.close();

      const hers = await scene.open(alice, server);
      await alice.say(general.id, "Nobody calls Alice.");
      expect(
        await hers.page
          .getByRole("navigation", { name: "Channels" })
          .getByRole("link", { name: /mention/ })
          .count(),
      ).toBe(0);
      await hers.watched.close();
    },
    journey,
  );
});
