// Markers: a person's read states in READY and in their own stream, hidden from everybody else.
import { beforeEach, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { nobodysId, type TestPerson } from "../../tests/house/people/people.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import { readState, readStatesOf, stored, storedAfterwards } from "../../tests/house/scenes/read-states.ts";
import { sweep } from "../../tests/house/scenes/swept.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Channel } from "../channels/contract.ts";

const highestId = "ffffffff-ffff-7fff-bfff-ffffffffffff";

onEachEngine("read markers", (house) => {
  const stage = homeForEach(house);
  // Events of the previous test's markers arrive within that test.
  beforeEach(() => stored(house()));

  async function markRead(person: TestPerson, channelId: string, messageId: string | null): Promise<void> {
    expect((await person.put(`/channels/${channelId}/read`, { message_id: messageId })).status).toBe(204);
  }

  async function openChannel(name: string, type = "text"): Promise<Channel> {
    return (await stage.olga.post<Channel>("/channels", { server_id: stage.home.id, name, type })).body;
  }

  test("whoever joins has read all that was there, and nothing of what comes; READY has every text channel", async () => {
    const { olga, carol, home } = stage;
    const den = await openChannel("den");
    await openChannel("parlour", "voice");
    const before = await olga.say(home.general.id, "before");
    const from = Date.now();
    await olga.bringIn(home.id, carol);
    const after = await olga.say(den.id, "after");
    const ear = await carol.listen();
    const states = readStatesOf(ear).filter(({ channel_id }) =>
      [home.general.id, den.id].includes(channel_id),
    );
    expect(states.map(({ channel_id }) => channel_id).sort()).toEqual([home.general.id, den.id].sort());
    expect(readStatesOf(ear)).toHaveLength(2);
    for (const { last_read_id, mention_count } of states) {
      expect(String(last_read_id) >= before.id && String(last_read_id) < after.id).toBe(true);
      expect(mention_count).toBe(0);
      const madeAt = Number.parseInt(String(last_read_id).replaceAll("-", "").slice(0, 12), 16);
      expect(Math.abs(madeAt - from)).toBeLessThan(60_000);
    }
  });

  test("a marker is set, also back and to nothing; all of the person's devices hear it, and READY then has it", async () => {
    const { olga, bob, home } = stage;
    const said = [];
    for (const text of ["one", "two", "three"]) said.push(await olga.say(home.general.id, text));
    const [here, there] = [await bob.listen(), await bob.listen()];
    for (const messageId of [said[1]?.id ?? "", said[2]?.id ?? "", said[0]?.id ?? "", null]) {
      await markRead(bob, home.general.id, messageId);
      await stored(house());
      const state = { channel_id: home.general.id, last_read_id: messageId, mention_count: 0 };
      for (const ear of [here, there]) {
        const frame = await ear.next("READ_STATE_UPDATE");
        expect(frame.data as unknown).toEqual(state as unknown);
        expect(frame.stream).toBe("@me");
        expect(frame.server_id).toBeUndefined();
      }
      expect((await readState(bob, home.general.id)) as unknown).toEqual(state as unknown);
    }
  });

  test("READY has a marker at once, also before it is stored", async () => {
    const { olga, bob, home } = stage;
    const { id } = await olga.say(home.general.id, "one");
    await markRead(bob, home.general.id, id);
    expect((await readState(bob, home.general.id))?.last_read_id).toBe(id);
  });

  test("beyond the last message it counts as that one; any id will do, known or not", async () => {
    const { olga, bob, home } = stage;
    const { id } = await olga.say(home.general.id, "one");
    const ear = await bob.listen();
    await markRead(bob, home.general.id, highestId);
    expect(String((await ear.next("READ_STATE_UPDATE")).data.last_read_id)).toBe(id);
    await markRead(bob, home.general.id, nobodysId);
    expect(String((await ear.next("READ_STATE_UPDATE")).data.last_read_id)).toBe(nobodysId);
  });

  test("what is so already tells nothing, and where nothing was said there is nothing to read", async () => {
    const { olga, bob, home } = stage;
    const empty = await openChannel("empty");
    const { id } = await olga.say(home.general.id, "one");
    // Listens first: on a busy machine the event may come before somebody who listens afterwards is connected.
    const ear = await bob.listen();
    await markRead(bob, home.general.id, id);
    await ear.next("READ_STATE_UPDATE");
    const since = await readState(bob, empty.id);
    await markRead(bob, home.general.id, id);
    await markRead(bob, empty.id, highestId);
    await stored(house());
    await ear.settle();
    expect(ear.heard("READ_STATE_UPDATE")).toHaveLength(1);
    expect(await readState(bob, empty.id)).toEqual(since);
  });

  test("markers that come before they are stored are one: the last one wins", async () => {
    const { olga, bob, home } = stage;
    const said: string[] = [];
    for (let i = 0; i < 20; i++) said.push((await olga.say(home.general.id, `${i}`)).id);
    const ear = await bob.listen();
    await storedAfterwards(house(), async () => {
      for (const id of said) await markRead(bob, home.general.id, id);
    });
    await stored(house());
    await ear.settle();
    const heard = ear.heard("READ_STATE_UPDATE").map(({ data }) => String(data.last_read_id));
    expect(heard).toEqual(said.slice(-1));
  });

  test("what was stored outlasts a restart", async () => {
    const { olga, bob, home } = stage;
    // A start restores markers at the last messages written, and moves none back.
    await bob.say(home.general.id, "mine");
    const said = await olga.say(home.general.id, "one");
    await olga.say(home.general.id, "two");
    await markRead(bob, home.general.id, said.id);
    await house().restart();
    expect((await readState(bob, home.general.id))?.last_read_id).toBe(said.id);
  });

  test("a whole server is read at once: an event for each channel that was not", async () => {
    const { olga, bob, home } = stage;
    const [den, attic] = [await openChannel("den"), await openChannel("attic")];
    const last = new Map<string, string>();
    for (const { id } of [home.general, den, attic]) {
      await olga.say(id, "one");
      last.set(id, (await olga.say(id, "two")).id);
    }
    const ear = await bob.listen();
    await markRead(bob, attic.id, last.get(attic.id) ?? "");
    await stored(house());
    await ear.next("READ_STATE_UPDATE");
    expect((await bob.post(`/servers/${home.id}/read`)).status).toBe(204);
    await stored(house());
    await ear.settle();
    const moved = ear.heard("READ_STATE_UPDATE").map(({ data }) => String(data.channel_id));
    expect(moved.sort()).toEqual([attic.id, home.general.id, den.id].sort());
    for (const [id, message] of last) expect((await readState(bob, id))?.last_read_id).toBe(message);
  });

  test("of a server that is read already nothing moves: not whose last message is gone, not just after joining", async () => {
    const { olga, bob, carol, home } = stage;
    const said = [await olga.say(home.general.id, "one"), await olga.say(home.general.id, "two")];
    await bob.post(`/servers/${home.id}/read`);
    await stored(house());
    await olga.delete(`/messages/${said[1]?.id}`);
    await olga.bringIn(home.id, carol);
    for (const person of [bob, carol]) {
      const ear = await person.listen();
      const before = await readState(person, home.general.id);
      expect((await person.post(`/servers/${home.id}/read`)).status).toBe(204);
      await stored(house());
      await ear.settle();
      expect(ear.heard("READ_STATE_UPDATE")).toEqual([]);
      expect(await readState(person, home.general.id)).toEqual(before);
    }
  });

  test("a marker on its way is neither stored nor told once its channel is gone, or out of sight", async () => {
    const { olga, bob, home } = stage;
    const setRights = (permissions: number) =>
      olga.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions });
    const [den, hall, ear] = [await openChannel("den"), await openChannel("hall"), await bob.listen()];
    await storedAfterwards(house(), async () => {
      const messages = [await olga.say(den.id, "one"), await olga.say(hall.id, "one")];
      for (const { channel_id, id } of messages) await markRead(bob, channel_id, id);
      await Promise.all([olga.delete(`/channels/${den.id}`), setRights(permission.SEND_MESSAGES)]);
    });
    await stored(house());
    await ear.settle();
    expect(ear.heard("READ_STATE_UPDATE")).toEqual([]);
    const { read } = house().running.house.database;
    const left = read.selectFrom("read_markers").selectAll().where("user_id", "=", bob.id);
    expect(await left.where("channel_id", "in", [den.id, hall.id]).execute()).toEqual([]);
  });

  test("of a server only what one sees is read", async () => {
    const { olga, bob, home } = stage;
    await olga.say(home.general.id, "one");
    const everyone = `/servers/${home.id}/roles/${home.everyone.id}`;
    await olga.patch(everyone, { permissions: permission.SEND_MESSAGES });
    expect((await bob.post(`/servers/${home.id}/read`)).status).toBe(204);
    await stored(house());
    await olga.patch(everyone, { permissions: home.everyone.permissions });
    const [channel] = (await bob.get<Channel[]>(`/channels?server_id=${home.id}`)).body;
    const state = await readState(bob, home.general.id);
    expect(String(channel?.last_message_id) > String(state?.last_read_id)).toBe(true);
  });

  test("whoever posts has read so far, without an event; their other devices hear the message", async () => {
    const { olga, bob, home } = stage;
    await olga.say(home.general.id, "one");
    const ear = await bob.listen();
    const own = await bob.say(home.general.id, "two");
    await ear.next("MESSAGE_CREATE");
    await stored(house());
    await ear.settle();
    expect(ear.heard("READ_STATE_UPDATE")).toHaveLength(0);
    expect((await readState(bob, home.general.id))?.last_read_id).toBe(own.id);
    await house().restart();
    expect((await readState(bob, home.general.id))?.last_read_id).toBe(own.id);
  });

  test("one's own message can be unread, too", async () => {
    const { olga, bob, home } = stage;
    const first = await olga.say(home.general.id, "one");
    await bob.say(home.general.id, "two");
    await markRead(bob, home.general.id, first.id);
    await stored(house());
    expect((await readState(bob, home.general.id))?.last_read_id).toBe(first.id);
  });

  for (const [how, leave] of [
    ["leaves", (bob: TestPerson, id: string) => bob.delete(`/servers/${id}/members/@me`)],
    ["is kicked", (bob: TestPerson, id: string) => stage.olga.delete(`/servers/${id}/members/${bob.id}`)],
    ["is banned", (bob: TestPerson, id: string) => stage.olga.put(`/servers/${id}/bans/${bob.id}`)],
  ] as const) {
    test(`whoever ${how} and comes back has read all that was there then`, async () => {
      const { olga, bob, home } = stage;
      const early = await olga.say(home.general.id, "early");
      await olga.say(home.general.id, "later");
      await markRead(bob, home.general.id, early.id);
      const [here, there] = [await bob.makeServer("Elsewhere"), await bob.makeServer("Far off")];
      for (const { general } of [here, there]) await bob.say(general.id, "mine");
      await markRead(bob, here.general.id, null);
      await stored(house());
      // Including a pending one.
      await markRead(bob, home.general.id, null);
      await markRead(bob, there.general.id, null);
      await leave(bob, home.id);
      // Other people's markers there stay, and so do Bob's elsewhere.
      const { database } = house().running.house;
      const markers = database.read.selectFrom("read_markers").selectAll();
      const keys = (await markers.execute()).map((row) => `${row.user_id} ${row.channel_id}`);
      expect(keys).toEqual(
        expect.arrayContaining([`${olga.id} ${home.general.id}`, `${bob.id} ${here.general.id}`]),
      );
      expect(await readState(bob, there.general.id)).toMatchObject({ last_read_id: null });
      await olga.delete(`/servers/${home.id}/bans/${bob.id}`);
      const last = await olga.say(home.general.id, "while Bob was away");
      await olga.bringIn(home.id, bob);
      await stored(house());
      const state = await readState(bob, home.general.id);
      expect(String(state?.last_read_id) >= last.id).toBe(true);
      const left = await markers.where("user_id", "=", bob.id).execute();
      expect(left.filter((row) => row.server_id === home.id)).toEqual([]);
    });
  }

  test("a deleted channel's markers go with it, and those of a deleted server", async () => {
    const { olga, bob, home } = stage;
    const den = await openChannel("den");
    const { id } = await olga.say(den.id, "one");
    await markRead(bob, den.id, id);
    await stored(house());
    await olga.delete(`/channels/${den.id}`);
    expect(await readState(bob, den.id)).toBeUndefined();
    await sweep(house());
    const { database } = house().running.house;
    const left = database.read.selectFrom("read_markers").selectAll().where("channel_id", "=", den.id);
    expect(await left.execute()).toEqual([]);
    await markRead(bob, home.general.id, null);
    await stored(house());
    const inServer = database.read.selectFrom("read_markers").selectAll().where("server_id", "=", home.id);
    expect((await inServer.execute()).map(({ user_id }) => user_id)).toEqual([bob.id]);
    expect((await olga.delete(`/servers/${home.id}`)).status).toBe(204);
    await sweep(house());
    expect(await inServer.execute()).toEqual([]);
  });

  test("nobody else learns of a marker", async () => {
    const { olga, bob, home } = stage;
    const { id } = await olga.say(home.general.id, "one");
    const ear = await olga.listen();
    await markRead(bob, home.general.id, id);
    await bob.post(`/servers/${home.id}/read`);
    await stored(house());
    await ear.settle();
    const heard = new Set(ear.frames.map(({ type }) => type));
    expect([...heard].filter((type) => type !== "PRESENCE_UPDATE")).toEqual(["READY", "PONG"]);
    expect((await readState(olga, home.general.id))?.last_read_id).toBe(id);
  });

  test("what is no marker is refused, and changes nothing", async () => {
    const { olga, bob, carol, home } = stage;
    const parlour = await openChannel("parlour", "voice");
    const { id } = await olga.say(home.general.id, "one");
    const before = await readState(bob, home.general.id);
    const path = `/channels/${home.general.id}/read`;
    for (const body of [{}, { message_id: "no-id" }, { message_id: 7 }, []]) {
      expect(verdict(await bob.put(path, body))).toBe("400 invalid_request");
    }
    expect(verdict(await bob.put(`/channels/${parlour.id}/read`, { message_id: id }))).toBe(
      "400 invalid_request",
    );
    for (const channel of [home.general.id, nobodysId, "no-id"]) {
      const answer = await carol.put(`/channels/${channel}/read`, { message_id: id });
      expect(verdict(answer)).toBe("404 not_found");
    }
    expect(verdict(await carol.post(`/servers/${home.id}/read`))).toBe("404 not_found");
    await olga.patch(`/servers/${home.id}/roles/${home.everyone.id}`, {
      permissions: permission.SEND_MESSAGES,
    });
    expect(verdict(await bob.put(path, { message_id: id }))).toBe("404 not_found");
    await olga.patch(`/servers/${home.id}/roles/${home.everyone.id}`, {
      permissions: home.everyone.permissions,
    });
    await stored(house());
    expect(await readState(bob, home.general.id)).toEqual(before);
  });

  test("bots have none: refused, and READY says nothing of any", async () => {
    const { olga, home } = stage;
    const bot = await TestBot.make(olga);
    await olga.post(`/bots/${bot.id}/servers`, { server_id: home.id });
    const { id } = await bot.say(home.general.id, "beep");
    expect(verdict(await bot.put(`/channels/${home.general.id}/read`, { message_id: id }))).toBe(
      "403 forbidden",
    );
    expect(verdict(await bot.post(`/servers/${home.id}/read`))).toBe("403 forbidden");
    const ear = await bot.listen();
    expect(readStatesOf(ear)).toEqual([]);
    // Nor are they told of what was said while they could not see it.
    const everyone = `/servers/${home.id}/roles/${home.everyone.id}`;
    await olga.patch(everyone, { permissions: permission.SEND_MESSAGES });
    await olga.say(home.general.id, "@everyone");
    await olga.patch(everyone, { permissions: home.everyone.permissions });
    await ear.next("CHANNEL_CREATE");
    await ear.settle();
    expect(ear.heard("READ_STATE_UPDATE")).toEqual([]);
    await stored(house());
    const { read } = house().running.house.database;
    const its = read.selectFrom("read_markers").selectAll().where("user_id", "=", bot.id);
    expect(await its.execute()).toEqual([]);
  });
});
