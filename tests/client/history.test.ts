// A page's history of a channel, with requests, events, disconnects and sleeps: always a part of the server's list.
import { describe, expect, test } from "bun:test";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import type { Page, Talk } from "./read-along.ts";
import { patienceMs, readingHouse } from "./reading-house.ts";
import type { Relay } from "./relay.ts";

// Reactors and their emoji, for `Talk.react`.
const [alice, bob, alicesMoon, bobsMoon] = [0, 1, 2, 3];

describe("the history of a channel", () => {
  const { opened } = readingHouse();

  test(
    "what is said while its page is on its way, and not drawn yet, is not lost",
    async () => {
      const { talk, page, line } = await opened(3);
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
      const { talk, page, relay, line } = await opened(5);
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
      const { talk, page, relay, line } = await opened(12);
      // After the PONG of `isLive`, without which the page would give up the connection while the network is silent.
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
      const { talk, page, writer, reader, relay } = await opened(3);
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
      const { talk, page, relay, line } = await opened(3);
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
    "a message whose second fetch got lost is fetched again, though the connection is live",
    async () => {
      const { talk, page, relay, line } = await opened(3);
      relay.cut();
      await talk.react(1, alice);
      await page.history.newest(talk.channelId);
      line.isHeld = true;
      relay.restore();
      await page.isLive();
      await until(() => line.held > 0, "the message is not fetched again");
      line.release({ areLost: true });
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
      const { talk, page, relay } = await opened(70);
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
    "a jump that its reader gave up, or that another one follows, shows nothing when its page comes",
    async () => {
      const { talk, page, line } = await opened(300);
      const { history } = page;
      const { channelId } = talk;
      const [first = "", second = ""] = [talk.said[20]?.id, talk.said[150]?.id];
      await history.newest(channelId);
      line.isHeld = true;
      let wanted = first;
      const around = (id: string) => history.around(channelId, id, () => wanted !== id);
      const givenUp = around(first);
      await until(() => line.held > 0, "the page is not asked for");
      wanted = second;
      line.release();
      await givenUp;
      expect(page.window?.far).toBeUndefined();

      const [early, late] = [around(second), around(first)];
      line.release();
      await Promise.all([early, late]);
      const shown = page.window?.far?.messages.map(({ id }) => id);
      expect([shown?.includes(second), shown?.includes(first)]).toEqual([true, false]);
      page.close();
    },
    patienceMs,
  );

  test(
    "a page that never comes is given up, and asked for anew",
    async () => {
      const { talk, page, line } = await opened(3);
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
    "a jump leads to a page apart; from there one goes back to the newest at once, or reads on to both ends",
    async () => {
      const { talk, page } = await opened(170);
      const { history } = page;
      const { channelId } = talk;
      const jump = () => history.around(channelId, talk.said[60]?.id ?? "");
      await history.newest(channelId);
      await jump();
      expect(page.window).toMatchObject({ live: { hasOlder: true }, far: { hasOlder: true } });
      await history.present(channelId);
      expect([page.window?.far, page.window?.live?.messages.length]).toEqual([undefined, 50]);
      await jump();
      const all = await talk.listed();
      page.expectPieces(all);
      for (let turns = 0; page.window?.far && turns < 9; turns++) await history.newer(channelId);
      for (let turns = 0; page.window?.live?.hasOlder && turns < 9; turns++) await history.older(channelId);
      page.expectPieces(all);
      expect([page.window?.live?.hasOlder, page.window?.live?.messages.length]).toEqual([false, 170]);
      page.close();
    },
    patienceMs,
  );

  test(
    "a page from before a fresh READY is not shown, and what is wanted twice is asked for once",
    async () => {
      const { talk, page, relay, line } = await opened(3);
      line.asked.length = 0;
      line.isHeld = true;
      const twice = [page.history.newest(talk.channelId), page.history.newest(talk.channelId)];
      await until(() => line.held > 0, "the page is not asked for");
      await missSomething({ talk, page, relay });
      line.release();
      await Promise.all(twice);
      expect([page.window, line.asked.length]).toEqual([undefined, 1]);
      expect(page.history.isFresh(talk.channelId)).toBe(false);
      await page.history.newest(talk.channelId);
      expect(page.history.isFresh(talk.channelId)).toBe(true);
      page.close();
    },
    patienceMs,
  );

  test(
    "a jump that is answered while the page is renewed stays, with the newest messages beside it",
    async () => {
      const { talk, page, relay, line } = await opened(300);
      const { history } = page;
      const { channelId } = talk;
      await history.newest(channelId);
      await missSomething({ talk, page, relay });
      line.isHeld = true;
      const renewing = history.renew(channelId, talk.said[290]?.id);
      await until(() => line.held === 2, "the pages are not asked for");
      line.isHeld = false;
      const target = talk.said[20]?.id ?? "";
      await history.around(channelId, target);
      line.release();
      await renewing;
      expect(page.window?.far?.messages.map(({ id }) => id)).toContain(target);
      expect(history.isFresh(channelId)).toBe(true);
      page.expectPieces(await talk.listed());
      page.close();
    },
    patienceMs,
  );

  test(
    "of a channel that is not shown any more the newest fifty stay, until twenty others were shown or events were missed",
    async () => {
      const { talk, page, relay } = await opened(60);
      const { history } = page;
      const { channelId } = talk;
      const count = () => page.window?.live?.messages.length;
      const showOthers = (from: number, to: number) => {
        for (let i = from; i < to; i++) history.show(`room ${i}`);
      };
      history.show(channelId);
      await history.newest(channelId);
      await history.older(channelId);
      history.show(channelId);
      expect(count()).toBe(60);
      showOthers(0, 1);
      expect(count()).toBe(50);
      showOthers(1, 19);
      expect(count()).toBe(50);
      showOthers(19, 20);
      expect(page.window).toBeUndefined();

      history.show(channelId);
      await history.newest(channelId);
      await missSomething({ talk, page, relay });
      expect(count()).toBe(50);
      showOthers(0, 1);
      expect(page.window).toBeUndefined();
      page.close();
    },
    patienceMs,
  );
});

interface Scene {
  talk: Talk;
  page: Page;
  relay: Relay;
}

/** Causes a change while the page is cut off that cannot be replayed: it gets a fresh READY. */
async function missSomething({ talk, page, relay }: Scene): Promise<void> {
  const { generation } = page.chat.state;
  relay.cut();
  await talk.changeRights();
  relay.restore();
  await until(() => {
    page.chat.connection.tryNow();
    return page.chat.state.generation > generation;
  }, "READY does not come");
}
