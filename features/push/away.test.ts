// Nothing is pushed while a person is active on one of their sockets, unless they chose otherwise.
import { afterEach, expect, test } from "bun:test";
import type { Browser } from "../../tests/doubles/web-push.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import { letPassInSilence } from "../../tests/house/scenes/activity.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { allPushed, neighboursWithBrowsers, withPushService } from "../../tests/house/scenes/pushes.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";

// The silence is simulated in one process; other processes go by the clock.
withPushService(
  "pushes and activity",
  (house, service) => {
    const ears: Ear[] = [];
    afterEach(() => {
      for (const ear of ears.splice(0)) ear.close();
    });
    const got = (browser: Browser) =>
      service()
        .notices(browser)
        .map((notice) => String(notice.body).split(" ")[1]);

    async function scene() {
      letPassInSilence(house(), 0);
      const { alice, bob, general, his } = await neighboursWithBrowsers(house(), service());
      const say = async (text: string) => {
        await alice.say(general, `<@${bob.id}> ${text}`);
        await allPushed(house());
      };
      const listen = async () => {
        const ear = await bob.listen();
        ears.push(ear);
        return ear;
      };
      return { alice, bob, general, his, say, listen };
    }

    test("who just signed in is active for a minute; PING keeps nobody active, every other frame does", async () => {
      const { general, his, say, listen } = await scene();
      await say("offline");
      const ear = await listen();
      await say("signed-in");
      letPassInSilence(house(), 45_000);
      ear.say("PING");
      await ear.next("PONG");
      await say("after-45s");
      letPassInSilence(house(), 15_500);
      await say("after-a-minute");
      ear.say("PING");
      await ear.settle();
      await say("after-a-ping");
      ear.say("TYPING_START", { channel_id: general });
      await ear.settle();
      await say("typing");
      letPassInSilence(house(), 61_000);
      ear.say("NO_SUCH_FRAME");
      await ear.next("ERROR");
      await say("refused");
      expect(got(his)).toEqual(["offline", "after-a-minute", "after-a-ping"]);
    });

    test("one active socket is enough, whichever; once it is closed it is none", async () => {
      const { his, say, listen } = await scene();
      const first = await listen();
      letPassInSilence(house(), 61_000);
      const second = await listen();
      await say("on-the-second");
      second.close();
      await second.closed;
      await say("closed");
      first.say("PRESENCE_UPDATE", { status: "online" });
      await first.settle();
      await say("on-the-first");
      expect(got(his)).toEqual(["closed"]);
    });

    test("always: pushed all the same, until away is chosen again; what was held back does not come later", async () => {
      const { bob, his, say, listen } = await scene();
      await listen();
      await say("away");
      await bob.put("/auth/me/push-settings", { when: "always" });
      await say("always");
      await bob.put("/auth/me/push-settings", { when: "away" });
      await say("away-again");
      letPassInSilence(house(), 61_000);
      await say("silent");
      expect(got(his)).toEqual(["always", "silent"]);
    });

    test("each person's activity is their own", async () => {
      const { alice, his, say } = await scene();
      ears.push(await alice.listen());
      await say("while-alice-is-there");
      expect(got(his)).toEqual(["while-alice-is-there"]);
    });
  },
  onOneProcess,
);

onOneProcess("the status that one has already, said again", (house) => {
  test("keeps one active, writes nothing and is told to nobody", async () => {
    const { alice, bob } = await neighbours(house());
    const hers = await alice.listen();
    const ear = await bob.listen();
    await hers.until(({ type, data }) => type === "PRESENCE_UPDATE" && String(data.user_id) === bob.id);
    const { activity, database, isShared, metrics } = house().running.house;
    // Storing the connection is a commit of its own, as other processes have to know of it.
    const connected = database.read.selectFrom("connections").select("user_id");
    await until(
      async () => !isShared || (await connected.execute()).length === 2,
      "who is connected is not written down",
    );
    letPassInSilence(house(), 61_000);
    expect((await activity.activeAmong([bob.id])).size).toBe(0);
    const heard = hers.heard("PRESENCE_UPDATE").length;
    // A job in progress finishes with its commit.
    await house().quiet();
    const { commits } = metrics;
    const { statements } = await statementsOf(house(), async () => {
      ear.say("PRESENCE_UPDATE", { status: "online" });
      await ear.settle();
    });
    // On PostgreSQL, other processes learn who is connected and when they were last active.
    const written = statements.filter(
      (text) => !/^\s*(select|insert into ("notices"|connections))/i.test(text),
    );
    expect(written).toEqual([]);
    expect(metrics.commits).toBe(commits);
    await hers.settle();
    expect(hers.heard("PRESENCE_UPDATE")).toHaveLength(heard);
    expect((await activity.activeAmong([bob.id])).size).toBe(1);
  });
});
