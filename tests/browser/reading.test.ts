// Unread messages: the line and banner, when they count as read, marks outside of the page; and reading by keyboard.
import { expect, test } from "bun:test";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { atBothAddresses, journey, untilPart } from "./scene.ts";
import { belowSight, messages as list, untilStill, wheel } from "./watching-rows.ts";

atBothAddresses("reading", (scene) => {
  async function home() {
    const { alice, bob, server } = await scene.twoPeople("Ubuntu");
    const channelId = server.general.id;
    const say = async (count: number, from = 0) => {
      const said: Message[] = [];
      for (let i = from; i < from + count; i++) said.push(await alice.say(channelId, `message ${i}`));
      return said;
    };
    return { alice, bob, server, channelId, say, address: `/servers/${server.id}/channels/${channelId}` };
  }

  async function markerOf(person: TestPerson, channelId: string): Promise<string | null | undefined> {
    const ear = await person.listen();
    const ready = ear.ready as unknown as {
      read_states: { channel_id: string; last_read_id: string | null }[];
    };
    ear.close();
    return ready.read_states.find((state) => state.channel_id === channelId)?.last_read_id;
  }

  test(
    "the line of what is new stands still, the banner leads to it, and all counts as read once the end was looked at",
    async () => {
      const { alice, bob, server, channelId, say, address } = await home();
      await say(20);
      await bob.post(`/servers/${server.id}/read`);
      const fresh = await say(60, 20);
      const watched = await scene.watched({ viewport: { width: 1280, height: 800 } });
      const page = await watched.page(address, bob);
      const line = page.getByRole("separator", { name: "New messages" });
      await line.waitFor();
      await untilStill(page);
      await page.getByText("60 since").waitFor();
      // Not all messages were seen: none is marked read.
      await eventually(() => page.getByRole("button", { name: "Jump to present" }).count()).toBe(1);
      await wheel(page, 700);
      await page.getByText("60 new messages").waitFor();
      await page.getByRole("button", { name: "Jump to first" }).click();
      await untilStill(page);
      await eventually(() => page.getByText("60 new messages").count()).toBe(0);

      await alice.say(channelId, `Hello @${bob.username}`);
      await until(async () => (await page.title()) === "(1) general · Ubuntu", "the title says nothing");
      await eventually(() => page.getAttribute("link[rel=icon]", "href")).toBe("/mark-mention.svg");
      const pill = page.getByRole("button", { name: "Jump to present 1 mention" });
      await pill.click();
      await until(async () => (await page.title()) === "general · Ubuntu", "it is not read");
      await eventually(() => page.getAttribute("link[rel=icon]", "href")).toBe("/mark.svg");
      await until(async () => (await belowSight(page)) <= 1, "the present is out of sight");
      const called = page.getByRole("article").filter({ hasText: "Hello" });
      await called.getByRole("button", { name: "@bob", exact: true }).waitFor();
      // The line stays, though all is read; messages that come now are not behind it.
      await wheel(page, -5000);
      await line.waitFor();
      await page.getByText("60 since").waitFor();
      await eventually(() => page.getByText("60 new messages").count()).toBe(0);

      // Escape leads from the composer to the present, and the line goes.
      await boxOf(page).focus();
      await page.keyboard.press("Escape");
      await untilStill(page);
      await page.keyboard.press("Escape");
      await wheel(page, -1800);
      await until(async () => (await line.count()) === 0, "the line stays");

      const target = page.locator(`[data-message-id="${fresh[50]?.id}"]`);
      await wheel(page, 5000);
      await target.focus();
      await page.keyboard.press("u");
      await line.waitFor();
      // The page may show the line before the server knows of it.
      await until(async () => {
        const marker = (await markerOf(bob, channelId)) ?? "";
        return marker >= (fresh[49]?.id ?? "") && marker < (fresh[50]?.id ?? "");
      }, "it is not marked from there on");
      await watched.close();
    },
    journey,
  );

  test(
    "by key alone: one stop for all rows, arrows, pages, ends, into a row and out, a letter to the composer; and what comes is said",
    async () => {
      const { alice, bob, server, say, channelId, address } = await home();
      const said = await say(60);
      await bob.post(`/servers/${server.id}/read`);
      const watched = await scene.watched({ viewport: { width: 1280, height: 800 } });
      const page = await watched.page(address, bob);
      await page.locator(`${list} article`).first().waitFor();
      await untilStill(page);
      await eventually(() => page.locator(`${list} article[tabindex="0"]`).count()).toBe(1);
      const box = boxOf(page);
      await page.locator(`[data-message-id="${said[59]?.id}"]`).focus();
      const focused = () =>
        page.evaluate<string>("document.activeElement.closest('[data-message-id]')?.dataset.messageId ?? ''");
      const at = async () => {
        const id = await focused();
        return said.findIndex((each) => each.id === id);
      };
      await eventually(() => at()).toBe(59);
      await page.keyboard.press("ArrowUp");
      await eventually(() => at()).toBe(58);
      await page.keyboard.press("PageUp");
      await until(async () => (await at()) < 50, "a page is not walked");
      await page.keyboard.press("Home");
      await until(async () => [0, 10].includes(await at()), "the first row has not the focus");
      await page.keyboard.press("ArrowDown");
      await until(async () => [1, 11].includes(await at()), "the next row has not the focus");
      await page.keyboard.press("End");
      await until(async () => (await at()) === 59, "the last row has not the focus");
      await page.keyboard.press("x");
      await until(async () => (await box.inputValue()) === "x", "the letter is lost");

      // The focused row is deleted: the next one gets the focus, never the page as a whole.
      await page.locator(`[data-message-id="${said[58]?.id}"]`).focus();
      await alice.delete(`/messages/${said[58]?.id}`);
      await until(async () => (await at()) === 59, "the focus is lost");

      // Announcements go by themselves, so all of them are recorded.
      await page.evaluate(`{
        globalThis.spoken = "";
        const note = (changes) => {
          for (const { addedNodes } of changes)
            for (const { textContent } of addedNodes) globalThis.spoken += textContent + "\\n";
        };
        new MutationObserver(note).observe(document.querySelector("#announcer"), { childList: true });
      }`);
      const spoken = () => page.evaluate<string>("globalThis.spoken");
      await untilPart(page, "arrivals");
      await alice.say(channelId, "the kettle is on");
      await until(async () => (await spoken()).includes("alice: the kettle is on"), "it is not said");
      await Promise.all(Array.from({ length: 12 }, (_, i) => alice.say(channelId, `burst ${i}`)));
      await until(async () => /\d+ new messages/.test(await spoken()), "the burst is not said");
      await watched.close();
    },
    journey,
  );

  test(
    "a channel opens at what is new with one request, be it few or many messages; the newest follow, for the way back",
    async () => {
      const { bob, server, say, address } = await home();
      const said = await say(20);
      await bob.post(`/servers/${server.id}/read`);
      await say(10, 20);
      const few = await scene.watched({ viewport: { width: 1280, height: 800 } });
      const asked: string[] = [];
      await few.context.route("**/api/v1/channels/*/messages?*", (route) => {
        asked.push(new URL(route.request().url()).search);
        return route.continue();
      });
      await (await few.page(address, bob)).getByText("10 since").waitFor();
      expect(asked).toEqual([`?around=${said[19]?.id}&limit=100`]);
      await few.close();

      await bob.post(`/servers/${server.id}/read`);
      await say(170, 30);
      const many = await scene.watched({ viewport: { width: 1280, height: 800 } });
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      await many.context.route("**/api/v1/channels/*/messages?limit=50", async (route) => {
        await held;
        await route.continue();
      });
      const page = await many.page(address, bob);
      await page.getByText(/^\d+\+ since/).waitFor();
      await untilStill(page);
      const firstNew = page.getByText("message 30", { exact: true });
      const place = await firstNew.boundingBox();
      const newest = page.waitForResponse(/limit=50/);
      release();
      await newest;
      await untilStill(page);
      expect(await firstNew.boundingBox()).toEqual(place);
      await page.getByRole("button", { name: "Jump to present" }).click();
      await page.getByText("message 199", { exact: true }).waitFor();
      await until(async () => (await belowSight(page)) <= 1, "the present is out of sight");
      await many.close();
    },
    journey,
  );

  test(
    "the way up ends above the first message, where it is said that the channel begins",
    async () => {
      const { bob, server, say, address } = await home();
      await say(70);
      await bob.post(`/servers/${server.id}/read`);
      const watched = await scene.watched({ viewport: { width: 1280, height: 800 } });
      const page = await watched.page(address, bob);
      await page.locator("article").first().waitFor();
      const beginning = page.getByRole("list", { name: "Messages" }).getByRole("heading");
      expect(await beginning.count()).toBe(0);
      while (!(await beginning.isVisible())) await wheel(page, -9000);
      expect(await beginning.innerText()).toBe("Here begins #general");
      await watched.close();
    },
    journey,
  );

  test(
    "list, banner, rail and pill have no faults that axe finds, in three themes at two widths; an empty channel neither",
    async () => {
      const { alice, bob, server, say, address } = await home();
      await say(10);
      await bob.post(`/servers/${server.id}/read`);
      await say(45, 10);
      const empty = (await alice.post<{ id: string }>("/channels", { server_id: server.id, name: "empty" }))
        .body;
      const watched = await scene.watched({ viewport: { width: 1280, height: 800 } });
      const page = await watched.page(address, bob);
      await page.getByRole("separator", { name: "New messages" }).waitFor();
      await untilStill(page);
      await wheel(page, 500);
      await expectNoBarriers(page, [360, 1280], "main");
      await page.goto(`/servers/${server.id}/channels/${empty.id}`);
      await page.getByRole("heading", { name: "Here begins #empty" }).waitFor();
      await expectNoBarriers(page, [360, 1280], "main");
      await watched.close();
    },
    journey,
  );
});
