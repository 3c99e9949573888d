// The accessibility tree of the list of messages: days, the line above new messages, unsent ones.
import { afterEach, expect, setSystemTime, test } from "bun:test";
import { write } from "./composing.ts";
import { inChromium, journey, rowOf } from "./scene.ts";
import { steady } from "./steady-tree.ts";
import { withoutWorker } from "./watched.ts";

const dayMs = 24 * 60 * 60_000;

inChromium("the accessibility tree of the list", (scene) => {
  afterEach(() => setSystemTime());

  test(
    "of two days, the line above what is new, and a message that is on its way, and then refused",
    async () => {
      // Messages from before a person's arrival count as read.
      setSystemTime(Date.now() - dayMs);
      const { alice, bob, server, general } = await scene.twoPeople();
      for (const each of [alice, bob])
        await each.patch("/auth/me", { display_name: each === alice ? "Alice" : "Bob" });
      await bob.say(general.id, "Yesterday.");
      await bob.say(general.id, "And still yesterday.");
      await alice.post(`/servers/${server.id}/read`);
      setSystemTime();
      const fresh = await bob.say(general.id, "Today.");
      const { watched, page } = await scene.open(alice, server, withoutWorker, /status of 403/);
      await rowOf(page, fresh).waitFor();
      const answered = Promise.withResolvers<void>();
      await page.route(/channels\/[^/]+\/messages$/, async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        await answered.promise;
        await route.fulfill({ status: 403, json: { code: "forbidden", error: "You may not write here." } });
      });
      await write(page, "Me.");
      await page.locator("[data-state=pending]").waitFor();
      const list = page.getByRole("list", { name: "Messages" });
      expect(steady(await list.ariaSnapshot())).toMatchSnapshot();
      answered.resolve();
      const failed = page.locator("[data-state=failed]");
      await failed.waitFor();
      expect(steady(await failed.ariaSnapshot())).toMatchSnapshot();
      await watched.close();
    },
    journey,
  );
});
