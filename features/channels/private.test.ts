// Private channels: who sees them, live, in READY and on replay, and what those who lose or gain sight are told.
import { beforeEach, describe, expect, test } from "bun:test";
import type { Override } from "../../protocol/overrides.ts";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import { sweep } from "../../tests/house/scenes/swept.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Channel } from "./contract.ts";

const { VIEW_CHANNEL, SEND_MESSAGES } = permission;

onEachEngine("a private channel", (house) => {
  const stage = homeForEach(house);
  const ears: Ear[] = [];
  beforeEach(async () => {
    for (const ear of ears.splice(0)) ear.close();
    await stage.olga.bringIn(stage.home.id, stage.carol);
  });

  async function listen(person: TestPerson, resume?: Parameters<TestPerson["listen"]>[0]): Promise<Ear> {
    const ear = await person.listen(resume);
    ears.push(ear);
    return ear;
  }

  /** A channel that only the owner and Bob see, from its first moment. */
  async function makeVault(): Promise<Channel> {
    const { olga, bob, home } = stage;
    const overrides = [
      { id: home.everyone.id, kind: "role", deny: VIEW_CHANNEL },
      { id: bob.id, kind: "member", allow: VIEW_CHANNEL },
    ];
    return (await olga.post<Channel>("/channels", { server_id: home.id, name: "vault", overrides })).body;
  }

  const set = (channel: Channel, id: string, override: Partial<Override>) =>
    stage.olga.put(`/channels/${channel.id}/overrides/${id}`, override);
  const hide = (channel: Channel) =>
    set(channel, stage.home.everyone.id, { kind: "role", deny: VIEW_CHANNEL });
  const letIn = (channel: Channel, { id }: TestPerson) =>
    set(channel, id, { kind: "member", allow: VIEW_CHANNEL });
  const keepOut = (channel: Channel, { id }: TestPerson) =>
    set(channel, id, { kind: "member", deny: VIEW_CHANNEL });

  // Read states follow a channel that comes into sight; their own tests look at them.
  const others = ["READY", "READ_STATE_UPDATE"];

  /** The types of the frames about a channel, in order, `#` before those that have a number. */
  async function about(ear: Ear, channel: Channel): Promise<string[]> {
    await ear.settle();
    return ear.frames
      .filter(({ type, data }) => !others.includes(type) && JSON.stringify(data).includes(channel.id))
      .map(({ type, seq }) => (seq === undefined ? type : `#${type}`));
  }

  const seenIn = (ear: Ear) =>
    ear.ready.servers as unknown as { id: string; channels: { id: string; permissions: number }[] }[];
  const channelsIn = (ear: Ear) =>
    seenIn(ear)
      .find(({ id }) => id === stage.home.id)
      ?.channels.map(({ id }) => id);

  describe("made private", () => {
    test("is heard, listed and read by those whom it lets in, and by nobody else", async () => {
      const { olga, bob, carol, home } = stage;
      const [inside, outside] = [await listen(bob), await listen(carol)];
      const vault = await makeVault();
      await olga.say(vault.id, "nobody hears us");
      expect(await about(inside, vault)).toEqual(["#CHANNEL_CREATE", "#MESSAGE_CREATE"]);
      expect(inside.heard("CHANNEL_CREATE")[0]?.data as unknown).toEqual(vault);
      expect(await about(outside, vault)).toEqual([]);
      const listed = async (by: TestPerson) =>
        (await by.get<Channel[]>(`/channels?server_id=${home.id}`)).body.map(({ id }) => id);
      expect(await listed(bob)).toEqual([home.general.id, vault.id]);
      expect(await listed(carol)).toEqual([home.general.id]);
      expect(verdict(await bob.get(`/channels/${vault.id}/messages`))).toBe("200");
      expect(verdict(await carol.get(`/channels/${vault.id}/messages`))).toBe("404 not_found");
      expect(channelsIn(await listen(bob))).toEqual([home.general.id, vault.id]);
      expect(channelsIn(await listen(carol))).toEqual([home.general.id]);
    });

    test("beside others at the same moment is told once, and so is the first override of several", async () => {
      const { olga, bob, carol, home } = stage;
      const [inside, outside] = [await listen(bob), await listen(carol)];
      const vaults = await Promise.all(Array.from({ length: 10 }, makeVault));
      for (const vault of vaults) {
        expect(await about(inside, vault)).toEqual(["#CHANNEL_CREATE"]);
        expect(await about(outside, vault)).toEqual([]);
      }
      const body = (i: number) => ({ server_id: home.id, name: `open-${i}` });
      const open = await Promise.all(
        vaults.map(async (_, i) => (await olga.post<Channel>("/channels", body(i))).body),
      );
      await Promise.all(open.map((channel) => keepOut(channel, carol)));
      for (const channel of open) {
        expect(await about(inside, channel)).toEqual(["#CHANNEL_CREATE", "#CHANNEL_OVERRIDES_UPDATE"]);
        expect(await about(outside, channel)).toEqual(["#CHANNEL_CREATE", "CHANNEL_DELETE"]);
      }
    });

    test("while sockets are away is replayed to those whom it lets in; the others resume as if nothing were", async () => {
      const { olga, bob, carol } = stage;
      const points = [await listen(bob), await listen(carol)].map((ear) => ear.resumePoint);
      const vault = await makeVault();
      await olga.say(vault.id, "nobody hears us");
      const [inside, outside] = [await listen(bob, points[0]), await listen(carol, points[1])];
      expect(await about(inside, vault)).toEqual(["#CHANNEL_CREATE", "#MESSAGE_CREATE"]);
      expect(await about(outside, vault)).toEqual([]);
      for (const ear of [inside, outside]) expect(ear.heard("READY")).toEqual([]);
      await olga.say(vault.id, "still");
      expect((await about(inside, vault)).at(-1)).toBe("#MESSAGE_CREATE");
      expect(await about(outside, vault)).toEqual([]);
    });
  });

  describe("that everybody saw before", () => {
    test("goes out of sight for those whom it keeps out; those who go on seeing it are told of the overrides alone", async () => {
      const { olga, bob, carol, home } = stage;
      await letIn(home.general, bob);
      const [owner, inside, outside] = [await listen(olga), await listen(bob), await listen(carol)];
      await hide(home.general);
      await olga.say(home.general.id, "nobody hears us");
      const both = ["#CHANNEL_OVERRIDES_UPDATE", "#MESSAGE_CREATE"];
      expect(await about(owner, home.general)).toEqual(both);
      expect(await about(inside, home.general)).toEqual(both);
      expect(await about(outside, home.general)).toEqual(["CHANNEL_DELETE"]);
      await stage.olga.delete(`/channels/${home.general.id}/overrides/${home.everyone.id}`);
      expect((await about(outside, home.general)).slice(1)).toEqual([
        "CHANNEL_CREATE",
        "#CHANNEL_OVERRIDES_UPDATE",
      ]);
      expect((await about(inside, home.general)).slice(2)).toEqual(["#CHANNEL_OVERRIDES_UPDATE"]);
    });

    test("with its very first override keeps out whom that names, and nobody else notices", async () => {
      const { olga, bob, carol, home } = stage;
      const [inside, outside] = [await listen(bob), await listen(carol)];
      await keepOut(home.general, carol);
      await olga.say(home.general.id, "Carol does not hear us");
      expect(await about(outside, home.general)).toEqual(["CHANNEL_DELETE"]);
      expect(await about(inside, home.general)).toEqual(["#CHANNEL_OVERRIDES_UPDATE", "#MESSAGE_CREATE"]);
    });

    test("gives a fresh READY to who was away, and replays nothing said before to who is kept out now", async () => {
      const { olga, bob, carol, home } = stage;
      const points = [await listen(bob), await listen(carol)].map((ear) => ear.resumePoint);
      await olga.say(home.general.id, "while all saw it");
      await keepOut(home.general, carol);
      const [inside, outside] = [await listen(bob, points[0]), await listen(carol, points[1])];
      expect(channelsIn(inside)).toEqual([home.general.id]);
      expect(channelsIn(outside)).toEqual([]);
      expect(JSON.stringify(outside.frames)).not.toContain("while all saw it");
    });
  });

  describe("let somebody in", () => {
    test("comes into sight with what was said in it", async () => {
      const { olga, carol } = stage;
      const vault = await makeVault();
      const { id } = await olga.say(vault.id, "before Carol came");
      const ear = await listen(carol);
      await letIn(vault, carol);
      const shown = await ear.next("CHANNEL_CREATE");
      expect(String(shown.data.last_message_id)).toBe(id);
      await olga.say(vault.id, "welcome");
      expect(await about(ear, vault)).toEqual([
        "CHANNEL_CREATE",
        "#CHANNEL_OVERRIDES_UPDATE",
        "#MESSAGE_CREATE",
      ]);
      await keepOut(vault, carol);
      await olga.say(vault.id, "after Carol went");
      expect((await about(ear, vault)).slice(3)).toEqual(["CHANNEL_DELETE"]);
    });

    test("shows it to who sees no other channel of the server", async () => {
      const { olga, carol, home } = stage;
      await olga.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: SEND_MESSAGES });
      const vault = await makeVault();
      await letIn(vault, carol);
      const ear = await listen(carol);
      expect(channelsIn(ear)).toEqual([vault.id]);
      expect((await carol.say(vault.id, "Here I am.")).content).toBe("Here I am.");
      await olga.say(home.general.id, "elsewhere");
      await olga.say(vault.id, "in here");
      expect(await about(ear, vault)).toEqual(["#MESSAGE_CREATE", "#MESSAGE_CREATE"]);
      expect(await about(ear, home.general)).toEqual([]);
    });
  });

  test("is lost and gained with roles, as overrides of roles say", async () => {
    const { olga, carol, home } = stage;
    const vault = await makeVault();
    const role = (await olga.post<{ id: string }>(`/servers/${home.id}/roles`, { name: "keepers" })).body;
    await set(vault, role.id, { kind: "role", allow: VIEW_CHANNEL });
    const ear = await listen(carol);
    const held = (role_ids: string[]) =>
      olga.put(`/servers/${home.id}/members/${carol.id}/roles`, { role_ids });
    await held([role.id]);
    await olga.say(vault.id, "one of us");
    await held([]);
    await olga.say(vault.id, "none of us");
    expect(await about(ear, vault)).toEqual(["CHANNEL_CREATE", "#MESSAGE_CREATE", "CHANNEL_DELETE"]);
    await held([role.id]);
    await olga.delete(`/servers/${home.id}/roles/${role.id}`);
    expect((await about(ear, vault)).slice(3)).toEqual(["CHANNEL_CREATE", "CHANNEL_DELETE"]);
  });

  test("that is deleted and swept while somebody is away is gone when they come back", async () => {
    const { olga, bob, home } = stage;
    const vault = await makeVault();
    const point = (await listen(bob)).resumePoint;
    await olga.delete(`/channels/${vault.id}`);
    await sweep(house());
    expect(channelsIn(await listen(bob, point))).toEqual([home.general.id]);
  });

  test("that is hidden while the roles take its sight, too, is told to be gone", async () => {
    const { olga, carol } = stage;
    for (let i = 0; i < 4; i++) {
      const home = await olga.makeServer();
      await olga.bringIn(home.id, carol);
      const ear = await listen(carol);
      await Promise.all([
        olga.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 0 }),
        olga.put(`/channels/${home.general.id}/overrides/${home.everyone.id}`, {
          ...{ kind: "role", allow: 0, deny: SEND_MESSAGES },
        }),
      ]);
      expect((await about(ear, home.general)).filter((type) => type === "CHANNEL_DELETE")).not.toEqual([]);
    }
  });

  test("that is deleted is heard to be by those who saw it, and leaves no overrides behind", async () => {
    const { olga, bob, carol } = stage;
    const vault = await makeVault();
    const [inside, outside] = [await listen(bob), await listen(carol)];
    await olga.delete(`/channels/${vault.id}`);
    expect(await about(inside, vault)).toEqual(["#CHANNEL_DELETE"]);
    expect(await about(outside, vault)).toEqual([]);
    await sweep(house());
    const { read } = house().running.house.database;
    const left = read.selectFrom("channel_overrides").selectAll().where("channel_id", "=", vault.id);
    expect(await left.execute()).toEqual([]);
  });
});
