// The page before everything is there: the bones of the frame, the list of members, mentions of people.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { inChromium, journey, rowOf } from "./scene.ts";
import { type Watched, withoutWorker } from "./watched.ts";

inChromium("the first drawing", (scene) => {
  test(
    "of a new account is the bones of its frame, until the server says what is in it",
    async () => {
      // The owner, without whom the first account would be asked to set everything up.
      await scene.person("olga");
      const watched = await scene.watched(withoutWorker);
      const answered = Promise.withResolvers<void>();
      await watched.context.routeWebSocket(/\/ws$/, async (socket) => {
        await answered.promise;
        socket.connectToServer();
      });
      // Signed out: the browser reports the 401.
      watched.allow(/status of 401/);
      const page = await watched.page("/register");
      const bones = page.locator("#page > [aria-hidden=true]");
      expect(await bones.count()).toBe(0);
      await page.getByRole("textbox", { name: "E-mail" }).fill("nora@people.example");
      await page.getByRole("textbox", { name: "Username" }).fill("nora");
      await page.getByRole("textbox", { name: "Display name" }).fill("Nora");
      await page.getByRole("textbox", { name: "Password" }).fill("correct horse battery");
      await page.getByRole("button", { name: "Create account" }).click();
      await bones.waitFor();
      answered.resolve();
      await page.getByRole("button", { name: "Add a server" }).waitFor();
      await bones.waitFor({ state: "detached" });
      await watched.close();
    },
    journey,
  );

  test(
    "of the members is their list in its order, not of the few whom messages call; what calls somebody stays as wide",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const carol = await scene.person("carol");
      await alice.bringIn(server.id, carol);
      // A mention shows the display name once it is known: here it is the word that stands there before.
      for (const each of [bob, carol]) await each.patch("/auth/me", { display_name: each.username });
      const said = await carol.say(general.id, `Ask @${bob.username} or @${carol.username}, **not me**`);
      const watched = await scene.watched(withoutWorker);
      const named = await hold(watched, /\/members\?ids=/);
      const listed = await hold(watched, /\/members\?limit=/);
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      const row = rowOf(page, said);
      await row.waitFor();
      await named.asked;
      const before = await endOf(page, said.id);
      expect(await row.getByRole("button", { name: `@${bob.username}` }).count()).toBe(0);
      named.release();
      await row.getByRole("button", { name: `@${bob.username}` }).waitFor();
      expect(Math.abs((await endOf(page, said.id)) - before)).toBeLessThan(0.5);

      const panel = page.getByRole("complementary", { name: "Members" });
      await panel.waitFor();
      await listed.asked;
      expect(await panel.getByRole("button", { name: /^(bob|carol)/ }).count()).toBe(0);
      listed.release();
      await panel.getByRole("button", { name: /^bob/ }).waitFor();
      await panel.getByRole("button", { name: /^alice/ }).waitFor();
      await watched.close();
    },
    journey,
  );
});

/** Holds requests to these addresses, until `release` is called. */
async function hold({ context }: Watched, address: RegExp) {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await context.route(address, async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  return { asked: asked.promise, release: held.resolve };
}

/** The distance of the end of a message's bold words from the left edge of the page, in pixels. */
function endOf(page: Page, id: string): Promise<number> {
  return page.evaluate<number>(
    `document.querySelector('[data-message-id="${id}"] strong').getBoundingClientRect().right`,
  );
}
