// Crowds with every message wanted: a post costs nothing for those who do not want it, and each who does gets it once.
import { expect, test } from "bun:test";
import type { Browser } from "../../tests/doubles/web-push.ts";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import { comeIn, crowd } from "../../tests/house/scenes/crowd.ts";
import {
  allPushed,
  neighboursWithBrowsers,
  pushedUntil,
  restartDuringPushes,
  wantAll,
  withPushService,
} from "../../tests/house/scenes/pushes.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { fanOut } from "./fan-out.ts";
import { noteSubscriber } from "./subscribers.ts";
import { noteWanting } from "./wanting.ts";

withPushService("pushes of every message to many", (house, service) => {
  test("each of 450 gets it once, be it called or not; a restart in the middle loses and repeats none", async () => {
    const { alice, home, general } = await neighboursWithBrowsers(house(), service());
    const ids = await crowd(house(), alice, 450);
    await comeIn(house(), home.id, ids);
    const browsers = await wantAll(house(), home, alice, ids, service());
    const got = (browser: Browser) =>
      service()
        .notices(browser)
        .map(({ type, body }) => `${type} ${String(body).split(" ")[0]}`);
    async function restartInTheMiddle(text: string): Promise<boolean> {
      const before = service().reached.length;
      await alice.say(general, text);
      await pushedUntil(house(), () => service().reached.length > before + 20, "nothing is under way");
      const hadEnded = await restartDuringPushes(house());
      service().serve(house());
      return hadEnded;
    }
    let text = "one";
    const givenUp = new Set<string>();
    while (!(await restartInTheMiddle(text))) {
      givenUp.add(`message ${text}`);
      await allPushed(house());
      for (const browser of browsers) expect(got(browser)).toContain(`message ${text}`);
      text = `one-${givenUp.size}`;
    }
    await alice.say(general, "two @everyone");
    await alice.say(general, "three @everyone");
    await allPushed(house());
    for (const browser of browsers) {
      const once = got(browser).filter((line) => !givenUp.has(line));
      expect(once.sort()).toEqual(["mention three", "mention two", `message ${text}`]);
    }
  });
});

onOneProcess("a post in a crowd of 10,000, where few want every message", (house) => {
  test("asks nothing of its members, and the fan-out looks at those few alone", async () => {
    const alice = await house().person("alice");
    const [small, large] = [await alice.makeServer("Small"), await alice.makeServer("Large")];
    const ids = await crowd(house(), alice, 10_000);
    await comeIn(house(), large.id, ids);
    // They want every message, but have no browser to receive it.
    await wantAll(house(), large, alice, ids.slice(0, 2000));
    const { house: running } = house().running;
    const few = ids.slice(5000, 5003);
    await wantAll(house(), large, alice, few);
    for (const id of few) {
      noteSubscriber(running, id);
      noteWanting(running, id, large.id);
    }
    const post = (channelId: string) => statementsOf(house(), () => alice.say(channelId, "hello"));
    await alice.say(small.general.id, "first");
    await alice.say(large.general.id, "first");
    const inSmall = await post(small.general.id);
    const inLarge = await post(large.general.id);
    // One row more: the message is queued for its fan-out.
    const others = inLarge.statements.filter((text) => !text.includes("push_messages"));
    // Where nobody seems to want a message, the server checks whether another process knows better.
    const known = inSmall.statements.filter((text) => !text.includes("push_version"));
    expect(others).toEqual(known);
    expect(inLarge.rowsInOneTurn).toBeLessThanOrEqual(inSmall.rowsInOneTurn + 1);
    const spread = await statementsOf(house(), async () => {
      while (await fanOut(running));
    });
    expect(spread.rowsInOneTurn).toBeLessThan(20);
    expect(spread.statements.some((text) => text.includes("notification_settings"))).toBe(true);
    const { read } = running.database;
    expect(await read.selectFrom("push_messages").selectAll().execute()).toEqual([]);
  });
});
