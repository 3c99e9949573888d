// Overrides of channels: who may set them, what is refused, and what becomes of them.
import { beforeEach, describe, expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import type { Override } from "../../protocol/overrides.ts";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { nobodysId, type TestPerson } from "../../tests/house/people/people.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Channel, SeenChannel } from "./contract.ts";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_MESSAGES, MANAGE_CHANNELS, KICK_MEMBERS } = permission;

onEachEngine("overrides", (house) => {
  const stage = homeForEach(house);
  let room: Channel;
  beforeEach(async () => {
    room = (await stage.olga.post<Channel>("/channels", { server_id: stage.home.id, name: "room" })).body;
  });

  const path = (id: string, channel = room) => `/channels/${channel.id}/overrides/${id}`;
  const set = (by: TestPerson, id: string, override: Partial<Override>) => by.put(path(id), override);
  const deny = (kind: Override["kind"], bits: number) => ({ kind, allow: 0, deny: bits });
  const allow = (kind: Override["kind"], bits: number) => ({ kind, allow: bits, deny: 0 });
  const list = async (by = stage.olga) => (await by.get<Override[]>(`/channels/${room.id}/overrides`)).body;
  const byId = (overrides: Override[]) => overrides.toSorted((a, b) => (a.id < b.id ? -1 : 1));

  test("are set, listed with the channel, changed and removed", async () => {
    const { olga, bob, home } = stage;
    const everyone = { id: home.everyone.id, ...deny("role", SEND_MESSAGES) };
    const bobs = { id: bob.id, ...allow("member", SEND_MESSAGES | MANAGE_MESSAGES) };
    expect(verdict(await set(olga, everyone.id, everyone))).toBe("204");
    expect(verdict(await set(olga, bobs.id, bobs))).toBe("204");
    expect(await list(bob)).toEqual(byId([everyone, bobs]));
    const shown = (await bob.get<SeenChannel>(`/channels/${room.id}`)).body;
    expect([shown.overrides, shown.permissions]).toEqual([byId([everyone, bobs]), 1795 | MANAGE_MESSAGES]);
    await set(olga, bobs.id, allow("member", MANAGE_MESSAGES));
    expect((await bob.get<SeenChannel>(`/channels/${room.id}`)).body.permissions).toBe(
      (1795 | MANAGE_MESSAGES) & ~SEND_MESSAGES,
    );
    expect(verdict(await olga.delete(path(bobs.id)))).toBe("204");
    expect(verdict(await set(olga, everyone.id, deny("role", 0)))).toBe("204");
    expect(await list()).toEqual([]);
    expect("overrides" in (await bob.get<SeenChannel>(`/channels/${room.id}`)).body).toBe(false);
  });

  test("are heard when they change; the same again, or nothing instead of nothing, is told to nobody", async () => {
    const { olga, bob, home } = stage;
    const ear = await bob.listen();
    await set(olga, home.everyone.id, deny("role", SEND_MESSAGES));
    await set(olga, home.everyone.id, deny("role", SEND_MESSAGES));
    await set(olga, bob.id, allow("member", 0));
    await olga.delete(path(bob.id));
    await olga.delete(path(home.everyone.id));
    await ear.settle();
    expect(ear.heard("CHANNEL_OVERRIDES_UPDATE").map(({ data }) => data as unknown)).toEqual([
      { channel_id: room.id, overrides: [{ id: home.everyone.id, ...deny("role", SEND_MESSAGES) }] },
      { channel_id: room.id, overrides: [] },
    ]);
    expect(ear.frames.filter(({ type }) => /^CHANNEL_(CREATE|DELETE)$/.test(type))).toEqual([]);
    ear.close();
  });

  test("with bad bits, the wrong kind, or for somebody who is not there are refused, and nothing is stored", async () => {
    const { olga, bob, carol, home } = stage;
    const elsewhere = await carol.makeServer("Elsewhere");
    const wrong: [string, unknown, string][] = [
      [bob.id, { kind: "member", allow: 3, deny: 1 }, "400 invalid_request"],
      [bob.id, allow("member", KICK_MEMBERS), "400 invalid_request"],
      [bob.id, deny("member", 2048), "400 invalid_request"],
      [bob.id, deny("member", 2 ** 32 + 1), "400 invalid_request"],
      [bob.id, deny("member", -1), "400 invalid_request"],
      [bob.id, deny("member", 1.5), "400 invalid_request"],
      [bob.id, { ...deny("member", 1), allow: "1" }, "400 invalid_request"],
      [bob.id, { allow: 1, deny: 0 }, "400 invalid_request"],
      [bob.id, { kind: "bot", allow: 1, deny: 0 }, "400 invalid_request"],
      [bob.id, allow("role", 1), "400 invalid_request"],
      [home.everyone.id, allow("member", 1), "400 invalid_request"],
      [carol.id, allow("member", 1), "404 not_found"],
      [elsewhere.everyone.id, allow("role", 1), "404 not_found"],
      [nobodysId, allow("role", 1), "404 not_found"],
      ["nobody", allow("role", 1), "404 not_found"],
    ];
    for (const [id, override, expected] of wrong) {
      expect([override, verdict(await olga.put(path(id), override))]).toEqual([override, expected]);
    }
    expect(verdict(await olga.delete(path(carol.id)))).toBe("404 not_found");
    expect(verdict(await carol.put(path(bob.id), allow("member", 1)))).toBe("404 not_found");
    expect(await list()).toEqual([]);
  });

  describe("are set by who holds MANAGE_CHANNELS there,", () => {
    beforeEach(async () => {
      const { olga, bob, carol, home } = stage;
      await olga.giveRole(home.id, bob, MANAGE_CHANNELS, 5);
      await olga.bringIn(home.id, carol);
    });

    test("and ranks above the role or member", async () => {
      const { olga, bob, carol, home } = stage;
      const high = await olga.giveRole(home.id, carol, 0, 5);
      const answers = [
        await set(bob, high.id, deny("role", VIEW_CHANNEL)),
        // Rank comes before the rest.
        await set(bob, high.id, deny("member", VIEW_CHANNEL)),
        await set(bob, carol.id, deny("member", VIEW_CHANNEL)),
        await set(bob, olga.id, deny("member", VIEW_CHANNEL)),
        await set(bob, bob.id, allow("member", SEND_MESSAGES)),
        await set(bob, home.everyone.id, deny("role", SEND_MESSAGES)),
        await set(olga, olga.id, deny("member", VIEW_CHANNEL)),
      ];
      const hierarchy = "403 hierarchy";
      expect(verdicts(answers)).toEqual([...Array(4).fill(hierarchy), "204", "204", "204"]);
      // An override on the owner changes nothing.
      expect((await olga.get<SeenChannel>(`/channels/${room.id}`)).body.permissions).toBe(1863);
      await set(olga, carol.id, deny("member", SEND_MESSAGES));
      expect(verdict(await bob.delete(path(carol.id)))).toBe(hierarchy);
    });

    test("and holds every bit that changes, set or cleared", async () => {
      const { olga, bob, carol } = stage;
      const answers = [
        await set(bob, carol.id, allow("member", MANAGE_MESSAGES)),
        await set(bob, carol.id, deny("member", MANAGE_MESSAGES | SEND_MESSAGES)),
        await set(olga, carol.id, { kind: "member", allow: MANAGE_MESSAGES, deny: SEND_MESSAGES }),
        // A bit that stays as it is needs nothing.
        await set(bob, carol.id, { kind: "member", allow: MANAGE_MESSAGES, deny: 0 }),
        await set(bob, carol.id, allow("member", 0)),
        await bob.delete(path(carol.id)),
      ];
      expect(verdicts(answers)).toEqual([
        "403 forbidden",
        "403 forbidden",
        "204",
        "204",
        "403 forbidden",
        "403 forbidden",
      ]);
      expect(await list()).toEqual([{ id: carol.id, ...allow("member", MANAGE_MESSAGES) }]);
    });

    test("and does not lose the channel by it", async () => {
      const { olga, bob, home } = stage;
      const lockOuts = [
        await set(bob, home.everyone.id, deny("role", VIEW_CHANNEL)),
        await set(bob, bob.id, deny("member", MANAGE_CHANNELS)),
        await set(bob, bob.id, deny("member", VIEW_CHANNEL)),
      ];
      expect(verdicts(lockOuts)).toEqual(lockOuts.map(() => "409 conflict"));
      expect(await list()).toEqual([]);
      expect(verdict(await set(bob, bob.id, allow("member", VIEW_CHANNEL)))).toBe("204");
      expect(verdict(await set(bob, home.everyone.id, deny("role", VIEW_CHANNEL)))).toBe("204");
      expect(verdict(await bob.delete(path(bob.id)))).toBe("409 conflict");
      expect(verdict(await olga.delete(path(bob.id)))).toBe("204");
      expect(verdict(await bob.get(`/channels/${room.id}`))).toBe("404 not_found");
    });

    test("which an override gives or takes there", async () => {
      const { olga, bob, carol, home } = stage;
      await set(olga, carol.id, allow("member", MANAGE_CHANNELS));
      await set(olga, bob.id, deny("member", MANAGE_CHANNELS));
      expect(verdict(await carol.patch(`/channels/${room.id}`, { topic: "Hers" }))).toBe("200");
      expect(verdict(await bob.patch(`/channels/${room.id}`, { topic: "His" }))).toBe("403 forbidden");
      expect(verdict(await bob.patch(`/channels/${home.general.id}`, { topic: "His" }))).toBe("200");
      expect(verdict(await set(carol, carol.id, deny("member", SEND_MESSAGES)))).toBe("409 conflict");
    });
  });

  test("may be a hundred in a channel", async () => {
    const { olga, home } = stage;
    const roles = await Promise.all(
      Array.from({ length: limits.channel_overrides_max + 1 }, async () => {
        const asked = { name: "a role", permissions: 0 };
        return (await olga.post<{ id: string }>(`/servers/${home.id}/roles`, asked)).body.id;
      }),
    );
    const overrides = roles.map((id) => ({ id, ...deny("role", SEND_MESSAGES) }));
    const make = (some: unknown[]) =>
      olga.post<Channel>("/channels", { server_id: home.id, name: "full", overrides: some });
    expect(verdict(await make(overrides))).toBe("409 conflict");
    const full = await make(overrides.slice(1));
    expect(full.body.overrides).toEqual(byId(overrides.slice(1)));
    const [last] = roles;
    expect(verdict(await olga.put(path(last ?? "", full.body), overrides[0]))).toBe("409 conflict");
    // One that is there may be changed still.
    expect(verdict(await olga.put(path(roles[1] ?? "", full.body), allow("role", SEND_MESSAGES)))).toBe(
      "204",
    );
  });

  test("of a channel that is to be made stand under the same rules, with the bits in the server", async () => {
    const { olga, bob, carol, home } = stage;
    await olga.giveRole(home.id, bob, MANAGE_CHANNELS, 5);
    const high = await olga.post<{ id: string }>(`/servers/${home.id}/roles`, { name: "high", position: 6 });
    const { id: everyone } = home.everyone;
    const itself = { id: bob.id, ...allow("member", VIEW_CHANNEL) };
    const wrong: [unknown[], string][] = [
      [[{ id: carol.id, ...allow("member", 1) }], "400 invalid_request"],
      [[{ id: nobodysId, ...allow("role", 1) }], "400 invalid_request"],
      [[{ id: everyone, ...allow("member", 1) }], "400 invalid_request"],
      [[{ id: everyone, kind: "role", allow: 1, deny: 1 }], "400 invalid_request"],
      [[itself, itself], "400 invalid_request"],
      [[{ id: everyone, ...deny("role", VIEW_CHANNEL) }], "409 conflict"],
      [[{ id: high.body.id, ...deny("role", VIEW_CHANNEL) }], "403 hierarchy"],
      [[{ id: everyone, ...allow("role", MANAGE_MESSAGES) }], "403 forbidden"],
      [
        [
          { id: nobodysId, ...allow("role", 1) },
          { id: high.body.id, ...deny("role", VIEW_CHANNEL) },
        ],
        "403 hierarchy",
      ],
      [Array.from({ length: 101 }, () => itself), "409 conflict"],
    ];
    for (const [overrides, expected] of wrong) {
      const answer = await bob.post("/channels", { server_id: home.id, name: "new", overrides });
      expect([overrides, verdict(answer)]).toEqual([overrides, expected]);
    }
    const lockOut = [{ id: everyone, ...deny("role", VIEW_CHANNEL) }];
    const badName = { server_id: home.id, name: "new", category: "a\u202eb", overrides: lockOut };
    expect(verdict(await bob.post("/channels", badName))).toBe("400 invalid_request");
    const names = (await olga.get<Channel[]>(`/channels?server_id=${home.id}`)).body.map(({ name }) => name);
    expect(names).toEqual(["general", "room"]);
    const overrides = [itself, { id: everyone, ...deny("role", VIEW_CHANNEL) }];
    const made = await bob.post<Channel>("/channels", { server_id: home.id, name: "new", overrides });
    expect([made.status, made.body.overrides]).toEqual([201, byId(overrides)]);
    const nothing = [{ id: everyone, ...deny("role", 0) }];
    const plain = await bob.post<Channel>("/channels", {
      server_id: home.id,
      name: "plain",
      overrides: nothing,
    });
    expect([plain.status, plain.body.overrides]).toEqual([201, undefined]);
  });

  test("go with their role", async () => {
    const { olga, bob, home } = stage;
    const role = await olga.giveRole(home.id, bob, 0);
    await set(olga, role.id, deny("role", SEND_MESSAGES));
    await set(olga, bob.id, allow("member", MANAGE_MESSAGES));
    const ear = await bob.listen();
    await olga.delete(`/servers/${home.id}/roles/${role.id}`);
    const left = [{ id: bob.id, ...allow("member", MANAGE_MESSAGES) }];
    expect((await ear.next("CHANNEL_OVERRIDES_UPDATE")).data as unknown).toEqual({
      channel_id: room.id,
      overrides: left,
    });
    expect(await list()).toEqual(left);
    ear.close();
  });

  test("of who leaves deny still when they come back, and allow nothing", async () => {
    const { olga, bob, carol, home } = stage;
    const elsewhere = await olga.makeServer("Elsewhere");
    await olga.bringIn(elsewhere.id, bob);
    const there = path(bob.id, elsewhere.general);
    await olga.put(there, allow("member", MANAGE_MESSAGES));
    await set(olga, bob.id, { kind: "member", allow: MANAGE_MESSAGES, deny: SEND_MESSAGES });
    await olga.put(path(bob.id, home.general), allow("member", MANAGE_MESSAGES));
    const ear = await olga.listen();
    await bob.delete(`/servers/${home.id}/members/@me`);
    await ear.settle();
    const told = ear.heard("CHANNEL_OVERRIDES_UPDATE").map(({ data }) => data as unknown);
    const kept = [{ id: bob.id, ...deny("member", SEND_MESSAGES) }];
    expect(told).toHaveLength(2);
    expect(told).toContainEqual({ channel_id: room.id, overrides: kept });
    expect(told).toContainEqual({ channel_id: home.general.id, overrides: [] });
    await olga.bringIn(home.id, bob, carol);
    expect((await bob.get<SeenChannel>(`/channels/${room.id}`)).body.permissions).toBe(1795 & ~SEND_MESSAGES);
    expect((await bob.get<SeenChannel>(`/channels/${elsewhere.general.id}`)).body.permissions).toBe(
      1795 | MANAGE_MESSAGES,
    );
    await bob.delete(`/servers/${home.id}/members/@me`);
    expect(verdict(await set(olga, bob.id, deny("member", VIEW_CHANNEL)))).toBe("404 not_found");
    expect(verdict(await olga.delete(path(bob.id)))).toBe("204");
    expect(await list()).toEqual([]);
    ear.close();
  });

  describe("are explained step by step", () => {
    const explain = (by: TestPerson, of: TestPerson) =>
      by.get<{ permissions: number; steps: unknown[] }>(`/channels/${room.id}/permissions/${of.id}`);

    test("as they were resolved", async () => {
      const { olga, bob, home } = stage;
      const role = await olga.giveRole(home.id, bob, MANAGE_MESSAGES | KICK_MEMBERS);
      await set(olga, home.everyone.id, deny("role", SEND_MESSAGES));
      await set(olga, role.id, allow("role", SEND_MESSAGES));
      await set(olga, bob.id, deny("member", SEND_MESSAGES));
      const everyone = { id: home.everyone.id, name: "@everyone" };
      const some = { id: role.id, name: "some role" };
      const without = (1795 | MANAGE_MESSAGES) & ~SEND_MESSAGES;
      expect((await explain(bob, bob)).body).toEqual({
        permissions: without,
        steps: [
          { source: "role", ...everyone, allow: 1795, deny: 0, result: 1795 },
          { source: "role", ...some, allow: MANAGE_MESSAGES, deny: 0, result: 1795 | MANAGE_MESSAGES },
          { source: "everyone_override", ...everyone, allow: 0, deny: SEND_MESSAGES, result: without },
          {
            source: "role_override",
            ...some,
            allow: SEND_MESSAGES,
            deny: 0,
            result: without | SEND_MESSAGES,
          },
          {
            source: "member_override",
            ...{ id: bob.id, name: "bob" },
            allow: 0,
            deny: SEND_MESSAGES,
            result: without,
          },
        ],
      });
      expect((await explain(olga, olga)).body).toEqual({
        permissions: 1863,
        steps: [{ source: "owner", id: olga.id, name: "olga", allow: 1863, deny: 0, result: 1863 }],
      });
    });

    test("to oneself, and to who manages the server and sees the channel", async () => {
      const { olga, bob, carol, home } = stage;
      await olga.bringIn(home.id, carol);
      expect(verdict(await explain(bob, carol))).toBe("403 forbidden");
      await olga.giveRole(home.id, bob, permission.MANAGE_SERVER, 2);
      expect(verdict(await explain(bob, carol))).toBe("200");
      await set(olga, carol.id, deny("member", VIEW_CHANNEL));
      expect((await explain(bob, carol)).body.permissions).toBe(0);
      expect((await explain(bob, carol)).body.steps.at(-1)).toEqual({
        ...{ source: "no_view", id: null, name: null },
        ...{ allow: 0, deny: 1863, result: 0 },
      });
      expect(verdict(await explain(carol, carol))).toBe("404 not_found");
      await set(olga, bob.id, deny("member", VIEW_CHANNEL));
      expect(verdict(await explain(bob, carol))).toBe("404 not_found");
      await carol.delete(`/servers/${home.id}/members/@me`);
      expect(verdict(await explain(olga, carol))).toBe("404 not_found");
    });
  });
});
