// Mentions of a reader: counted after their marker, by the current messages, roles and blocks.
import { beforeEach, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { loadServer } from "../../server/gateway/ready.ts";
import type { Caller } from "../../server/house/feature.ts";
import { newId } from "../../server/tokens.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine, onOneProcess } from "../../tests/house/open/engines.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import { mentionCount, readState, stored } from "../../tests/house/scenes/read-states.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { mentionsCounted } from "./events.ts";
import { gathering } from "./gathering.ts";

onEachEngine("mention counts", (house) => {
  const stage = homeForEach(house);
  // Events of the previous test's markers arrive within that test.
  beforeEach(() => stored(house()));
  const count = () => mentionCount(stage.bob, stage.home.general.id);
  const say = (text: string, more = {}) => stage.olga.say(stage.home.general.id, text, more);

  test("a person is called by name, by a role that they hold and by everyone; a message counts once", async () => {
    const { olga, bob, home } = stage;
    const role = await olga.giveRole(home.id, bob, 0);
    const other = (await olga.post<{ id: string }>(`/servers/${home.id}/roles`, { name: "others" })).body;
    for (const [text, expected] of [
      ["nobody", 0],
      [`@${bob.username}`, 1],
      [`<@${bob.id}>`, 2],
      [`<@&${role.id}>`, 3],
      [`<@&${other.id}>`, 3],
      ["@everyone", 4],
      [`<@${olga.id}>`, 4],
      [`<@${bob.id}> <@&${role.id}> @everyone`, 5],
      [`\`@${bob.username}\``, 5],
    ] as const) {
      await say(text);
      expect([text, await count()]).toEqual([text, expected]);
    }
  });

  test("a reply alone does not call, nor what one says oneself", async () => {
    const { olga, bob, home } = stage;
    const own = await bob.say(home.general.id, `<@${bob.id}>`);
    await say("so?", { reply_to: own.id });
    await olga.giveRole(home.id, bob, permission.MANAGE_MESSAGES);
    expect(await count()).toBe(0);
    await bob.say(home.general.id, "@everyone");
    await bob.put(`/channels/${home.general.id}/read`, { message_id: null });
    expect(await count()).toBe(0);
  });

  test("what comes before the marker does not count; the event of a marker says what is left", async () => {
    const { bob, home } = stage;
    const said = [];
    for (let i = 0; i < 5; i++) said.push(await say(`<@${bob.id}> ${i}`));
    const ear = await bob.listen();
    for (const [read, left] of [
      [1, 3],
      [4, 0],
      [0, 4],
    ] as const) {
      await bob.put(`/channels/${home.general.id}/read`, { message_id: said[read]?.id });
      await stored(house());
      expect(Number((await ear.next("READ_STATE_UPDATE")).data.mention_count)).toBe(left);
      expect(await count()).toBe(left);
    }
    await bob.post(`/servers/${home.id}/read`);
    expect(Number((await ear.next("READ_STATE_UPDATE")).data.mention_count)).toBe(0);
  });

  test("a correction and a deletion count", async () => {
    const { olga, bob, home } = stage;
    const { id } = await say("nobody");
    await olga.patch(`/messages/${id}`, { content: `<@${bob.id}>` });
    expect(await count()).toBe(1);
    await olga.patch(`/messages/${id}`, { content: `<@${bob.id}>, once more` });
    expect(await count()).toBe(1);
    await olga.patch(`/messages/${id}`, { content: "nobody, after all" });
    expect(await count()).toBe(0);
    const three = [await say("@everyone"), await say(`<@${bob.id}>`), await say("@everyone")];
    expect(await count()).toBe(3);
    await olga.delete(`/messages/${three[0]?.id}`);
    expect(await count()).toBe(2);
    const path = `/channels/${home.general.id}/messages/bulk-delete`;
    await olga.post(path, { message_ids: three.map((each) => each.id) });
    expect(await count()).toBe(0);
    const left = house().running.house.database.read.selectFrom("mentions").selectAll();
    expect(await left.where("channel_id", "=", home.general.id).execute()).toEqual([]);
  });

  test("a role that is taken calls no more, one that is given does", async () => {
    const { olga, bob, home } = stage;
    const role = (await olga.post<{ id: string }>(`/servers/${home.id}/roles`, { name: "late" })).body;
    await say(`<@&${role.id}>`);
    expect(await count()).toBe(0);
    const roles = `/servers/${home.id}/members/${bob.id}/roles`;
    await olga.put(roles, { role_ids: [role.id] });
    expect(await count()).toBe(1);
    await olga.put(roles, { role_ids: [] });
    expect(await count()).toBe(0);
  });

  test("what blocked people say does not call, while they are blocked", async () => {
    const { olga, bob } = stage;
    await say(`<@${bob.id}>`);
    await bob.put(`/blocks/${olga.id}`);
    await say("@everyone");
    expect(await count()).toBe(0);
    await bob.delete(`/blocks/${olga.id}`);
    expect(await count()).toBe(2);
  });

  test("however often blocked people mention somebody, and one oneself, the others count", async () => {
    const { olga, bob, carol, home } = stage;
    await olga.bringIn(home.id, carol);
    await bob.put(`/blocks/${carol.id}`);
    const { database } = house().running.house;
    const row = { target_id: bob.id, channel_id: home.general.id };
    const rows = Array.from({ length: 2000 }, (_, i) => ({
      ...row,
      message_id: newId(),
      author_id: i % 2 === 0 ? carol.id : bob.id,
    }));
    await database.transaction((db) => database.insertRows(db, "mentions", rows, false));
    for (let i = 0; i < 3; i++) await say(`<@${bob.id}> ${i}`);
    expect(await count()).toBe(3);
    await bob.delete(`/blocks/${carol.id}`);
    expect(await count()).toBe(mentionsCounted);
  });

  test("webhooks call by name", async () => {
    const { olga, bob, home } = stage;
    const made = await olga.post(`/channels/${home.general.id}/webhooks`, { name: "Builds" });
    await bob.post(`/webhooks/${made.body.id}/${made.body.token}`, { content: `<@${bob.id}> failed` });
    expect(await count()).toBe(1);
  });

  test("it goes up to a hundred, which is a hundred or more", async () => {
    const { bob, home } = stage;
    for (let i = 0; i < 10; i++) {
      await Promise.all(Array.from({ length: 11 }, () => say(`<@${bob.id}>`)));
    }
    expect(await count()).toBe(mentionsCounted);
    expect((await bob.put(`/channels/${home.general.id}/read`, { message_id: null })).status).toBe(204);
    expect(await count()).toBe(mentionsCounted);
  });

  test("whoever comes into the server is called by nothing that was there", async () => {
    const { olga, carol, home } = stage;
    await say("@everyone");
    await olga.bringIn(home.id, carol);
    expect(await mentionCount(carol, home.general.id)).toBe(0);
    await say("@everyone");
    expect(await mentionCount(carol, home.general.id)).toBe(1);
  });

  test("a channel that comes into sight later counts from the moment of joining on", async () => {
    const { olga, bob, home } = stage;
    const everyone = `/servers/${home.id}/roles/${home.everyone.id}`;
    await olga.patch(everyone, { permissions: permission.SEND_MESSAGES });
    await say(`@everyone <@${bob.id}>`);
    expect(await readState(bob, home.general.id)).toBeUndefined();
    await olga.patch(everyone, { permissions: home.everyone.permissions });
    expect(await count()).toBe(1);
  });

  test("whoever comes to see a channel hears right behind it what is unread there, with no number; what they have read is none of it", async () => {
    const { olga, bob, home } = stage;
    const { body: read } = await olga.post<{ id: string }>("/channels", { server_id: home.id, name: "read" });
    const last = await olga.say(read.id, "@everyone");
    await bob.put(`/channels/${read.id}/read`, { message_id: last.id });
    await stored(house());
    const everyone = `/servers/${home.id}/roles/${home.everyone.id}`;
    await olga.patch(everyone, { permissions: permission.SEND_MESSAGES });
    await say("@everyone");
    const ear = await bob.listen();
    await olga.patch(everyone, { permissions: home.everyone.permissions });
    await until(
      () => ear.frames.some(({ type }) => type === "READ_STATE_UPDATE"),
      "nothing is told of what is unread",
    );
    await ear.settle();
    const told = ear.frames.filter(({ type }) => type === "CHANNEL_CREATE" || type === "READ_STATE_UPDATE");
    expect(
      told.map(({ type, stream, seq, data }) => [type, stream, seq, data.channel_id ?? data.id]),
    ).toEqual([
      ["CHANNEL_CREATE", undefined, undefined, home.general.id],
      ["CHANNEL_CREATE", undefined, undefined, read.id],
      ["READ_STATE_UPDATE", "@me", undefined, home.general.id],
    ]);
    expect(told.at(-1)?.data).toMatchObject({ mention_count: 1, last_read_id: expect.any(String) });
  });

  test("a marker that moves while a server is on its way to somebody who came into it is not set back by what was unread", async () => {
    const { olga, carol, home } = stage;
    await olga.bringIn(home.id, carol);
    await say("@everyone");
    const running = house().running.house;
    const caller = { userId: carol.id, sessionId: "", isBot: false } as unknown as Caller;
    const server = await loadServer(running, caller, home.id);
    expect(server?.news().map((frame) => JSON.parse(frame).data.mention_count)).toEqual([1]);
    const last = await say("@everyone");
    await carol.put(`/channels/${home.general.id}/read`, { message_id: last.id });
    await house().heard();
    expect(server?.news()).toEqual([]);
    await stored(house());
    expect(server?.news()).toEqual([]);
  });

  test("a post to a server of thousands writes nothing for its members", async () => {
    const { olga, home } = stage;
    const { database } = house().running.house;
    await database.transaction(async (db) => {
      const one = await db
        .selectFrom("members")
        .selectAll()
        .where("server_id", "=", home.id)
        .executeTakeFirst();
      const user = await db.selectFrom("users").selectAll().where("id", "=", olga.id).executeTakeFirst();
      if (!one || !user) throw new Error("Olga is a member");
      for (let i = 0; i < 2000; i++) {
        const id = `01890000-0000-7000-8001-${String(i).padStart(12, "0")}`;
        const name = `thousands_${i}`;
        await db
          .insertInto("users")
          .values({ ...user, id, username: name, username_key: name, email: null, email_key: null })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await db
          .insertInto("members")
          .values({ ...one, user_id: id })
          .execute();
      }
    });
    const rows = async (table: "read_markers" | "mentions") =>
      (await database.read.selectFrom(table).selectAll().where("channel_id", "=", home.general.id).execute())
        .length;
    await say("@everyone, look");
    await stored(house());
    expect([await rows("read_markers"), await rows("mentions")]).toEqual([1, 1]);
  });

  test("what calls a dozen readers is counted in as many statements as what calls six", async () => {
    const { olga, home } = stage;
    const readers = await Promise.all(Array.from({ length: 12 }, (_, i) => house().person(`reader${i}`)));
    await olga.bringIn(home.id, ...readers);
    const said: { id: string }[] = [];
    for (let i = 0; i < 4; i++) said.push(await say(`@everyone ${i}`));
    async function readUpTo(number: number, count: number): Promise<void> {
      const where = { serverId: home.id, channelId: home.general.id, lastReadId: said[number]?.id ?? "" };
      for (const { id: userId } of readers.slice(0, count)) {
        gathering(house().running.house).note({ userId, ...where, isTold: true });
      }
      await stored(house());
    }
    // A person's first event creates their stream.
    await readUpTo(0, 12);
    // Repeated, as the server may meanwhile refresh somebody whose last socket closed ten seconds before.
    await until(async () => {
      const few = await statementsOf(house(), () => readUpTo(1, 6));
      const many = await statementsOf(house(), () => readUpTo(2, 12));
      if (Bun.deepEquals(many.statements, few.statements)) return true;
      await readUpTo(0, 12);
      return false;
    }, "for a dozen other statements are asked than for six");
    expect(await mentionCount(readers[11]!, home.general.id)).toBe(1);
  });
});

onOneProcess("mentions of a correction", (house) => {
  const stage = homeForEach(house);

  test("those that stay are not written anew, those that go and come are", async () => {
    const { olga, bob, home } = stage;
    await olga.say(home.general.id, `<@${bob.id}>, this one stays`);
    const { id } = await olga.say(home.general.id, `<@${bob.id}> <@${olga.id}>`);
    const correct = async (content: string) => {
      const { statements } = await statementsOf(house(), () => olga.patch(`/messages/${id}`, { content }));
      return statements.filter((text) => /^(insert into|delete from) "mentions"/.test(text)).length;
    };
    expect(await correct(`<@${olga.id}> and <@${bob.id}>, corrected`)).toBe(0);
    expect(await mentionCount(bob, home.general.id)).toBe(2);
    expect(await correct(`<@${olga.id}> alone`)).toBe(1);
    expect(await mentionCount(bob, home.general.id)).toBe(1);
    await correct(`<@${bob.id}> alone`);
    expect(await mentionCount(bob, home.general.id)).toBe(2);
  });
});
