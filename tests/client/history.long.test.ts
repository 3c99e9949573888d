// A page's messages against a real house: with posts, edits and deletions during requests, cut sockets and long sleeps,
// the page always holds a part of the server's list.
import { describe, test } from "bun:test";
import fc from "fast-check";
import type { Page, Talk } from "./read-along.ts";
import { patienceMs, readingHouse } from "./reading-house.ts";
import type { Relay } from "./relay.ts";

describe("the history of a channel", () => {
  const { opened } = readingHouse();

  test(
    "posts, corrections, deletions, jumps, pages and sleeps in any order: what is held is what the server lists, each once",
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat(130),
          fc.array(step, { minLength: 20, maxLength: 45 }),
          async (count, steps) => {
            const { talk, page, relay } = await opened(count);
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
