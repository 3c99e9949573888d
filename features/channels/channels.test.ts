// Channels: creating, seeing, ordering, changing and deleting, with the permissions for each.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { defaultPermissions, permission } from "../../protocol/permissions.ts";
import { newId } from "../../server/tokens.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { asTold, type TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Channel, SeenChannel } from "./contract.ts";

onEachEngine("channels", (house) => {
  let [olga, bob]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

  beforeAll(async () => {
    [olga, bob] = await Promise.all(["olga", "bob"].map((name) => house().person(name)));
  });
  beforeEach(async () => {
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!);
  });

  const make = (body: Record<string, unknown>, by = olga) =>
    by!.post<Channel>("/channels", { server_id: home.id, name: "a room", ...body });
  const list = async (by = bob) =>
    (await by!.get<SeenChannel[]>(`/channels?server_id=${home.id}`)).body.map(asTold);
  const read = async (id: string) => (await bob!.get<SeenChannel>(`/channels/${id}`)).body;

  test("a server has five hundred channels, and no more", async () => {
    const { read } = house().running.house.database;
    const row = await read
      .selectFrom("channels")
      .selectAll()
      .where("id", "=", home.general.id)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: limits.channels_per_server_max - 2 }, (_, i) => ({
      ...{ ...row, id: newId() },
      ...{ name: `room ${i}`, position: i + 1 },
    }));
    await fill(house(), "channels", rows);
    const both = await Promise.all([insisted(() => make({})), insisted(() => make({}))]);
    expect(verdicts(both).sort()).toEqual(["201", "409 conflict"]);
    expect(await list()).toHaveLength(limits.channels_per_server_max);
  });

  test("a channel is made, heard and read as it was answered", async () => {
    const ear = await bob!.listen();
    const made = await make({ name: " Küche 🍳 ", category: " House ", position: 7 });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: made.body.id,
      server_id: home.id,
      name: "Küche 🍳",
      type: "text",
      topic: null,
      category: "House",
      position: 7,
      last_message_id: null,
      created_at: made.body.created_at,
    });
    expect((await ear.next("CHANNEL_CREATE")).data as unknown).toEqual(made.body);
    expect(await read(made.body.id)).toEqual({ ...made.body, permissions: defaultPermissions });
    ear.close();
  });

  test("a voice channel is one for good, and no channel moves to another server", async () => {
    const { body: voice } = await make({ type: "voice" });
    const elsewhere = await olga!.makeServer("Elsewhere");
    const changed = await olga!.patch<Channel>(`/channels/${voice.id}`, {
      type: "text",
      server_id: elsewhere.id,
      id: home.id,
      last_message_id: home.id,
      created_at: "2000-01-01T00:00:00.000Z",
    });
    expect(changed.body).toEqual(voice);
    expect(await read(voice.id)).toEqual({ ...voice, permissions: defaultPermissions });
  });

  test("channels come by position, new ones last", async () => {
    await make({ name: "third", position: 30 });
    await make({ name: "second", position: 20 });
    await make({ name: "last" });
    expect((await list()).map(({ name, position }) => [name, position])).toEqual([
      ["general", 0],
      ["second", 20],
      ["third", 30],
      ["last", 31],
    ]);
    await make({ name: "end", position: limits.position_max });
    expect((await make({ name: "behind the end" })).body.position).toBe(limits.position_max);
  });

  test("the newest message of a channel is shown with it, as messages come and go", async () => {
    const last = async () => (await list())[0]?.last_message_id;
    const first = await bob!.say(home.general.id, "one");
    const second = await bob!.say(home.general.id, "two");
    expect(await last()).toBe(second.id);
    await bob!.delete(`/messages/${second.id}`);
    expect(await last()).toBe(first.id);
    await bob!.delete(`/messages/${first.id}`);
    expect(await last()).toBeNull();
  });

  test("a change is answered, heard, and kept; the same again is told to nobody", async () => {
    const ear = await bob!.listen();
    const everywhere = async () => {
      const seen = [];
      for (const _ of house().all) seen.push(asTold(await read(home.general.id)));
      return seen;
    };
    expect(new Set((await everywhere()).map(({ name }) => name))).toEqual(new Set(["general"]));
    const change = { name: "salon", topic: "What moves us", category: "Upstairs", position: 10_000 };
    const changed = await olga!.patch<Channel>(`/channels/${home.general.id}`, change);
    expect(changed.body).toEqual({ ...home.general, ...change });
    expect((await ear.next("CHANNEL_UPDATE")).data as unknown).toEqual(changed.body);
    await olga!.patch(`/channels/${home.general.id}`, change);
    await olga!.patch(`/channels/${home.general.id}`, {});
    const cleared = await olga!.patch<Channel>(`/channels/${home.general.id}`, {
      category: null,
      topic: " ",
    });
    expect([cleared.body.category, cleared.body.topic]).toEqual([null, null]);
    expect((await ear.next("CHANNEL_UPDATE")).data as unknown).toEqual(cleared.body);
    expect(await everywhere()).toEqual(house().all.map(() => cleared.body));
    const longest = {
      name: "x".repeat(limits.channel_name_max),
      topic: "🌊".repeat(limits.channel_topic_max),
      category: "y".repeat(limits.category_max),
    };
    const named = await olga!.patch<Channel>(`/channels/${home.general.id}`, longest);
    expect(named.body).toEqual({ ...cleared.body, ...longest });
    ear.close();
  });

  test("a deleted channel is gone with its messages, and heard to be", async () => {
    const ear = await bob!.listen();
    const message = await bob!.say(home.general.id, "still here");
    expect(verdict(await olga!.delete(`/channels/${home.general.id}`))).toBe("204");
    expect((await ear.next("CHANNEL_DELETE")).data as unknown).toEqual({ id: home.general.id });
    expect(
      verdicts([
        await bob!.get(`/channels/${home.general.id}`),
        await bob!.get(`/channels/${home.general.id}/messages`),
        await bob!.get(`/messages/${message.id}`),
        await bob!.patch(`/messages/${message.id}`, { content: "changed" }),
        await bob!.delete(`/messages/${message.id}`),
        await bob!.post(`/channels/${home.general.id}/messages`, { content: "hello?" }),
        await olga!.delete(`/channels/${home.general.id}`),
      ]),
    ).toEqual(Array(7).fill("404 not_found"));
    expect(await list()).toEqual([]);
    ear.close();
  });

  test("what a channel cannot be is refused", async () => {
    const wrong: Record<string, unknown>[] = [
      { name: "" },
      { name: " " },
      { name: "x".repeat(101) },
      { name: "a\u202eb" },
      { name: null },
      { type: "stage" },
      { type: null },
      { category: "x".repeat(101) },
      { category: 7 },
      { topic: "x".repeat(1025) },
      { topic: 7 },
      { position: -1 },
      { position: 10_001 },
      { position: 1.5 },
      { position: "1" },
      { server_id: "home" },
      { server_id: undefined },
    ];
    for (const each of wrong)
      expect([each, verdict(await make(each))]).toEqual([each, "400 invalid_request"]);
    for (const each of wrong.filter((body) => !("type" in body || "server_id" in body))) {
      const answer = await olga!.patch(`/channels/${home.general.id}`, each);
      expect([each, verdict(answer)]).toEqual([each, "400 invalid_request"]);
    }
    expect(await list()).toEqual([home.general]);
  });

  test("a list needs to know of which server", async () => {
    const answers = ["", "?server_id=", "?server_id=home", `?server_id=${home.id}&server_id=${home.id}`];
    for (const query of answers) {
      expect([query, verdict(await bob!.get(`/channels${query}`))]).toEqual([query, "400 invalid_request"]);
    }
  });

  test("without VIEW_CHANNEL a server has no channels, and no right about channels counts", async () => {
    await olga!.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 0 });
    const role = await olga!.giveRole(home.id, bob!, permission.MANAGE_CHANNELS | permission.SEND_MESSAGES);
    const path = `/channels/${home.general.id}`;
    expect(await list()).toEqual([]);
    expect(
      verdicts([
        await bob!.get(path),
        await bob!.patch(path, { name: "mine" }),
        await bob!.delete(path),
        await make({}, bob),
      ]),
    ).toEqual(["404 not_found", "404 not_found", "404 not_found", "403 forbidden"]);
    await olga!.patch(`/servers/${home.id}/roles/${role.id}`, {
      permissions: permission.VIEW_CHANNEL | permission.MANAGE_CHANNELS,
    });
    expect(
      verdicts([await bob!.get(path), await bob!.patch(path, { name: "ours" }), await make({}, bob)]),
    ).toEqual(["200", "200", "201"]);
  });
});

onEachEngine("a category", (house) => {
  test("is a name too: nothing in it turns or hides the text around it", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    for (const category of ["a\u202eb", "a\u200bb", "a\nb"]) {
      const answer = await alice.post("/channels", { server_id: home.id, name: "x", category });
      expect(answer.status).toBe(400);
    }
    expect((await alice.get<unknown[]>(`/channels?server_id=${home.id}`)).body).toHaveLength(1);
  });
});
