// A part of the page that never loads: later parts load all the same, also without a worker.
import { expect, test } from "bun:test";
import { inChromium, journey, rowOf, untilSo } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("a part that hangs", (scene) => {
  test(
    "the parts that come later do not wait for one that never comes",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const message = await alice.say(general.id, "Hello");
      const watched = await scene.watched(withoutWorker);
      const hanging: string[] = [];
      // The first of the parts that the page requests by itself, whichever that is.
      await watched.context.route(/\/assets\/(invite-page|switcher|menus|suggestions)-/, (route) => {
        const path = new URL(route.request().url()).pathname;
        if (hanging.length === 0 && path.endsWith(".js")) hanging.push(path);
        return hanging.includes(path) ? undefined : route.continue();
      });
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      await rowOf(page, message).waitFor();
      const parts = `["invite-page", "switcher", "menus", "suggestions"].filter((part) => performance.getEntriesByType("resource").some(({ name, responseEnd }) => responseEnd > 0 && name.includes("/assets/" + part + "-") && name.endsWith(".js")))`;
      await untilSo(page, `${parts}.length === 3`);
      expect(hanging).toHaveLength(1);
      await watched.close();
    },
    journey,
  );

  test(
    "code gets its colours from another worker where the first never comes",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const message = await alice.say(general.id, "```js\nconst salt = 1;\n```");
      const watched = await scene.watched(withoutWorker);
      let asked = 0;
      await watched.context.route(/\/assets\/colours-worker-/, (route) =>
        asked++ === 0 ? undefined : route.continue(),
      );
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      // The first worker gets fifteen seconds of frames, which come slowly on a busy machine.
      const coloured = rowOf(page, message).locator("code span", { hasText: "const" });
      await coloured.waitFor();
      // A busy machine may also end a worker that was late.
      expect(asked).toBeGreaterThanOrEqual(2);
      await watched.close();
    },
    journey,
  );
});
