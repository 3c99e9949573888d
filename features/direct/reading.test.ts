// Conversations that are read, hidden, muted, blocked and pushed.
import { beforeEach, expect, test } from "bun:test";
import type { Ear } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { aDayLater } from "../../tests/house/scenes/forgotten.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { allPushed, browserOf, withPushService } from "../../tests/house/scenes/pushes.ts";
import { stored } from "../../tests/house/scenes/read-states.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Conversation } from "../channels/contract.ts";
import type { NotificationSettings } from "../notifications/contract.ts";
import type { ReadState } from "../read-states/contract.ts";
import type { ListedConversation } from "./contract.ts";

withPushService("a conversation", (house, service) => {
  let stage: Awaited<ReturnType<typeof neighbours>>;
  let talk: Conversation;
  const ears: Ear[] = [];
  beforeEach(async () => {
    for (const ear of ears.splice(0)) ear.close();
    stage = await neighbours(house());
    talk = (await stage.alice.post<Conversation>("/direct", { user_ids: [stage.bob.id] })).body;
  });

  async function listen(person: TestPerson): Promise<Ear> {
    const ear = await person.listen();
    ears.push(ear);
    return ear;
  }

  const stateOf = async (person: TestPerson) =>
    ((await listen(person)).ready.read_states as unknown as ReadState[]).find(
      ({ channel_id }) => channel_id === talk.id,
    );
  const listed = async (person: TestPerson) =>
    (await person.get<ListedConversation[]>("/direct")).body.map(({ id }) => id);

  test("counts every message of others as calling, until it is read, on every device", async () => {
    const { alice, bob } = stage;
    await alice.say(talk.id, "one");
    const { id } = await alice.say(talk.id, "two");
    expect(await stateOf(bob)).toEqual({ channel_id: talk.id, last_read_id: null, mention_count: 2 });
    expect(await stateOf(alice)).toEqual({ channel_id: talk.id, last_read_id: id, mention_count: 0 });
    const ear = await listen(bob);
    expect((await bob.put(`/channels/${talk.id}/read`, { message_id: id })).status).toBe(204);
    await stored(house());
    const { data } = await ear.next("READ_STATE_UPDATE");
    expect(data as unknown).toEqual({ channel_id: talk.id, last_read_id: id, mention_count: 0 });
    expect(await stateOf(bob)).toEqual({ channel_id: talk.id, last_read_id: id, mention_count: 0 });
    await bob.put(`/channels/${talk.id}/read`, { message_id: null });
    await stored(house());
    expect(await stateOf(bob)).toMatchObject({ last_read_id: null, mention_count: 2 });
    expect(verdict(await stage.carol.put(`/channels/${talk.id}/read`, { message_id: id }))).toBe(
      "404 not_found",
    );
  });

  test("is hidden for oneself alone until the next message, and stays the same conversation", async () => {
    const { alice, bob } = stage;
    await alice.say(talk.id, "one");
    const ear = await listen(bob);
    expect((await bob.delete(`/direct/${talk.id}`)).status).toBe(204);
    expect((await bob.delete(`/direct/${talk.id}`)).status).toBe(204);
    expect([await listed(bob), await listed(alice)]).toEqual([[], [talk.id]]);
    expect((await bob.get(`/channels/${talk.id}/messages`)).status).toBe(200);
    await alice.say(talk.id, "two");
    await ear.settle();
    const types = ear.frames.flatMap(({ type, stream, seq }) => (stream === "@me" && seq ? [type] : []));
    expect(types).toEqual(["CHANNEL_DELETE", "CHANNEL_CREATE", "MESSAGE_CREATE"]);
    expect(await listed(bob)).toEqual([talk.id]);
    expect(await stateOf(bob)).toMatchObject({ mention_count: 1 });
    await bob.delete(`/direct/${talk.id}`);
    await stored(house());
    const again = await bob.post<Conversation>("/direct", { user_ids: [alice.id] });
    expect([again.status, again.body.id]).toEqual([200, talk.id]);
    expect(await stateOf(bob)).toMatchObject({ mention_count: 0 });
    expect(await listed(bob)).toEqual([talk.id]);
    expect(verdict(await bob.delete(`/direct/${stage.home.general.id}`))).toBe("404 not_found");
  });

  test("is closed for both by a block, to the one with `blocked` and to the other with `forbidden`, until it ends", async () => {
    const { alice, bob } = stage;
    const { id } = await bob.say(talk.id, "hello");
    const deeds = (by: TestPerson) => [
      by.post(`/channels/${talk.id}/messages`, { content: "?" }),
      by.post(`/channels/${talk.id}/typing`),
      by.post(`/messages/${id}/reactions`, { emoji: "🎉" }),
    ];
    await alice.put(`/blocks/${bob.id}`);
    for (const deed of deeds(alice)) expect(verdict(await deed)).toBe("403 blocked");
    for (const deed of deeds(bob)) expect(verdict(await deed)).toBe("403 forbidden");
    expect(verdict(await bob.patch(`/messages/${id}`, { content: "hello!" }))).toBe("403 forbidden");
    for (const reader of [alice, bob])
      expect((await reader.get(`/channels/${talk.id}/messages`)).status).toBe(200);
    expect((await bob.delete(`/messages/${id}`)).status).toBe(204);
    await alice.delete(`/blocks/${bob.id}`);
    expect((await bob.post(`/channels/${talk.id}/messages`, { content: "again" })).status).toBe(201);
  });

  test("goes on when the last shared server is left; only a new one takes that", async () => {
    const { alice, bob, carol, home } = stage;
    await alice.say(talk.id, "one");
    await bob.delete(`/servers/${home.id}/members/@me`);
    expect((await bob.post(`/channels/${talk.id}/messages`, { content: "two" })).status).toBe(201);
    expect((await alice.get(`/users/${bob.id}`)).status).toBe(200);
    expect((await alice.post("/direct", { user_ids: [bob.id] })).status).toBe(200);
    expect(verdict(await carol.post("/direct", { user_ids: [bob.id] }))).toBe("404 not_found");
  });

  test("leaves no deleted word in anybody's log, nor one that was corrected", async () => {
    const { alice, bob } = stage;
    const { id } = await alice.say(talk.id, "the heron is deleted");
    const { id: kept } = await alice.say(talk.id, "the heron is corrected");
    await alice.delete(`/messages/${id}`);
    await alice.patch(`/messages/${kept}`, { content: "the stork stays" });
    await aDayLater(house());
    const { read } = house().running.house.database;
    const rows = await read
      .selectFrom("events")
      .select(["stream", "frame"])
      .where("frame", "like", "%stork%")
      .execute();
    for (const { id: userId } of [alice, bob])
      expect(rows.filter(({ stream }) => stream === `person:${userId}`).length).toBeGreaterThan(0);
    const left = read.selectFrom("events").select("stream").where("frame", "like", "%heron%");
    expect(await left.execute()).toEqual([]);
    const ear = await bob.listen();
    const { streams, ...point } = ear.resumePoint;
    ears.push(ear, await bob.listen({ ...point, streams: { ...streams, "@me": 0 } }));
    const again = ears.at(-1) as Ear;
    expect(again.heard("READY")).toEqual([]);
    expect(again.heard("MESSAGE_CREATE").map(({ data }) => String(data.content))).toEqual([
      "the stork stays",
    ]);
  });

  test("has a level of its own, `all` by default, and is muted like a channel", async () => {
    const { bob, carol } = stage;
    const set = (by: TestPerson, body: object) => by.put(`/channels/${talk.id}/notification-settings`, body);
    const shown = async () => (await bob.get<NotificationSettings>("/notification-settings")).body.channels;
    for (const level of ["all", null]) {
      expect((await set(bob, { level })).status).toBe(204);
      expect(await shown()).toEqual([]);
    }
    await set(bob, { level: "none" });
    expect(await shown()).toEqual([{ channel_id: talk.id, level: "none", muted_until: null }]);
    expect(verdict(await set(carol, { level: "none" }))).toBe("404 not_found");
  });

  test("is pushed to who is away as `direct`, and not where it is muted or its author blocked", async () => {
    const { alice, bob, carol } = stage;
    const browser = await browserOf(bob, service());
    await alice.say(talk.id, "Are you *there*?");
    await allPushed(house());
    const pushed = service().notices(browser);
    expect(pushed).toHaveLength(1);
    expect(pushed[0]).toMatchObject({
      type: "direct",
      server_id: null,
      channel_id: talk.id,
      title: "alice",
      url: expect.stringMatching(new RegExp(`/direct/${talk.id}`)),
    });
    await bob.put(`/channels/${talk.id}/notification-settings`, { level: "none" });
    await alice.say(talk.id, "Hello?");
    const group = (await alice.post<Conversation>("/direct", { user_ids: [bob.id, carol.id] })).body;
    await bob.put(`/blocks/${carol.id}`);
    await carol.say(group.id, "not for Bob");
    await allPushed(house());
    expect(service().notices(browser)).toHaveLength(1);
    await alice.say(group.id, "for Bob");
    await allPushed(house());
    expect(service().notices(browser)).toHaveLength(2);
  });
});
