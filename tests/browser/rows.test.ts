// Messages in the list: how far they stand apart, where they stay, and the names of people whom they mention.
import { expect, test } from "bun:test";
import { until } from "../house/machine/waiting.ts";
import { inChromium, journey, rowOf } from "./scene.ts";
import { withoutWorker } from "./watched.ts";
import { firstInSight, listHeight, movedMost, untilStill, watchRow, wheel } from "./watching-rows.ts";

inChromium("messages in the list", (scene) => {
  test(
    "messages that one author sends in a row are further apart than the lines of one of them",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      await alice.say(general.id, "To begin with");
      const said = [await alice.say(general.id, "One"), await alice.say(general.id, "Two")];
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const [one, two] = await Promise.all(
        said.map((message, at) =>
          rowOf(page, message)
            .getByText(["One", "Two"][at] ?? "", { exact: true })
            .boundingBox(),
        ),
      );
      expect(Math.round((two?.y ?? 0) - (one?.y ?? 0) - (one?.height ?? 0))).toBe(6);
      await watched.close();
    },
    journey,
  );

  test(
    "at the very top rows stay where they are when older messages come",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      for (let i = 0; i < 120; i++) {
        const { id } = await alice.say(general.id, "The disk is mounted again. ".repeat(1 + ((i * 7) % 9)));
        if (i === 119) await bob.put(`/channels/${general.id}/read`, { message_id: id });
      }
      const size = { viewport: { width: 390, height: 800 } };
      const { watched, page } = await scene.open(bob, server, { ...withoutWorker, ...size });
      await untilStill(page);
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      await page.route(/before=/, async (route) => {
        await held;
        await route.continue();
      });
      await wheel(page, -30_000);
      const before = await listHeight(page);
      await watchRow(page, await firstInSight(page));
      release();
      await until(async () => (await listHeight(page)) > before, "no older messages came");
      await untilStill(page);
      expect(await movedMost(page)).toBeLessThanOrEqual(1);
      await watched.close();
    },
    journey,
  );

  test(
    "a mention shows the name that people have everywhere else, also after they change it; whom it calls stands behind it",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      await bob.patch("/auth/me", { display_name: "Bob Okafor" });
      const said = await alice.say(general.id, `Ask @${bob.username} or @${alice.username}`);
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const mention = rowOf(page, said).getByRole("button", { name: "@Bob Okafor", exact: true });
      await mention.waitFor();
      expect(await mention.getAttribute("title")).toBe(`@${bob.username}`);
      await rowOf(page, said).getByRole("button", { name: "@alice", exact: true }).waitFor();
      await bob.patch("/auth/me", { display_name: "Bob of the bees" });
      await rowOf(page, said).getByRole("button", { name: "@Bob of the bees", exact: true }).click();
      await page.getByRole("dialog", { name: "Profile of Bob of the bees" }).waitFor();
      await watched.close();
    },
    journey,
  );
});
