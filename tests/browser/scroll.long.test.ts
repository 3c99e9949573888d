// The list never jumps: where it opens, what stays in place while items come, go and grow, and how to move in it.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inWholeChromium, journey, untilPart } from "./scene.ts";
import {
  belowSight,
  drawnIds,
  endWatched,
  firstInSight,
  follow,
  messages as list,
  listHeight,
  madeIds,
  movedMost,
  noteHeights,
  pressWhenDrawn,
  untilStill,
  watchEnd,
  watchMaking,
  watchRow,
  wheel,
} from "./watching-rows.ts";

inWholeChromium("the list of messages", (scene) => {
  /** Alice has posted `count` messages in a server with Bob, who has read the first `read` of them. */
  async function told(count: number, read = count) {
    const { alice, bob, server } = await scene.twoPeople("Ubuntu");
    const said: Message[] = [];
    for (let i = 0; i < count; i++) said.push(await alice.say(server.general.id, textOf(i)));
    const path = `/channels/${server.general.id}`;
    if (read > 0) await bob.put(`${path}/read`, { message_id: said[read - 1]?.id });
    const address = `/servers/${server.id}/channels/${server.general.id}`;
    return { alice, bob, server, said, channelId: server.general.id, address };
  }

  async function opened(address: string, person: TestPerson) {
    const watched = await scene.watched({ viewport: { width: 1280, height: 800 } });
    const page = await watched.page(address, person);
    await page.locator(`${list} article`).first().waitFor();
    await untilStill(page);
    return { watched, page };
  }

  test(
    "opens at the first unread with its line a third from the top, else at the bottom, and coming back where it was left",
    async () => {
      const { alice, bob, server, said, address } = await told(120, 100);
      const other = (await alice.post<{ id: string }>("/channels", { server_id: server.id, name: "other" }))
        .body;
      const { watched, page } = await opened(address, bob);
      const line = await page.getByRole("separator", { name: "New messages" }).boundingBox();
      const box = await page.locator(list).locator("..").boundingBox();
      expect(Math.abs((line?.y ?? 0) - ((box?.y ?? 0) + (box?.height ?? 0) / 3))).toBeLessThan(30);
      expect(await drawnIds(page)).toContain(said[100]?.id ?? "");

      await page.goto(`/servers/${server.id}/channels/${other.id}`);
      await page.getByRole("heading", { name: "Here begins #other" }).waitFor();
      await bob.put(`/channels/${server.general.id}/read`, { message_id: said[119]?.id });
      // The unread mark goes once the page knows that it is read.
      await page.getByRole("link", { name: "general", exact: true }).click();
      await page.locator(`[data-message-id="${said[119]?.id}"]`).waitFor();
      await untilStill(page);
      await eventually(() => belowSight(page)).toBeLessThanOrEqual(1);
      await wheel(page, -2500);
      const left = await firstInSight(page);
      const top = (await page.locator(`[data-message-id="${left}"]`).boundingBox())?.y ?? 0;
      await page.getByRole("link", { name: "other" }).first().click();
      await page.getByRole("heading", { name: "Here begins #other" }).waitFor();
      await page.getByRole("link", { name: "general" }).first().click();
      await page.locator(`[data-message-id="${left}"]`).waitFor();
      await untilStill(page);
      const back = (await page.locator(`[data-message-id="${left}"]`).boundingBox())?.y ?? 0;
      expect(Math.abs(back - top)).toBeLessThanOrEqual(1);
      await watched.close();
    },
    journey,
  );

  test(
    "opened again it is as high as it was left from the first frame on: no row is measured anew",
    async () => {
      const { alice, bob, server, address } = await told(60);
      await alice.post("/channels", { server_id: server.id, name: "other" });
      const { watched, page } = await opened(address, bob);
      // The part that records row heights loads after the first message.
      await untilPart(page, "sizes");
      for (const time of ["the first time some rows are drawn that were not before", "the second"]) {
        await page.getByRole("link", { name: "other" }).first().click();
        await page.getByRole("heading", { name: "Here begins #other" }).waitFor();
        if (time === "the second") await noteHeights(page);
        await page.getByRole("link", { name: "general" }).first().click();
        await page.locator(`${list} article`).first().waitFor();
        await untilStill(page);
      }
      expect(await page.evaluate<number[]>("[...globalThis.heights]")).toEqual([await listHeight(page)]);
      await watched.close();
    },
    journey,
  );

  test(
    "what one reads stays where it is while older messages come, others are corrected, deleted, reacted to and written, and the room changes its size",
    async () => {
      const { alice, bob, said, channelId, address } = await told(160);
      const { watched, page } = await opened(address, bob);
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let isAsked = false;
      await page.route(/before=/, async (route) => {
        isAsked = true;
        await held;
        await route.continue();
      });
      while (!isAsked) await wheel(page, -600);
      const before = await listHeight(page);
      await watchRow(page, await firstInSight(page));
      release();
      await until(async () => (await listHeight(page)) > before, "no older messages came");
      expect(await movedMost(page)).toBeLessThanOrEqual(1);

      await untilStill(page);
      const first = await firstInSight(page);
      const at = said.findIndex(({ id }) => id === first);
      const above = (n: number) => `/messages/${said[at - n]?.id}`;
      await watchRow(page, said[at + 2]?.id ?? "");
      const long = "and it says what it did, line by line, until the page is full of it. ".repeat(12);
      await alice.patch(above(2), { content: long });
      await alice.patch(above(30), { content: long });
      await alice.post(`${above(1)}/reactions`, { emoji: "🎉" });
      await bob.post(`${above(3)}/reactions`, { emoji: "🎉" });
      await alice.delete(above(4));
      await alice.delete(above(40));
      // Below the watched row, in sight and out of it.
      for (const n of [-5, -30]) await alice.delete(above(n));
      await alice.post(`/channels/${channelId}/typing`);
      for (let i = 0; i < 5; i++) await alice.say(channelId, `further down ${i}`);
      await page.getByRole("button", { name: "Jump to present" }).waitFor();
      await page
        .locator(`[data-message-id="${said[at - 2]?.id}"]`)
        .getByText(long.trim())
        .waitFor({ state: "attached" });
      expect(await movedMost(page)).toBeLessThanOrEqual(1);

      await watchRow(page, await firstInSight(page));
      const box = boxOf(page);
      await box.fill("one\ntwo\nthree\nfour\nfive\nsix");
      await page.setViewportSize({ width: 1280, height: 600 });
      await page.setViewportSize({ width: 1000, height: 700 });
      await page.setViewportSize({ width: 1280, height: 800 });
      await box.fill("");
      await untilStill(page);
      expect(await movedMost(page)).toBeLessThanOrEqual(1);
      await watched.close();
    },
    journey,
  );

  test(
    "at the bottom it stays at the bottom, twenty messages a second long, and while one writes and the window changes",
    async () => {
      const { alice, bob, channelId, address } = await told(60);
      const { watched, page } = await opened(address, bob);
      await watchEnd(page);
      let last: Message | undefined;
      for (let i = 0; i < 60; i++) {
        const [message] = await Promise.all([alice.say(channelId, textOf(i)), Bun.sleep(50)]);
        last = message;
        if (i === 20) {
          expect((await endWatched(page)).most).toBeLessThanOrEqual(24);
          await page.setViewportSize({ width: 1100, height: 640 });
          // A frame may fall between the resize and the list's reaction.
          await untilAtEnd(page);
          await watchEnd(page);
        }
        if (i === 30) await boxOf(page).fill("one\ntwo\nthree");
      }
      await page.locator(`[data-message-id="${last?.id}"]`).waitFor();
      await untilStill(page);
      const seen = await endWatched(page);
      expect(seen.wasEmpty).toBe(false);
      expect(seen.most).toBeLessThanOrEqual(24);
      await eventually(() => belowSight(page)).toBeLessThanOrEqual(1);
      await watched.close();
    },
    journey,
  );

  test(
    "a message that comes at the bottom is drawn once, however high it is, and no row beside it anew",
    async () => {
      const { alice, channelId, bob, address } = await told(60);
      const { watched, page } = await opened(address, bob);
      await watchMaking(page);
      const said: string[] = [];
      for (const content of ["Hello", "high\n".repeat(100), "Hello", "higher\n".repeat(300)]) {
        const { id } = await alice.say(channelId, content);
        said.push(id);
        await page.locator(`[data-message-id="${id}"]`).waitFor();
        expect(await madeIds(page)).toEqual(said);
        await eventually(() => belowSight(page)).toBeLessThanOrEqual(1);
      }
      await watched.close();
    },
    journey,
  );

  test(
    "a link leads far up, the wheel further, and one press back to the present: no hole, and few rows at any time",
    async () => {
      const { bob, said, server, channelId, address } = await told(1200);
      const ids = said.map(({ id }) => id);
      const { watched, page } = await opened(`${address}/messages/${ids[300]}`, bob);
      const target = page.locator(`[data-message-id="${ids[300]}"]`);
      const [row, box] = [await target.boundingBox(), await page.locator(list).locator("..").boundingBox()];
      expect(Math.abs((row?.y ?? 0) - (box?.y ?? 0) - (box?.height ?? 0) / 3)).toBeLessThanOrEqual(2);
      for (let i = 0; i < 12; i++) {
        await wheel(page, -3000);
        expectNoHole(ids, await drawnIds(page));
      }
      for (let i = 0; i < 6; i++) {
        await wheel(page, 4000);
        expectNoHole(ids, await drawnIds(page));
      }
      await watchEnd(page);
      await page.getByRole("button", { name: "Jump to present" }).click();
      await page.locator(`[data-message-id="${ids.at(-1)}"]`).waitFor();
      await untilStill(page);
      expect((await endWatched(page)).wasEmpty).toBe(false);
      await eventually(() => belowSight(page)).toBeLessThanOrEqual(1);
      expect(new URL(page.url()).pathname).toBe(address);
      for (let i = 0; i < 5; i++) {
        await wheel(page, -3000);
        expectNoHole(ids, await drawnIds(page));
      }
      // Navigation within the page, not a reload: the list stays.
      await follow(page, `${address}/messages/${ids[5]}`);
      await page.locator(`[data-message-id="${ids[5]}"]`).waitFor();
      await page.getByRole("button", { name: "Jump to present" }).click();
      await page.locator(`[data-message-id="${ids.at(-1)}"]`).waitFor();
      // Going back to the present while still arriving at another message leads to the present all the same.
      for (const framesAfter of [0, 1, 2]) {
        await follow(page, `${address}/messages/${ids[5]}`);
        await pressWhenDrawn(page, ids[5] ?? "", "Jump to present", framesAfter);
        await page.locator(`[data-message-id="${ids.at(-1)}"]`).waitFor();
        await untilStill(page);
        await eventually(() => belowSight(page)).toBeLessThanOrEqual(1);
      }
      await Promise.all([
        page.getByText("That message is not there any more.").waitFor(),
        follow(page, `${address}/messages/${server.id}`),
      ]);
      expectNoHole(ids, await drawnIds(page));
      expect(channelId).toBe(server.general.id);
      await watched.close();
    },
    journey,
  );
});

/** Waits until the end of the list is in sight; a list that lost it does not come back by itself. */
function untilAtEnd(page: Page): Promise<void> {
  return until(async () => (await belowSight(page)) <= 24, "the end of the list went out of sight");
}

/** Expects the drawn rows to be contiguous, apart from the row that Tab reaches. */
function expectNoHole(ids: readonly string[], drawn: readonly string[]): void {
  expect(drawn.length).toBeLessThanOrEqual(80);
  expect(drawn.length).toBeGreaterThan(5);
  const places = drawn.map((id) => ids.indexOf(id));
  const breaks = places.filter((place, i) => i > 0 && place !== (places[i - 1] ?? 0) + 1);
  const isTabStop = breaks.length === 1 && breaks[0] === places.at(-1);
  expect([places.includes(-1), breaks.length - (isTabStop ? 1 : 0)]).toEqual([false, 0]);
}

/** Texts of different lengths, for rows of different heights. */
function textOf(i: number): string {
  return `${i}: ${"the disk is mounted again after every start of this machine ".repeat((i * 7) % 5)}`.trim();
}
