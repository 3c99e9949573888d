// Completing what is typed while its list is on its way: what is marked stays so, and only the code is replaced.
import { test } from "bun:test";
import { boxOf, holds } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, untilPart } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("completing what is typed", (scene) => {
  test(
    "the person who was chosen stays marked when the server finds one who comes before",
    async () => {
      const { alice, bob, server } = await scene.twoPeople();
      const barbara = await scene.person("barbara");
      await alice.bringIn(server.id, barbara);
      const answered = Promise.withResolvers<void>();
      const watched = await scene.watched(withoutWorker);
      await watched.context.route(/\/members\?q=/, async (route) => {
        const answer = await route.fetch();
        const [first] = await answer.json();
        const user = { ...first.user, id: server.id, username: "b", display_name: "b" };
        await answered.promise;
        await route.fulfill({ json: [{ ...first, user }] });
      });
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      const options = page.getByRole("option");
      await boxOf(page).pressSequentially("@b");
      await eventually(() => options.count()).toBe(2);
      await page.keyboard.press("ArrowDown");
      const marked = page.getByRole("option", { selected: true });
      await options.nth(1).and(marked).waitFor();
      const isBob = (await marked.innerText()).includes(bob.username);
      answered.resolve();
      await eventually(() => options.count()).toBe(3);
      await page.keyboard.press("Enter");
      await holds(page, `@${(isBob ? bob : barbara).username} `);
      await watched.close();
    },
    journey,
  );

  test(
    "a short code is replaced alone, though the caret has gone on, and stays where that went",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const answered = Promise.withResolvers<void>();
      const watched = await scene.watched(withoutWorker);
      await watched.context.route("**/assets/en-*.txt", async (route) => {
        await answered.promise;
        await route.continue();
      });
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      await boxOf(page).fill(" for all");
      await untilPart(page, "short-code");
      await page.keyboard.press("Home");
      await page.keyboard.type(":tada:");
      await page.keyboard.press("End");
      answered.resolve();
      await holds(page, "🎉 for all");
      await page.keyboard.type(" of you");
      await holds(page, "🎉 for all of you");
      await watched.close();
    },
    journey,
  );
});
