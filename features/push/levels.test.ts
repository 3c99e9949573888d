// Pushes obey notification settings at the time of sending: all, mentions, none and muted, channel before server.
import { expect, setSystemTime, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import type { House } from "../../server/house/house.ts";
import { newId } from "../../server/tokens.ts";
import type { Browser } from "../../tests/doubles/web-push.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { comeIn, crowd, fill } from "../../tests/house/scenes/crowd.ts";
import {
  allPushed,
  allPushedInTime,
  browserOf,
  neighboursWithBrowsers as neighbours,
  pushedUntil,
  wantAll,
  withPushService,
} from "../../tests/house/scenes/pushes.ts";
import { stored } from "../../tests/house/scenes/read-states.ts";
import { fanOut } from "./fan-out.ts";

const hour = 3600_000;

async function set(person: TestPerson, path: string, body: object): Promise<void> {
  expect((await person.put(`${path}/notification-settings`, body)).status).toBe(204);
}

withPushService("pushes and notification settings", (house, service) => {
  const got = (browser: Browser) =>
    service()
      .notices(browser)
      .map((notice) => `${notice.type}: ${notice.body}`);

  test("all: every message, by people, bots and webhooks; what mentions one is a mention, one's own is none", async () => {
    const { alice, bob, home, general, his, carols } = await neighbours(house(), service());
    await set(bob, `/servers/${home.id}`, { level: "all" });
    await bob.say(general, "Tea for me");
    const said = await alice.say(general, "Tea?");
    await alice.say(general, `Tea, <@${bob.id}>?`);
    const bot = await TestBot.make(alice);
    await bot.enter(home.id);
    await bot.say(general, "The kettle boils");
    const webhook = (await alice.post(`/channels/${general}/webhooks`, { name: "Kitchen" })).body;
    await alice.post(`/webhooks/${webhook.id}/${webhook.token}`, { content: "The tea is ready" });
    await allPushed(house());
    expect(got(his).sort()).toEqual([
      "mention: Tea, @bob?",
      "message: Tea?",
      "message: The kettle boils",
      "message: The tea is ready",
    ]);
    expect(service().notices(his)).toContainEqual({
      type: "message",
      server_id: home.id,
      channel_id: general,
      message_id: said.id,
      title: "alice (#general, Home)",
      body: "Tea?",
      url: `${house().publicUrl}/servers/${home.id}/channels/${general}/messages/${said.id}`,
    });
    expect(got(carols)).toEqual([]);
  });

  test("all and called by a role or everyone: one push, as a mention, also where the sender has called a moment ago", async () => {
    const { alice, bob, carol, home, general, his, carols } = await neighbours(house(), service());
    const role = await alice.giveRole(home.id, bob, 0);
    await set(bob, `/channels/${general}`, { level: "all" });
    await alice.say(general, "one @everyone");
    await alice.say(general, `two @everyone <@&${role.id}>`);
    await alice.say(general, `three <@&${role.id}> <@${carol.id}>`);
    await allPushed(house());
    const counted = (browser: Browser) =>
      got(browser)
        .map((each) => each.split(" ").slice(0, 2).join(" "))
        .sort();
    expect(counted(his)).toEqual(["mention: one", "mention: three", "mention: two"]);
    expect(counted(carols)).toEqual(["mention: one", "mention: three"]);
  });

  test("mentions by default and chosen, none and muted: whoever is called hears of it or not", async () => {
    const { alice, bob, home, general, his } = await neighbours(house(), service());
    const say = async (text: string) => {
      await alice.say(general, `<@${bob.id}> ${text}`);
      await alice.say(general, `nobody ${text}`);
      await allPushed(house());
    };
    const muted_until = new Date(Date.now() + hour).toISOString();
    await say("default");
    await set(bob, `/servers/${home.id}`, { level: "none" });
    await say("none");
    await set(bob, `/channels/${general}`, { level: "mentions" });
    await say("the channel's own");
    await set(bob, `/channels/${general}`, { level: "all", muted_until });
    await say("the channel is muted");
    await set(bob, `/channels/${general}`, { level: "all" });
    await set(bob, `/servers/${home.id}`, { level: "all", muted_until });
    await say("the server is muted");
    await set(bob, `/servers/${home.id}`, { level: "all" });
    await set(bob, `/channels/${general}`, { level: "none" });
    await say("the channel is none");
    await set(bob, `/channels/${general}`, { level: null });
    await say("the server's");
    expect(got(his)).toEqual([
      "mention: @bob default",
      "mention: @bob the channel's own",
      "mention: @bob the server's",
      "message: nobody the server's",
    ]);
  });

  test("what was muted until a time is not muted after it", async () => {
    const { alice, bob, home, general, his } = await neighbours(house(), service());
    await set(bob, `/servers/${home.id}`, { muted_until: new Date(Date.now() + hour).toISOString() });
    await alice.say(general, `<@${bob.id}> before`);
    await allPushed(house());
    try {
      setSystemTime(Date.now() + 2 * hour);
      await alice.say(general, `<@${bob.id}> after`);
      await allPushed(house());
    } finally {
      setSystemTime();
    }
    expect(got(his)).toEqual(["mention: @bob after"]);
  });

  test("all of one channel is not all of another; a browser that is subscribed later gets what comes then", async () => {
    const { alice, bob, home, general, his } = await neighbours(house(), service());
    const den = String((await alice.post("/channels", { server_id: home.id, name: "den" })).body.id);
    const dave = await house().person("dave");
    await alice.bringIn(home.id, dave);
    await set(bob, `/channels/${den}`, { level: "all" });
    for (const path of [`/servers/${home.id}`, `/channels/${general}`])
      await set(dave, path, { level: "all" });
    await alice.say(general, "in general");
    await alice.say(den, "in the den");
    await allPushed(house());
    const his2 = await browserOf(dave, service());
    await alice.say(general, "in general again");
    await allPushed(house());
    expect(got(his)).toEqual(["message: in the den"]);
    expect(got(his2)).toEqual(["message: in general again"]);
  });

  test("settings, subscriptions and what is queued outlive a restart", async () => {
    const { alice, bob, home, general, his } = await neighbours(house(), service());
    await set(bob, `/servers/${home.id}`, { level: "all" });
    await alice.say(general, "before it");
    await house().restart();
    service().serve(house());
    await alice.say(general, "after it");
    await allPushed(house());
    expect(got(his).sort()).toEqual(["message: after it", "message: before it"]);
  });

  test("blocks, do-not-disturb and sight count for all as they do for mentions", async () => {
    const { alice, bob, carol, home, general, his, carols } = await neighbours(house(), service());
    for (const person of [bob, carol]) await set(person, `/servers/${home.id}`, { level: "all" });
    await bob.put(`/blocks/${alice.id}`);
    await carol.put("/auth/me/presence", { status: "dnd" });
    await alice.say(general, "one");
    await allPushed(house());
    expect([got(his), got(carols)]).toEqual([[], []]);
    await bob.delete(`/blocks/${alice.id}`);
    await carol.put("/auth/me/presence", { status: "online" });
    await alice.giveRole(home.id, carol, permission.VIEW_CHANNEL);
    await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 0 });
    await alice.say(general, "two");
    await allPushed(house());
    expect([got(his), got(carols)]).toEqual([[], ["message: two"]]);
    await alice.delete(`/servers/${home.id}/members/${carol.id}`);
    await alice.say(general, "three");
    await allPushed(house());
    expect(got(carols)).toEqual(["message: two"]);
  });

  test("an edit pushes nothing: neither again, nor to whom it mentions only now, nor at once after the post", async () => {
    const { alice, bob, carol, home, general, his, carols } = await neighbours(house(), service());
    await set(bob, `/servers/${home.id}`, { level: "all" });
    const said = await alice.say(general, "Dinner");
    await alice.patch(`/messages/${said.id}`, { content: `Dinner, <@${carol.id}> and <@${bob.id}>!` });
    await allPushed(house());
    expect([got(his), got(carols)]).toEqual([["message: Dinner, @carol and @bob!"], []]);
    await alice.patch(`/messages/${said.id}`, { content: `@everyone dinner` });
    await allPushed(house());
    expect([got(his).length, got(carols).length]).toEqual([1, 0]);
    // A mention that an edit removes no longer counts.
    const called = await alice.say(general, `<@${carol.id}> <@${bob.id}>`);
    await alice.patch(`/messages/${called.id}`, { content: "Never mind" });
    await allPushed(house());
    expect([got(his).slice(1), got(carols)]).toEqual([["message: Never mind"], []]);
  });

  const meanwhile: Record<string, (bob: TestPerson, general: string, said: string) => Promise<unknown>> = {
    "read it": (bob, general, said) => bob.put(`/channels/${general}/read`, { message_id: said }),
    "read it, which is stored": async (bob, general, said) => {
      await bob.put(`/channels/${general}/read`, { message_id: said });
      await stored(house());
    },
    "answered it": (bob, general) => bob.say(general, "I am here"),
    "muted the channel": (bob, general) =>
      set(bob, `/channels/${general}`, { muted_until: "9999-12-31T23:59:59.999Z" }),
    "chosen none": (bob, general) => set(bob, `/channels/${general}`, { level: "none" }),
    "come back": async (bob) => {
      await bob.listen();
      // Another process, perhaps the pushing one, reads it a moment later.
      const isActiveAt = async ({ house: { activity } }: { house: House }) =>
        (await activity.activeAmong([bob.id])).has(bob.id);
      for (const each of house().all) await until(() => isActiveAt(each), "Bob is not seen to be active");
    },
  };
  for (const [what, act] of Object.entries(meanwhile)) {
    test(`nothing is pushed where Bob has ${what} by then, nor tried again where he has since the first try`, async () => {
      const { alice, bob, general, his } = await neighbours(house(), service());
      const said = await alice.say(general, `<@${bob.id}> are you there?`);
      await act(bob, general, said.id);
      await allPushed(house());
      expect(got(his)).toEqual([]);
      const { bob: other, alice: owner, general: room, his: browser } = await neighbours(house(), service());
      service().failNext(browser);
      const later = await owner.say(room, `<@${other.id}> and you?`);
      await pushedUntil(house(), () => service().at(browser).length === 1, "the first try did not come");
      await act(other, room, later.id);
      await allPushedInTime(house());
      expect(service().at(browser)).toHaveLength(1);
    });
  }

  test("what is marked as unread again is pushed", async () => {
    const { alice, bob, general, his } = await neighbours(house(), service());
    const before = await alice.say(general, "before");
    const said = await alice.say(general, `<@${bob.id}> look`);
    await bob.put(`/channels/${general}/read`, { message_id: said.id });
    await bob.put(`/channels/${general}/read`, { message_id: before.id });
    await allPushed(house());
    expect(got(his)).toEqual(["mention: @bob look"]);
  });

  test("each of 450 who want every message gets it once, mentioned or not", async () => {
    const { alice, bob, carol, home, general } = await neighbours(house(), service());
    const ids = await crowd(house(), alice, 450);
    await comeIn(house(), home.id, ids);
    await wantAll(house(), home, alice, ids, service());
    const [one, two] = [await alice.say(general, "one"), await alice.say(general, "two @everyone")];
    const { database } = house().running.house;
    await until(async () => {
      while (await fanOut(house().running.house));
      return (await database.read.selectFrom("push_messages").select("message_id").execute()).length === 0;
    }, "they are not fanned out");
    const rows = await database.read.selectFrom("push_deliveries").selectAll().execute();
    const reached = (messageId: string) =>
      rows
        .filter((row) => row.message_id === messageId)
        .map(({ user_id, is_mention }) => `${user_id} ${is_mention}`)
        .sort();
    expect(reached(one.id)).toEqual(ids.map((id) => `${id} 0`));
    expect(reached(two.id)).toEqual([...ids, bob.id, carol.id].map((id) => `${id} 1`).sort());
    await database.transaction((db) => db.deleteFrom("push_deliveries").execute());
  });

  test("a browser for which 500 deliveries wait gets no more of what does not mention its person", async () => {
    const { alice, bob, home, general, his, carols, carol } = await neighbours(house(), service());
    for (const person of [bob, carol])
      await person.put(`/servers/${home.id}/notification-settings`, { level: "all" });
    const { read } = house().running.house.database;
    const subscription = await read
      .selectFrom("push_subscriptions")
      .select("id")
      .where("user_id", "=", bob.id)
      .executeTakeFirstOrThrow();
    const due_at = Date.now() + 3600_000;
    const waiting = Array.from({ length: 500 }, () => ({
      ...{ id: newId(), message_id: newId(), user_id: bob.id, subscription_id: subscription.id },
      ...{ is_mention: 0, tries: 1, due_at, created_at: Date.now() },
    }));
    await fill(house(), "push_deliveries", waiting);
    await alice.say(general, "one");
    await alice.say(general, `two <@${bob.id}>`);
    const areOthersPushed = async () => {
      const rows = await read.selectFrom("push_deliveries").select("due_at").execute();
      return service().at(carols).length === 2 && rows.every((row) => row.due_at === due_at);
    };
    await pushedUntil(house(), areOthersPushed, "not all others are pushed");
    expect(
      service()
        .notices(his)
        .map(({ body }) => body),
    ).toEqual(["two @bob"]);
    await house().running.house.database.transaction((db) => db.deleteFrom("push_deliveries").execute());
  });
});
