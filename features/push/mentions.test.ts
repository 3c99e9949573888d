// Mentions push to the people who want them, and to nobody else: a push service decrypts what arrives.
import { expect, setSystemTime, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { runCommand } from "../../server/operator/listen.ts";
import { lowestId, newId } from "../../server/tokens.ts";
import type { Browser, PushService } from "../../tests/doubles/web-push.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import type { TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import {
  allPushed,
  allPushedInTime,
  browserOf,
  neighboursWithBrowsers as neighbours,
  pushedUntil,
  withPushService,
} from "../../tests/house/scenes/pushes.ts";
import { disableAccount } from "../accounts/access.ts";
import type { Role } from "../roles/contract.ts";
import { fanOut } from "./fan-out.ts";
import { takeTurn } from "./queue.ts";

withPushService("pushes of mentions", (house, service) => {
  const texts = (browser: Browser) =>
    service()
      .notices(browser)
      .map((notice) => notice.body);

  const firstTries = (...browsers: Browser[]) => {
    const areOver = () => browsers.every((browser) => service().at(browser).length === 1);
    return pushedUntil(house(), areOver, "the first tries did not come");
  };

  test("Alice mentions Bob: both his browsers get it, encrypted and signed; nobody else gets anything", async () => {
    const { alice, bob, home, general, hers, his, carols } = await neighbours(house(), service());
    const second = await browserOf(bob, service());
    const said = await alice.say(general, `Tea, <@${bob.id}>? ☕`);
    await alice.say(general, "Or coffee?");
    await allPushed(house());
    for (const browser of [his, second]) {
      expect(service().notices(browser)).toEqual([
        {
          type: "mention",
          server_id: home.id,
          channel_id: general,
          message_id: said.id,
          title: "alice (#general, Home)",
          body: "Tea, @bob? ☕",
          url: `${house().publicUrl}/servers/${home.id}/channels/${general}/messages/${said.id}`,
        },
      ]);
    }
    expect([texts(hers), texts(carols)]).toEqual([[], []]);
    const [push] = service().at(his);
    const publicKey = String((await bob.get("/push/vapid-public-key")).body.public_key);
    expect(push?.vapid).toMatchObject({
      aud: "https://push.example",
      sub: "mailto:nobody@example.com",
      key: publicKey,
    });
    expect((push?.vapid.exp ?? 0) * 1000 - Date.now()).toBeWithin(0, 24 * 3600_000);
    expect(push?.headers).toMatchObject({
      host: "push.example",
      "content-encoding": "aes128gcm",
      urgency: "high",
    });
    // In seconds.
    expect(push?.headers.ttl).toBe("86400");
  });

  test("a long message and long names stay under 4 KB", async () => {
    const { alice, bob, general, his } = await neighbours(house(), service());
    await alice.patch("/auth/me", { display_name: "🎈".repeat(64) });
    await alice.patch(`/channels/${general}`, { name: "🎈".repeat(100) });
    await alice.say(general, `@${bob.username} ${"🎈".repeat(3900)}`);
    await allPushed(house());
    const [push] = service().at(his);
    expect(push?.bytes).toBeLessThan(4096);
    expect(String(push?.notice?.body)).toEndWith("🎈…");
    expect(Array.from(String(push?.notice?.body))).toHaveLength(300);
    expect(String(push?.notice?.title)).toEndWith("🎈…");
    expect(Array.from(String(push?.notice?.title))).toHaveLength(150);
  });

  test("who may not see the channel, who left, and who was banned get nothing", async () => {
    const { alice, bob, carol, home, general, his, carols } = await neighbours(house(), service());
    const dave = await house().person("dave");
    await alice.bringIn(home.id, dave);
    const daves = await browserOf(dave, service());
    const seeing = await alice.giveRole(home.id, dave, permission.VIEW_CHANNEL);
    await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 0 });
    await alice.put(`/servers/${home.id}/bans/${carol.id}`);
    await alice.say(general, `<@${bob.id}> <@${carol.id}> <@${dave.id}> one`);
    await allPushed(house());
    expect([texts(his), texts(carols), texts(daves).length]).toEqual([[], [], 1]);
    await alice.delete(`/servers/${home.id}/roles/${seeing.id}`);
    await alice.say(general, `<@${dave.id}> two`);
    await allPushed(house());
    expect(texts(daves)).toHaveLength(1);
  });

  test("rights are looked at at every try: kicked after the first, Bob gets no second", async () => {
    const { alice, bob, home, general, his } = await neighbours(house(), service());
    service().failNext(his);
    await alice.say(general, `<@${bob.id}> goodbye`);
    await firstTries(his);
    await alice.delete(`/servers/${home.id}/members/${bob.id}`);
    await allPushedInTime(house());
    expect(service().at(his)).toHaveLength(1);
  });

  test("a message that is gone meanwhile is not sent, nor is one whose channel went", async () => {
    const { alice, bob, carol, home, general, his, carols } = await neighbours(house(), service());
    const room = String((await alice.post("/channels", { server_id: home.id, name: "a room" })).body.id);
    for (const browser of [his, carols]) service().failNext(browser);
    const said = await alice.say(general, `<@${bob.id}> never mind`);
    await alice.say(room, `<@${carol.id}> here`);
    await firstTries(his, carols);
    await alice.delete(`/messages/${said.id}`);
    await alice.delete(`/channels/${room}`);
    await allPushedInTime(house());
    expect([service().at(his).length, service().at(carols).length]).toEqual([1, 1]);
  });

  test("who blocks Alice gets no push of hers, gets others', and gets hers again afterwards", async () => {
    const { alice, bob, carol, general, his } = await neighbours(house(), service());
    await bob.put(`/blocks/${alice.id}`);
    await alice.say(general, `<@${bob.id}> one`);
    await carol.say(general, `<@${bob.id}> two`);
    await allPushed(house());
    expect(texts(his)).toEqual(["@bob two"]);
    await bob.delete(`/blocks/${alice.id}`);
    await alice.say(general, `<@${bob.id}> three`);
    await allPushed(house());
    expect(texts(his)).toEqual(["@bob two", "@bob three"]);
  });

  test("do-not-disturb is kept to, chosen or by the hour, connected or not; idle and invisible are no reason", async () => {
    const { alice, bob, general, his } = await neighbours(house(), service());
    const minutes = (from: number) => new Date(Date.now() + from * 60_000).toISOString().slice(11, 16);
    const later = {
      day: new Date(Date.now() + 120 * 60_000).getUTCDay(),
      start: minutes(120),
      end: minutes(180),
    };
    const hours = { time_zone: "UTC", windows: [later], dnd_outside: true };
    const say = async (text: string) => {
      await alice.say(general, `<@${bob.id}> ${text}`);
      await allPushed(house());
    };
    await bob.put("/auth/me/presence", { status: "dnd" });
    await say("chosen");
    await bob.put("/auth/me/presence", { status: "idle" });
    await say("idle");
    await bob.put("/auth/me/availability", hours);
    await say("outside");
    await bob.put("/auth/me/availability", { ...hours, dnd_outside: false });
    await bob.put("/auth/me/presence", { status: "invisible" });
    await say("invisible");
    expect(texts(his)).toEqual(["@bob idle", "@bob invisible"]);
  });

  test("nobody is pushed what they said themselves", async () => {
    const { alice, bob, general, hers, his } = await neighbours(house(), service());
    await alice.say(general, `<@${alice.id}> and @everyone: note to self, <@${bob.id}>`);
    await allPushed(house());
    expect([texts(hers).length, texts(his).length]).toEqual([0, 1]);
  });

  test("@everyone and a role reach their people once each, from those who may mention many, and not from others", async () => {
    const { alice, bob, carol, home, general, his, carols } = await neighbours(house(), service());
    const rooms = [general];
    for (const name of ["two", "three"]) {
      rooms.push(String((await alice.post("/channels", { server_id: home.id, name })).body.id));
    }
    const keepers = (
      await alice.post<Role>(`/servers/${home.id}/roles`, { name: "Keepers", permissions: 0, position: 1 })
    ).body;
    await alice.put(`/servers/${home.id}/members/${carol.id}/roles`, { role_ids: [keepers.id] });
    await bob.say(general, `@everyone <@&${keepers.id}> help`);
    await alice.say(rooms[0] ?? "", `@everyone and <@${bob.id}> one`);
    await alice.say(rooms[1] ?? "", `<@&${keepers.id}> two`);
    await alice.say(rooms[2] ?? "", "nobody three");
    await allPushed(house());
    expect(texts(his)).toEqual(["@everyone and @bob one"]);
    expect(
      texts(carols)
        .map((text) => String(text).slice(-3))
        .sort(),
    ).toEqual(["one", "two"]);
  });

  test("whoever comes in after @everyone was called has read it, and gets nothing of it", async () => {
    const { alice, home, general, his } = await neighbours(house(), service());
    const dave = await house().person("dave");
    const daves = await browserOf(dave, service());
    await alice.say(general, "@everyone before");
    await alice.bringIn(home.id, dave);
    await allPushed(house());
    expect([texts(his), texts(daves)]).toEqual([["@everyone before"], []]);
  });

  test("once a minute a sender may mention many in a channel; names, others and other channels are not held up", async () => {
    const { alice, bob, home, general, his, carols } = await neighbours(house(), service());
    const room = String((await alice.post("/channels", { server_id: home.id, name: "a room" })).body.id);
    const dave = await house().person("dave");
    await alice.bringIn(home.id, dave);
    await alice.giveRole(home.id, dave, permission.MANAGE_MESSAGES);
    await alice.say(general, "@everyone one");
    await alice.say(general, "@everyone two");
    await alice.say(general, `@everyone <@${bob.id}> three`);
    await alice.say(room, "@everyone four");
    await dave.say(general, "@everyone five");
    await allPushed(house());
    expect(texts(carols).sort()).toEqual(["@everyone five", "@everyone four", "@everyone one"]);
    expect(texts(his).sort()).toEqual([
      "@everyone @bob three",
      "@everyone five",
      "@everyone four",
      "@everyone one",
    ]);
  });

  test("after a minute, and not before, the same sender may mention many there again", async () => {
    const [sender, channel, at] = [newId(), newId(), Date.now()];
    const turn = (afterMs: number) =>
      house().running.house.write(({ db }) => takeTurn(db, sender, channel, at + afterMs));
    const turns = [];
    for (const afterMs of [0, 1, 59_999, 60_000, 60_001]) turns.push(await turn(afterMs));
    expect(turns).toEqual([true, false, false, true, false]);
  });

  test("of messages that together mention more people than fit into a piece none is passed over", async () => {
    const { alice, bob, general } = await neighbours(house(), service());
    const { id } = await alice.say(general, `<@${bob.id}> one of many`);
    const { database } = house().running.house;
    const { read } = database;
    const said = read.selectFrom("messages").selectAll().where("id", "=", id);
    const queued = read.selectFrom("push_messages").selectAll().where("message_id", "=", id);
    const [message, waiting] = [await said.executeTakeFirstOrThrow(), await queued.executeTakeFirstOrThrow()];
    const others = Array.from({ length: 230 }, newId);
    await fill(
      house(),
      "messages",
      others.map((id) => ({ ...message, id })),
    );
    await fill(
      house(),
      "push_messages",
      others.map((message_id) => ({ ...waiting, message_id })),
    );
    await until(async () => {
      while (await fanOut(house().running.house));
      return (await read.selectFrom("push_messages").select("message_id").execute()).length === 0;
    }, "they are not fanned out");
    const deliveries = await read
      .selectFrom("push_deliveries")
      .select("message_id")
      .where("user_id", "=", bob.id)
      .execute();
    expect(deliveries.map((row) => row.message_id).sort()).toEqual([id, ...others].sort());
    await database.transaction((db) => db.deleteFrom("push_deliveries").execute());
  });

  test("mentions of many of a day when the clock was ahead hold up none of today's", async () => {
    const { alice, general, his } = await neighbours(house(), service());
    setSystemTime(Date.now() + 20 * 24 * 3600_000);
    try {
      await alice.say(general, "@everyone from the future");
      await allPushed(house());
    } finally {
      setSystemTime();
    }
    await alice.say(general, "@everyone now");
    await allPushed(house());
    expect(texts(his)).toEqual(["@everyone from the future", "@everyone now"]);
  });

  test("@everyone in a house of five hundred reaches each browser once", async () => {
    const { alice, home, general } = await neighbours(house(), service());
    const crowd = await fillWithBrowsers(house(), service(), home.id, alice, 500);
    await alice.say(general, "@everyone fire drill");
    await allPushed(house());
    for (const browser of crowd) expect(texts(browser)).toEqual(["@everyone fire drill"]);
  });

  test("an endpoint that moved from Bob to Carol pushes hers and no longer his", async () => {
    const { alice, bob, carol, general, his } = await neighbours(house(), service());
    await carol.post("/push/subscribe", his.subscription);
    await alice.say(general, `<@${bob.id}> for Bob`);
    await alice.say(general, `<@${carol.id}> for Carol`);
    await allPushed(house());
    expect(texts(his)).toEqual(["@carol for Carol"]);
  });

  test("nor, when it moves while his is put off, what was for Bob before", async () => {
    const { alice, bob, carol, general, his } = await neighbours(house(), service());
    service().failNext(his);
    await alice.say(general, `<@${bob.id}> for Bob`);
    await firstTries(his);
    await carol.post("/push/subscribe", his.subscription);
    await allPushedInTime(house());
    expect(service().at(his)).toHaveLength(1);
    await alice.say(general, `<@${carol.id}> for Carol`);
    await allPushed(house());
    expect(texts(his)).toEqual(["@bob for Bob", "@carol for Carol"]);
  });

  test("an account that is disabled while a push of its is put off gets no second try", async () => {
    const { alice, bob, carol, general, his, carols } = await neighbours(house(), service());
    for (const browser of [his, carols]) service().failNext(browser);
    await alice.say(general, `<@${bob.id}> <@${carol.id}> are you there?`);
    await firstTries(his, carols);
    // Only the account, as if its sessions, and so its browsers, had not been ended: it is checked all the same.
    const { house: inside } = house().running;
    await inside.write((unit) => disableAccount(unit, bob.id));
    expect((await runCommand(inside, ["disable", carol.username])).ok).toBe(true);
    await allPushedInTime(house());
    expect([service().at(his).length, service().at(carols).length]).toEqual([1, 1]);
  });
});

/** Members with a browser each, inserted directly, as registering them all would take too long. */
async function fillWithBrowsers(
  house: TestHouse,
  service: PushService,
  serverId: string,
  model: TestPerson,
  count: number,
): Promise<Browser[]> {
  const browsers = Array.from({ length: count }, () => service.browser());
  await house.running.house.database.transaction(async (db) => {
    const row = await db.selectFrom("users").selectAll().where("id", "=", model.id).executeTakeFirstOrThrow();
    const { id: session_id } = await db
      .selectFrom("sessions")
      .select("id")
      .where("user_id", "=", model.id)
      .executeTakeFirstOrThrow();
    for (const [i, { subscription }] of browsers.entries()) {
      const id = `01890000-0000-7000-8000-${String(i).padStart(12, "0")}`;
      const name = `crowd_${i}`;
      await db
        .insertInto("users")
        .values({ ...row, id, username: name, username_key: name, email: null, email_key: null })
        .execute();
      const member = { server_id: serverId, user_id: id, joined_at: 1, joined_id: lowestId };
      await db.insertInto("members").values(member).execute();
      await db
        .insertInto("push_subscriptions")
        .values({ ...subscription, id, user_id: id, session_id, created_at: 1 })
        .execute();
    }
  });
  return browsers;
}
