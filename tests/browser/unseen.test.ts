// Messages that come while their reader does not look: the line above them, and when they count as read.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import type { TestPerson } from "../house/people/people.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { canLookAway } from "./looking-away.ts";
import { inChromium, journey, rowOf, untilPart } from "./scene.ts";
import type { Watched } from "./watched.ts";
import { withoutWorker } from "./watched.ts";
import { belowSight, untilStill } from "./watching-rows.ts";

inChromium("what comes unseen", (scene) => {
  /** Bob reads a channel to its end, in which everything is read; `beforehand` prepares his browser. */
  async function reading(count: number, beforehand?: (watched: Watched) => Promise<void>) {
    const { alice, bob, server, general } = await scene.twoPeople();
    const say = async (many: number, from: number) => {
      const said: Message[] = [];
      for (let i = from; i < from + many; i++) said.push(await alice.say(general.id, `message ${i}`));
      return said;
    };
    const said = await say(count, 0);
    await bob.post(`/servers/${server.id}/read`);
    const watched = await scene.watched({ viewport: { width: 1280, height: 800 }, ...withoutWorker });
    await watched.context.addInitScript(canLookAway);
    await beforehand?.(watched);
    const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, bob);
    await rowOf(page, said.at(-1) as Message).waitFor();
    await untilStill(page);
    await untilPart(page, "over-list");
    const marks: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PUT" && request.url().endsWith("/read"))
        marks.push(request.postDataJSON().message_id);
    });
    return { alice, bob, server, general, said, say, watched, page, marks };
  }

  const lookAway = (page: Page, wanted: boolean) => page.evaluate(`lookAway(${wanted})`);
  const aSecondPasses = (page: Page) => page.evaluate("aSecondPasses()");
  const lineOf = (page: Page) => page.getByRole("separator", { name: "New messages" });
  const bannerOf = (page: Page) => page.getByRole("region", { name: "New messages" });
  const isAtEnd = async (page: Page) => (await belowSight(page)) <= 1;

  async function markerOf(person: TestPerson, channelId: string): Promise<string | null | undefined> {
    const ear = await person.listen();
    const { read_states } = ear.ready as unknown as {
      read_states: { channel_id: string; last_read_id: string | null }[];
    };
    ear.close();
    return read_states.find((state) => state.channel_id === channelId)?.last_read_id;
  }

  test(
    "what came while the reader looked away has a line, and is read once that was in sight",
    async () => {
      const { bob, general, say, watched, page, marks } = await reading(20);
      await lookAway(page, true);
      const last = (await say(60, 20)).at(-1) as Message;
      await rowOf(page, last).waitFor();
      await lookAway(page, false);
      await bannerOf(page).getByText("60 new messages").waitFor();
      await eventually(() => isAtEnd(page)).toBe(true);
      await aSecondPasses(page);
      // A message that comes while the reader looks is not behind the line, and leads to nothing.
      const later = (await say(1, 80))[0] as Message;
      await rowOf(page, later).waitFor();
      await aSecondPasses(page);
      await bannerOf(page).getByText("60 new messages").waitFor();
      expect(marks).toEqual([]);
      await page.getByRole("button", { name: "Jump to first" }).click();
      await lineOf(page).waitFor();
      await page.getByText("60 since").waitFor();
      await bannerOf(page).getByText("60 new messages").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Jump to present" }).click();
      await rowOf(page, later).waitFor();
      await untilStill(page);
      await aSecondPasses(page);
      await eventually(() => markerOf(bob, general.id)).toBe(later.id);
      await watched.close();
    },
    journey,
  );

  test(
    "a few that fit into the view are read as before; the line goes to what comes unseen the next time",
    async () => {
      const { bob, general, say, watched, page } = await reading(20);
      await lookAway(page, true);
      const [last] = (await say(2, 20)).slice(-1);
      await rowOf(page, last as Message).waitFor();
      await lookAway(page, false);
      await page.getByText("2 since").waitFor();
      await aSecondPasses(page);
      await eventually(() => markerOf(bob, general.id)).toBe(last?.id);
      await lookAway(page, true);
      await say(3, 22);
      await page.getByText("3 since").waitFor();
      expect(await lineOf(page).count()).toBe(1);
      // A message of the reader's own, sent elsewhere, is not new to them, and all before it is read.
      await bob.say(general.id, "from the kitchen");
      await page.getByText("from the kitchen").waitFor();
      await lookAway(page, false);
      await page.getByText("3 since").waitFor();
      const answer = (await say(1, 25))[0] as Message;
      await rowOf(page, answer).waitFor();
      await untilStill(page);
      await aSecondPasses(page);
      await eventually(() => markerOf(bob, general.id)).toBe(answer.id);
      await watched.close();
    },
    journey,
  );

  test(
    "what was read on another device meanwhile waits for no line",
    async () => {
      const { bob, server, general, say, watched, page } = await reading(20);
      await lookAway(page, true);
      await rowOf(page, (await say(60, 20)).at(-1) as Message).waitFor();
      await lookAway(page, false);
      const banner = bannerOf(page).getByText("60 new messages");
      await banner.waitFor();
      await bob.post(`/servers/${server.id}/read`);
      await banner.waitFor({ state: "detached" });
      const later = (await say(1, 80))[0] as Message;
      await rowOf(page, later).waitFor();
      await untilStill(page);
      await aSecondPasses(page);
      await eventually(() => markerOf(bob, general.id)).toBe(later.id);
      await watched.close();
    },
    journey,
  );

  for (const [how, resumes] of [
    ["that is taken up again", true],
    ["that begins anew", false],
  ] as const)
    test(
      `what came while there was no connection, ${how}, has a line, too`,
      async () => {
        let cut = () => {};
        let back = Promise.withResolvers<void>();
        back.resolve();
        let asked = () => {};
        const { say, watched, page, marks } = await reading(20, async ({ context }) => {
          await context.routeWebSocket("**/ws", async (near) => {
            asked();
            await back.promise;
            const far = near.connectToServer();
            near.onMessage((frame) => {
              const { type, data } = JSON.parse(String(frame));
              const { resume: _, ...auth } = data ?? {};
              far.send(type === "AUTH" && !resumes ? JSON.stringify({ type, data: auth }) : frame);
            });
            cut = () => {
              for (const side of [near, far]) void side.close({ code: 4000 });
            };
          });
        });
        back = Promise.withResolvers<void>();
        // The page is without a connection once it asks for another one.
        const isAway = new Promise<void>((resolve) => {
          asked = resolve;
        });
        cut();
        await isAway;
        const last = (await say(40, 20)).at(-1) as Message;
        back.resolve();
        await rowOf(page, last).waitFor();
        await bannerOf(page).getByText("40 new messages").waitFor();
        await aSecondPasses(page);
        await bannerOf(page).getByText("40 new messages").waitFor();
        expect(marks).toEqual([]);
        await watched.close();
      },
      journey,
    );

  test(
    "of many new messages only the newest are loaded: no line stands above the first of those, and the way leads to the first of all",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said: Message[] = [];
      for (let i = 0; i < 300; i++) said.push(await alice.say(general.id, `message ${i}`));
      await bob.put(`/channels/${general.id}/read`, { message_id: said[9]?.id });
      const { watched, page } = await scene.open(bob, server, withoutWorker);
      await lineOf(page).waitFor();
      // A look at the end, a second later, would mark all as read.
      await page.evaluate("document.hasFocus = () => false");
      await page.getByRole("button", { name: "Jump to present" }).click();
      await rowOf(page, said[299] as Message).waitFor();
      await untilStill(page);
      const banner = () => bannerOf(page).locator("span").innerText();
      await eventually(banner).toBe("New messages");
      await page.getByRole("button", { name: "Jump to first" }).click();
      await lineOf(page).waitFor();
      await rowOf(page, said[10] as Message).waitFor();

      // The same where the line was put there by hand.
      await rowOf(page, said[5] as Message).focus();
      await page.keyboard.press("u");
      await page.getByRole("button", { name: "Jump to present" }).click();
      await rowOf(page, said[299] as Message).waitFor();
      await eventually(banner).toBe("New messages");
      await page.getByRole("button", { name: "Jump to first" }).click();
      await page.getByText(/^\d+\+ since/).waitFor();
      await rowOf(page, said[5] as Message).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "what came unseen and was deleted leaves no line, and what comes later is read",
    async () => {
      const { alice, bob, general, say, watched, page } = await reading(20);
      await lookAway(page, true);
      const gone = (await say(1, 20))[0] as Message;
      await rowOf(page, gone).waitFor();
      await lineOf(page).waitFor();
      await alice.delete(`/messages/${gone.id}`);
      await rowOf(page, gone).waitFor({ state: "detached" });
      await lookAway(page, false);
      const later = (await say(1, 21))[0] as Message;
      await rowOf(page, later).waitFor();
      await eventually(async () => {
        await aSecondPasses(page);
        return markerOf(bob, general.id);
      }).toBe(later.id);
      expect(await bannerOf(page).count()).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "somebody who marks as unread, and then goes on talking there, reads on",
    async () => {
      const { bob, general, say, said, watched, page } = await reading(20);
      await rowOf(page, said[15] as Message).focus();
      await page.keyboard.press("u");
      await page.getByText("5 since").waitFor();
      await boxOf(page).fill("Soup?");
      await page.keyboard.press("Enter");
      await page.locator("article", { hasText: "Soup?" }).and(page.locator("[data-message-id]")).waitFor();
      const answer = (await say(1, 20))[0] as Message;
      await rowOf(page, answer).waitFor();
      await untilStill(page);
      await aSecondPasses(page);
      await eventually(() => markerOf(bob, general.id)).toBe(answer.id);
      await watched.close();
    },
    journey,
  );
});
