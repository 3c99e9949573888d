// "Jump to date" in the menus of channels and conversations: the first message of a day, or the next one after it.
import { expect, test } from "bun:test";
import { sql } from "kysely";
import type { Message } from "../../features/messages/contract.ts";
import { dayOf } from "../../features/messages/view/jump/days.ts";
import { lowestIdAt } from "../../protocol/ids.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, rowOf } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

const dayMs = 24 * 60 * 60_000;

inChromium("a jump to a date", (scene) => {
  /** Moves messages to a moment: ids begin with their time, and no clock of a test changes them. */
  async function moveTo(moment: number, messages: readonly Message[]): Promise<Message[]> {
    return scene.house.running.house.database.transaction(async (db) => {
      const moved = messages.map((message, i) => ({ ...message, id: lowestIdAt(moment + i) }));
      for (const [i, { id }] of moved.entries())
        await sql`update messages set id = ${id}, created_at = ${moment + i} where id = ${messages[i]?.id}`.execute(
          db,
        );
      return moved;
    });
  }

  test(
    "leads to the first message of that day, or the next one after it; where nothing follows, the dialog says so",
    async () => {
      const now = Date.now();
      const daysAgo = (days: number) => new Date(now - days * dayMs);
      const { alice, bob, server, general } = await scene.twoPeople();
      const said: Message[] = [];
      for (const days of [9, 6, 3]) {
        const some: Message[] = [];
        for (let i = 0; i < 60; i++) some.push(await bob.say(general.id, `${days} days ago, ${i}`));
        said.push(...(await moveTo(daysAgo(days).getTime(), some)));
      }
      await alice.post(`/servers/${server.id}/read`);
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      await rowOf(page, said[179]!).waitFor();
      const dialog = page.getByRole("dialog", { name: "Jump to date" });
      const jumpTo = async (day: string) => {
        if (!(await dialog.count())) {
          await page.getByRole("button", { name: "Channel menu" }).click();
          await page.getByRole("menuitem", { name: "Jump to date" }).click();
        }
        await dialog.getByLabel("Date").fill(day);
        await dialog.getByRole("button", { name: "Jump", exact: true }).click();
      };
      const arrives = async (at: number) => {
        await dialog.waitFor({ state: "detached" });
        await rowOf(page, said[at]!).waitFor();
        await eventually(async () => new URL(page.url()).pathname.split("/").at(-1)).toBe(said[at]!.id);
      };
      await jumpTo(dayOf(daysAgo(6)));
      await arrives(60);
      await jumpTo(dayOf(daysAgo(5)));
      await arrives(120);
      await jumpTo("2020-02-29");
      await arrives(0);

      await jumpTo(dayOf(daysAgo(1)));
      await dialog.getByText("There are no messages on that day or after it.").waitFor();
      await expectNoBarriers(page, [360, 1280]);
      await dialog.getByLabel("Date").fill("");
      expect(
        await dialog.getByRole("button", { name: "Jump", exact: true }).getAttribute("aria-disabled"),
      ).toBe("true");
      await jumpTo(dayOf(daysAgo(9)));
      await arrives(0);
      await watched.close();
    },
    journey,
  );
});
