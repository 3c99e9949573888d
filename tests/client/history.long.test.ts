// The messages that a page holds against a real house: whatever is said, corrected and deleted while pages are on their
// way, sockets are cut and sleeps are too long, what it holds is a piece of what the server lists.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { calls } from "../../client/call.ts";
import type { Message } from "../../features/messages/contract.ts";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import { until } from "../house/waiting.ts";
import { Line, Page, Talk } from "./read-along.ts";
import { Relay } from "./relay.ts";

const patienceMs = 400_000;

// Who reacts with what, for `Talk`.
const [alice, bob, alicesMoon, bobsMoon] = [0, 1, 2, 3];

describe("the history of a channel", () => {
  let house: TestHouse;
  let relay: Relay;
  let line: Line;
  const originBefore = calls.origin;

  beforeAll(async () => {
    house = await makeHouse("SQLite", { AVATAR_URL: "off" });
    await house.open();
    relay = await Relay.to(() => house.url);
    line = new Line(() => house.url);
    calls.origin = line.origin;
  }, patienceMs);
  afterAll(async () => {
    calls.origin = originBefore;
    await line?.close();
    relay?.close();
    await house?.end();
  }, patienceMs);

  async function opened(count: number) {
    const [writer, reader] = [await house.person("alice"), await house.person("bob")];
    const server = await writer.makeServer("Ubuntu");
    await writer.bringIn(server.id, reader);
    const channelId = server.general.id;
    const talk = new Talk(writer, reader, server.id, channelId);
    for (let i = 0; i < count; i++) await talk.say();
    line.token = reader.token;
    const page = new Page(relay, reader.token, talk);
    await page.isLive();
    return { talk, page, writer, reader };
  }

  test(
    "what is said while its page is on its way, and not drawn yet, is not lost",
    async () => {
      const { talk, page } = await opened(3);
      page.isHidden = true;
      line.isHeld = true;
      const fetching = page.history.newest(talk.channelId);
      await until(() => line.held > 0, "the page is not asked for");
      const before = page.position;
      await talk.say();
      await until(() => page.position !== before, "nothing is heard");
      line.release();
      await fetching;
      page.isHidden = false;
      page.draw();
      const ids = page.window?.live?.messages.map(({ id }) => id);
      expect(ids).toEqual((await talk.listed()).map(({ id }) => id));
      page.close();
    },
    patienceMs,
  );

  test(
    "reactions that a page has already are not counted again when a replay tells of them, nor when they come with it",
    async () => {
      const { talk, page } = await opened(5);
      await talk.react(1, alice);
      await talk.react(2, alice);
      await talk.react(2, alicesMoon);
      await page.history.newest(talk.channelId);
      const change = async () => {
        await talk.react(0, alice);
        await talk.react(0, bob);
        await talk.takeBack(1, alice);
        await talk.takeBack(2, alice);
        await talk.react(2, alice);
        await talk.react(3, bobsMoon);
        await talk.react(3, alice);
      };
      const undo = async () => {
        await talk.takeBack(0, bob);
        await talk.takeBack(2, alicesMoon);
        await talk.react(2, alicesMoon);
        await talk.takeBack(3, bobsMoon);
        await talk.react(1, alice);
      };
      relay.cut();
      await change();
      await page.history.newest(talk.channelId);
      await undo();
      relay.restore();
      await page.settle();
      await page.becomesPieces(await talk.listed());

      await undo();
      line.isHeld = true;
      const fetching = page.history.newest(talk.channelId);
      await until(() => line.held > 0, "the page is not asked for");
      await change();
      await talk.say();
      await until(() => page.heard(talk.newestId), "what is said is not heard");
      line.release();
      await fetching;
      await page.becomesPieces(await talk.listed());
      page.close();
    },
    patienceMs,
  );

  test(
    "many messages with such reactions are fetched again as one page, also when the cut was not known yet",
    async () => {
      const { talk, page } = await opened(12);
      // Behind the answer to the PING of `isLive`, without which the page would give up while the network is silent.
      await talk.say();
      await until(() => page.heard(talk.newestId), "what is said is not heard");
      relay.silence();
      for (let at = 0; at < 12; at++) await talk.react(at, alice);
      await page.history.newest(talk.channelId);
      expect(page.chat.state.connection.is).toBe("live");
      line.asked.length = 0;
      relay.cut();
      relay.restore();
      await page.settle();
      await page.becomesPieces(await talk.listed());
      expect(line.asked).toEqual([`/channels/${talk.channelId}/messages`]);
      page.close();
    },
    patienceMs,
  );

  test(
    "a reaction that a page has already is not counted again when something of another server is heard before it",
    async () => {
      const { talk, page, writer, reader } = await opened(3);
      const other = await writer.makeServer("Debian");
      await writer.bringIn(other.id, reader);
      const sayElsewhere = () => writer.say(other.general.id, "elsewhere");
      const first = await sayElsewhere();
      await until(() => page.heard(first.id), "the other server is not heard");
      relay.hold();
      const elsewhere = await sayElsewhere();
      await until(() => relay.held > 0, "nothing is told");
      const { held } = relay;
      await talk.react(0, alice);
      await until(() => relay.held > held, "the reaction is not told");
      await page.history.newest(talk.channelId);
      for (let passed = 0; passed < held; passed++) relay.passNext();
      await until(() => page.heard(elsewhere.id), "what is said elsewhere is not heard");
      relay.restore();
      await talk.say();
      await until(() => page.heard(talk.newestId), "what is said is not heard");
      await page.becomesPieces(await talk.listed());
      page.close();
    },
    patienceMs,
  );

  test(
    "a message whose second fetch another cut ended is fetched again after that cut",
    async () => {
      const { talk, page } = await opened(3);
      relay.cut();
      await talk.react(1, alice);
      await page.history.newest(talk.channelId);
      line.isHeld = true;
      relay.restore();
      await page.isLive();
      await until(() => line.held > 0, "the message is not fetched again");
      relay.cut();
      await until(() => page.chat.state.connection.is !== "live", "the cut is not known");
      line.release({ areLost: true });
      relay.restore();
      await page.settle();
      await page.becomesPieces(await talk.listed());
      page.close();
    },
    patienceMs,
  );

  test(
    "a correction's answer takes nothing back that was heard before it came",
    async () => {
      const { talk, page } = await opened(3);
      await page.history.newest(talk.channelId);
      const [answered] = await talk.listed();
      if (!answered) throw new Error("nothing was said");
      const answer = Promise.withResolvers<Message>();
      const replacing = page.history.replace(talk.channelId, answer.promise);
      await talk.react(2, alice);
      await talk.correct(2);
      await talk.say();
      await until(() => page.heard(talk.newestId), "what is said is not heard");
      answer.resolve(answered);
      await replacing;
      page.expectPieces(await talk.listed());
      page.close();
    },
    patienceMs,
  );

  test(
    "after a sleep that no replay covers nothing new is put behind a gap, and a jump knows nothing of the old end",
    async () => {
      const { talk, page } = await opened(70);
      await page.history.newest(talk.channelId);
      relay.cut();
      await talk.changeRights();
      for (let i = 0; i < 160; i++) await talk.say();
      relay.restore();
      await page.isLive();
      await talk.say();
      await until(() => page.heard(talk.newestId), "what is said is not heard");
      expect(page.window?.live?.messages[0]?.id).toBe(talk.said[69]?.id);
      await page.history.around(talk.channelId, talk.said[150]?.id ?? "");
      page.expectNoGap();
      await page.settle();
      page.expectPieces(await talk.listed());
      page.close();
    },
    patienceMs,
  );

  test(
    "a page that never comes is given up, and asked for anew",
    async () => {
      const { talk, page } = await opened(3);
      line.isHeld = true;
      const lost = page.history.newest(talk.channelId).then(
        () => "came",
        (error) => error.code,
      );
      await until(() => line.held > 0, "the page is not asked for");
      page.history.giveUp(talk.channelId);
      expect(await lost).toBe("unreachable");
      line.isHeld = false;
      await page.history.newest(talk.channelId);
      page.expectPieces(await talk.listed());
      line.release();
      page.close();
    },
    patienceMs,
  );

  test(
    "posts, corrections, deletions, jumps, pages and sleeps in any order: what is held is what the server lists, each once",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(130),
          fc.array(step, { minLength: 20, maxLength: 45 }),
          async (count, steps) => {
            const { talk, page } = await opened(count);
            await page.history.newest(talk.channelId);
            for (const [i, each] of steps.entries()) {
              await each({ talk, page, relay });
              page.expectNoGap();
              if (i % 9 < 8) continue;
              relay.restore();
              await page.settle();
              await page.becomesPieces(await talk.listed());
            }
            relay.restore();
            await page.settle();
            await page.becomesPieces(await talk.listed());
            page.close();
          },
        ),
        {
          numRuns: 8,
          endOnFailure: true,
          interruptAfterTimeLimit: patienceMs / 2,
          markInterruptAsFailure: false,
        },
      );
    },
    patienceMs,
  );
});

interface Scene {
  talk: Talk;
  page: Page;
  relay: Relay;
}

type Step = (scene: Scene) => Promise<void> | void;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Step>(({ talk }) => talk.say()) },
  {
    weight: 3,
    arbitrary: fc.nat().map(
      (at): Step =>
        ({ talk }) =>
          talk.correct(at),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.nat().map(
      (at): Step =>
        ({ talk }) =>
          talk.react(at),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.nat().map(
      (at): Step =>
        ({ talk }) =>
          talk.takeBack(at),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.nat().map(
      (at): Step =>
        ({ talk }) =>
          talk.delete(at),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constant<Step>(({ page, talk }) => page.ask(page.history.older(talk.channelId))),
  },
  {
    weight: 4,
    arbitrary: fc.constant<Step>(({ page, talk }) => page.ask(page.history.newer(talk.channelId))),
  },
  {
    weight: 4,
    arbitrary: fc.nat().map(
      (at): Step =>
        ({ page, talk }) => {
          const id = talk.said[at % (talk.said.length || 1)]?.id;
          if (id) page.ask(page.history.around(talk.channelId, id));
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Step>(({ page, talk }) => page.ask(page.history.present(talk.channelId))),
  },
  {
    weight: 1,
    arbitrary: fc.boolean().map(
      (isHeld): Step =>
        ({ page, talk }) =>
          page.history.hold(talk.channelId, isHeld),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.boolean().map(
      (isHidden): Step =>
        ({ page }) => {
          page.isHidden = isHidden;
          page.draw();
        },
    ),
  },
  { weight: 2, arbitrary: fc.constant<Step>(({ relay }) => relay.cut()) },
  {
    weight: 3,
    arbitrary: fc.constant<Step>(({ relay, page }) => {
      relay.restore();
      page.chat.connection.tryNow();
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>(async ({ relay, talk, page }) => {
      relay.cut();
      await talk.changeRights();
      await talk.say();
      relay.restore();
      page.chat.connection.tryNow();
    }),
  },
);
