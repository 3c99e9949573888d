// Joining, leaving and removal while connected: where a server's events begin and end.
import { describe, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../house/open/engines.ts";
import type { Ear } from "../house/people/ear.ts";

onEachEngine("membership on the gateway", (house) => {
  test("who makes a server, on any of their sockets, gets it as READY would show it, and then hears it", async () => {
    const alice = await house().person("alice");
    const ears = [await alice.listen(), await alice.listen()];
    const home = await alice.makeServer();
    for (const ear of ears) {
      const created = await ear.next("SERVER_CREATE");
      expect(created.seq).toBeUndefined();
      expect(created.data).toMatchObject({
        id: home.id,
        name: home.name,
        permissions: 2047,
        role_ids: [],
      } as never);
      const fresh = (await alice.listen()).ready.servers as unknown as { id: string; presences: unknown }[];
      const { presences: _, ...shown } = created.data as unknown as { presences: unknown };
      const { presences: __, ...now } = fresh.find((server) => server.id === home.id) ?? { presences: 0 };
      expect(shown as unknown).toEqual(now as unknown);
    }
    await alice.say(home.general.id, "first words");
    for (const ear of ears) {
      const heard = await ear.next("MESSAGE_CREATE");
      expect(heard.seq).toBe(Number(ear.heard("SERVER_CREATE")[0]?.data.seq) + 1);
    }
  });

  test("who joins gets SERVER_CREATE and every later event; the others SERVER_MEMBER_ADD", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    const [hers, his] = [await alice.listen(), await bob.listen()];
    await alice.bringIn(home.id, bob);
    const added = await hers.next("SERVER_MEMBER_ADD");
    const created = await his.next("SERVER_CREATE");
    expect(Number(created.data.seq)).toBeGreaterThanOrEqual(added.seq ?? 0);
    await alice.say(home.general.id, "Welcome");
    expect((await his.next("MESSAGE_CREATE")).seq).toBe((added.seq ?? 0) + 1);
    expect(his.heard("SERVER_CREATE")).toHaveLength(1);
    expect(his.heard("SERVER_MEMBER_ADD")).toEqual([]);
  });

  describe("SERVER_MEMBER_REMOVE is the last event of the server for who was", () => {
    const ways = ["left", "kicked", "banned"] as const;
    for (const reason of ways) {
      test(reason, async () => {
        const [alice, bob, carol] = [
          await house().person("alice"),
          await house().person("bob"),
          await house().person("carol"),
        ];
        const home = await alice.makeServer();
        await alice.bringIn(home.id, bob, carol);
        const ears = [await bob.listen(), await bob.listen()];
        const witness = await carol.listen();
        // Messages are posted all the time: some before the removal, some after.
        let talking = true;
        const talk = (async () => {
          while (talking) await alice.say(home.general.id, "blah");
        })();
        for (const ear of ears) await ear.next("MESSAGE_CREATE");
        const member = `/servers/${home.id}/members/`;
        if (reason === "left") await bob.delete(`${member}@me`);
        if (reason === "kicked") await alice.delete(member + bob.id);
        if (reason === "banned") await alice.put(`/servers/${home.id}/bans/${bob.id}`, { reason: "noise" });
        for (const ear of ears) {
          const last = await ear.next("SERVER_MEMBER_REMOVE");
          expect(last.data as unknown).toEqual({ user_id: bob.id, reason });
        }
        await witness.next("SERVER_MEMBER_REMOVE");
        for (let more = 0; more < 5; more++) await witness.next("MESSAGE_CREATE");
        talking = false;
        await talk;
        await carol.post(`/channels/${home.general.id}/typing`);
        await carol.patch("/auth/me", { status_text: "alone" });
        for (const ear of ears) {
          await ear.settle();
          expect(ofServer(ear, home.id).at(-1)?.type).toBe("SERVER_MEMBER_REMOVE");
        }
        expect((await bob.listen()).ready.servers as unknown).toEqual([]);
      });
    }
  });

  test("who was kicked and joins again gets the server anew and hears it, and what came between stays unheard", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const ear = await bob.listen();
    await alice.delete(`/servers/${home.id}/members/${bob.id}`);
    await alice.say(home.general.id, "behind his back");
    await alice.bringIn(home.id, bob);
    await ear.next("SERVER_CREATE");
    await alice.say(home.general.id, "to his face");
    expect(String((await ear.next("MESSAGE_CREATE")).data.content)).toBe("to his face");
    expect(ear.heard("MESSAGE_CREATE")).toHaveLength(1);
  });

  test("SERVER_DELETE is the last event of a server, for all its members, and for no stranger", async () => {
    const [alice, bob, mallory] = [
      await house().person("alice"),
      await house().person("bob"),
      await house().person("mallory"),
    ];
    const home = await alice.makeServer();
    const other = await alice.makeServer("Other");
    await alice.bringIn(home.id, bob);
    await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, {
      permissions: permission.SEND_MESSAGES,
    });
    const ears = [await alice.listen(), await bob.listen()];
    const stranger = await mallory.listen();
    await alice.delete(`/servers/${home.id}`);
    for (const ear of ears) {
      const last = await ear.next("SERVER_DELETE");
      expect(last).toMatchObject({ server_id: home.id, data: { id: home.id } as never });
      expect(last.seq).toBeGreaterThan(0);
    }
    await alice.post(`/channels/${home.general.id}/messages`, { content: "anybody?" });
    await alice.say(other.general.id, "here");
    await ears[0]?.next("MESSAGE_CREATE");
    for (const ear of [...ears, stranger]) await ear.settle();
    for (const ear of ears) expect(ofServer(ear, home.id).at(-1)?.type).toBe("SERVER_DELETE");
    expect(stranger.heard("SERVER_DELETE")).toEqual([]);
  });
});

function ofServer(ear: Ear, serverId: string) {
  return ear.frames.filter((frame) => frame.server_id === serverId);
}
