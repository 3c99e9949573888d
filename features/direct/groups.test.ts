// Groups: who may be in one, who may change it, and what those hear who come, stay and go.
import { beforeEach, expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { sweep } from "../../tests/house/scenes/swept.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Conversation } from "../channels/contract.ts";
import type { ListedConversation } from "./contract.ts";

onEachEngine("a group", (house) => {
  let stage: Awaited<ReturnType<typeof neighbours>>;
  let dora: TestPerson;
  const ears: Ear[] = [];
  beforeEach(async () => {
    for (const ear of ears.splice(0)) ear.close();
    stage = await neighbours(house());
    dora = await house().person("dora");
    await stage.alice.bringIn(stage.home.id, dora);
  });

  async function listen(person: TestPerson): Promise<Ear> {
    const ear = await person.listen();
    ears.push(ear);
    return ear;
  }

  const begin = async (by: TestPerson, ...others: { id: string }[]) =>
    by.post<Conversation>("/direct", { user_ids: others.map(({ id }) => id) });
  const group = async () => (await begin(stage.alice, stage.bob, stage.carol)).body;
  const seat = ({ id }: Conversation, person: { id: string }) => `/channels/${id}/recipients/${person.id}`;

  /** The types of the frames about a channel, in order. */
  async function about(ear: Ear, { id }: Conversation): Promise<string[]> {
    await ear.settle();
    const known = ear.frames.filter(
      ({ type, data }) => type !== "READY" && JSON.stringify(data).includes(id),
    );
    return known.map(({ type }) => type);
  }

  test("is new each time, has its people by when they came, an owner, and a name that any of them gives", async () => {
    const { alice, bob, carol } = stage;
    const ear = await listen(bob);
    const [one, other] = [await group(), await group()];
    expect(one.id).not.toBe(other.id);
    expect(one).toMatchObject({ type: "group", server_id: null, name: null, owner_id: alice.id });
    expect(one.recipients.map(({ id }) => id)).toEqual([alice.id, bob.id, carol.id]);
    const named = await carol.patch<Conversation>(`/channels/${one.id}`, { name: " The garden " });
    expect(named).toMatchObject({ status: 200, body: { name: "The garden" } });
    expect(await about(ear, one)).toEqual(["CHANNEL_CREATE", "CHANNEL_UPDATE"]);
    expect((await bob.patch<Conversation>(`/channels/${one.id}`, { name: null })).body.name).toBeNull();
    expect(verdict(await bob.patch(`/channels/${one.id}`, { name: "" }))).toBe("400 invalid_request");
    expect(verdict(await bob.patch(`/channels/${one.id}`, { topic: "roses" }))).toBe("400 invalid_request");
    expect(verdict(await dora.patch(`/channels/${one.id}`, { name: "mine" }))).toBe("404 not_found");
    const pair = (await begin(alice, bob)).body;
    expect(verdict(await bob.patch(`/channels/${pair.id}`, { name: "us" }))).toBe("409 conflict");
  });

  test("takes somebody in, who reads what was said and has it read; the others hear of it", async () => {
    const { alice, bob } = stage;
    const talk = await group();
    await alice.say(talk.id, "before Dora");
    const [staying, coming] = [await listen(bob), await listen(dora)];
    expect((await bob.put(seat(talk, dora))).status).toBe(204);
    expect((await bob.put(seat(talk, dora))).status).toBe(204);
    expect(await about(staying, talk)).toEqual(["CHANNEL_UPDATE"]);
    expect(await about(coming, talk)).toEqual(["CHANNEL_CREATE"]);
    const page = await dora.get<{ content: string }[]>(`/channels/${talk.id}/messages`);
    expect(page.body.map(({ content }) => content)).toEqual(["before Dora"]);
    const { read_states } = (await listen(dora)).ready as unknown as {
      read_states: { channel_id: string }[];
    };
    expect(read_states.find(({ channel_id }) => channel_id === talk.id)).toMatchObject({ mention_count: 0 });
  });

  test("is left by oneself, and by others when its owner says so; who goes hears that last, and nothing after", async () => {
    const { alice, bob, carol } = stage;
    const talk = await group();
    const [staying, going] = [await listen(alice), await listen(bob)];
    expect(verdict(await carol.delete(seat(talk, bob)))).toBe("403 owner_only");
    expect((await alice.delete(seat(talk, bob))).status).toBe(204);
    await alice.say(talk.id, "Bob is gone");
    expect(await about(staying, talk)).toEqual(["CHANNEL_UPDATE", "MESSAGE_CREATE"]);
    expect(await about(going, talk)).toEqual(["CHANNEL_DELETE"]);
    for (const call of [
      bob.get(`/channels/${talk.id}`),
      bob.get(`/channels/${talk.id}/messages`),
      bob.post(`/channels/${talk.id}/messages`, { content: "?" }),
      bob.put(seat(talk, dora)),
    ])
      expect(verdict(await call)).toBe("404 not_found");
    expect(verdict(await alice.delete(seat(talk, bob)))).toBe("404 not_found");
    expect((await alice.delete(seat(talk, alice))).status).toBe(204);
    expect((await carol.get<Conversation>(`/channels/${talk.id}`)).body.owner_id).toBe(carol.id);
    const last = await listen(carol);
    expect((await carol.delete(seat(talk, carol))).status).toBe(204);
    expect(await about(last, talk)).toEqual(["CHANNEL_DELETE"]);
    expect(verdict(await carol.get(`/channels/${talk.id}`))).toBe("404 not_found");
    await sweep(house());
    const { read } = house().running.house.database;
    const left = read.selectFrom("streams").select("stream").where("stream", "=", `direct:${talk.id}`);
    expect(await left.execute()).toEqual([]);
  });

  test("tells somebody who was away and is not in it any more only that it is gone", async () => {
    const { alice, bob } = stage;
    const talk = await group();
    const ear = await listen(bob);
    const { seq } = ear.ready.personal as unknown as { seq: number };
    const point = { ...ear.resumePoint, streams: { ...ear.resumePoint.streams, "@me": seq } };
    ear.close();
    await alice.say(talk.id, "while Bob is away");
    await alice.delete(seat(talk, bob));
    const back = await bob.listen(point);
    ears.push(back);
    expect(back.heard("READY")).toEqual([]);
    expect(await about(back, talk)).toEqual(["CHANNEL_DELETE"]);
  });

  test("has at most ten people, no bots, and nobody whom its maker cannot reach; all or nobody", async () => {
    const { alice, bob, carol, mallory, home } = stage;
    const crowd = await Promise.all(Array.from({ length: 9 }, (_, i) => house().person(`guest${i}`)));
    await alice.bringIn(home.id, ...crowd);
    const full = await begin(alice, ...crowd);
    expect([full.status, full.body.recipients.length]).toEqual([201, limits.group_people_max]);
    expect(verdict(await alice.put(seat(full.body, bob)))).toBe("409 conflict");
    expect(verdict(await begin(alice, ...crowd, bob))).toBe("400 invalid_request");
    expect(verdict(await begin(alice))).toBe("400 invalid_request");
    expect(verdict(await begin(alice, alice))).toBe("400 invalid_request");
    expect(verdict(await begin(alice, bob, mallory))).toBe("404 not_found");
    const bot = await TestBot.make(alice);
    await bot.enter(home.id);
    expect(verdict(await begin(alice, bob, bot))).toBe("400 invalid_request");
    const talk = await group();
    expect(verdict(await alice.put(seat(talk, bot)))).toBe("400 invalid_request");
    expect(verdict(await alice.put(seat(talk, mallory)))).toBe("404 not_found");
    await carol.put(`/blocks/${dora.id}`);
    expect(verdict(await begin(carol, dora, bob))).toBe("403 blocked");
    expect(verdict(await begin(dora, carol, bob))).toBe("403 forbidden");
    await bob.patch("/auth/me", { direct_from: "nobody" });
    expect(verdict(await begin(dora, bob))).toBe("403 forbidden");
    expect((await dora.get<ListedConversation[]>("/direct")).body).toEqual([]);
    // Conversations that are there already go on.
    expect((await alice.post(`/channels/${talk.id}/messages`, { content: "still" })).status).toBe(201);
  });
});
