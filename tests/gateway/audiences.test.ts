// Every event reaches exactly its audience: who hears it, who does not, and its data.
import { describe, expect, test } from "bun:test";
import type { Channel } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine, type TestHouse } from "../house/open/engines.ts";
import type { Ear } from "../house/people/ear.ts";
import type { HeardFrame } from "../house/people/heard.ts";
import type { TestPerson } from "../house/people/people.ts";
import { neighbours } from "../house/scenes/home.ts";

/** Alice owns the server and Bob sees its channels; Carol is a member without VIEW_CHANNEL; Mallory is an outsider. */
interface Place {
  alice: TestPerson;
  bob: TestPerson;
  carol: TestPerson;
  serverId: string;
  general: Channel;
  viewerRoleId: string;
  ears: { alice: Ear; bob: Ear; carol: Ear; mallory: Ear };
}

async function makePlace(house: TestHouse): Promise<Place> {
  const { alice, bob, carol, mallory, home } = await neighbours(house);
  await mallory.makeServer("Mallory's own");
  await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 0 });
  const viewer = await alice.giveRole(home.id, bob, permission.VIEW_CHANNEL | permission.SEND_MESSAGES);
  const ears = {
    alice: await alice.listen(),
    bob: await bob.listen(),
    carol: await carol.listen(),
    mallory: await mallory.listen(),
  };
  return { alice, bob, carol, serverId: home.id, general: home.general, viewerRoleId: viewer.id, ears };
}

type Name = keyof Place["ears"];

/**
 * Acts and returns the frames of that type that each person heard. Everything has arrived once a later renaming of the
 * server has, as it follows in the same log; outsiders have then had time, too.
 */
async function heardOf(
  place: Place,
  type: string,
  doIt: () => Promise<unknown>,
  mark = "the end",
): Promise<Record<Name, HeardFrame[]>> {
  const names = Object.keys(place.ears) as Name[];
  const from = new Map(names.map((name) => [name, place.ears[name].frames.length]));
  await doIt();
  await place.alice.patch(`/servers/${place.serverId}`, { name: mark });
  for (const name of ["alice", "bob", "carol"] as const) {
    await place.ears[name].until(
      (frame) => frame.type === "SERVER_UPDATE" && String(frame.data.name) === mark,
    );
  }
  for (const name of names) await place.ears[name].settle();
  const since = (name: Name) =>
    place.ears[name].frames.slice(from.get(name)).filter((frame) => frame.type === type);
  return { alice: since("alice"), bob: since("bob"), carol: since("carol"), mallory: since("mallory") };
}

/** Each of these people heard one frame with these data and the same number; the others heard nothing. */
function expectHeard(
  heard: Record<Name, HeardFrame[]>,
  by: readonly Name[],
  serverId: string,
  data: unknown,
  isLive = false,
): void {
  const counts = Object.fromEntries(Object.entries(heard).map(([name, frames]) => [name, frames.length]));
  const names = Object.keys(heard) as Name[];
  expect(counts).toEqual(Object.fromEntries(names.map((name) => [name, by.includes(name) ? 1 : 0])));
  const frames = by.map((name) => heard[name][0] as HeardFrame);
  for (const frame of frames) {
    expect(frame).toEqual(frames[0] as HeardFrame);
    expect(frame.server_id).toBe(serverId);
    expect(Object.keys(frame).sort()).toEqual(
      isLive ? ["data", "server_id", "ts", "type"] : ["data", "seq", "server_id", "ts", "type"],
    );
    expect(new Date(frame.ts).toISOString()).toBe(frame.ts);
    expect(frame.data as unknown).toEqual(data);
  }
}

const viewers: readonly Name[] = ["alice", "bob"];
const members: readonly Name[] = ["alice", "bob", "carol"];

onEachEngine("audiences", (house) => {
  describe("those who can see the channel, and nobody else, hear", () => {
    test("MESSAGE_CREATE, MESSAGE_UPDATE and MESSAGE_DELETE, without `me`", async () => {
      const place = await makePlace(house());
      const { bob, alice, general, serverId } = place;
      let message = {} as Message;
      const created = await heardOf(place, "MESSAGE_CREATE", async () => {
        message = await bob.say(general.id, "hi", { nonce: "n1" });
      });
      expectHeard(created, viewers, serverId, message);
      await alice.post(`/messages/${message.id}/reactions`, { emoji: "👍" });
      let corrected = {} as Message;
      const updated = await heardOf(
        place,
        "MESSAGE_UPDATE",
        async () => {
          corrected = (await bob.patch<Message>(`/messages/${message.id}`, { content: "ho" })).body;
        },
        "2",
      );
      expect(corrected.reactions).toEqual([{ emoji: "👍", count: 1, me: false }]);
      expectHeard(updated, viewers, serverId, { ...corrected, reactions: [{ emoji: "👍", count: 1 }] });
      const deleted = await heardOf(
        place,
        "MESSAGE_DELETE",
        () => bob.delete(`/messages/${message.id}`),
        "3",
      );
      expectHeard(deleted, viewers, serverId, { id: message.id, channel_id: general.id });
    });

    test("one MESSAGE_DELETE for each message of a bulk delete that was of the channel", async () => {
      const place = await makePlace(house());
      const { alice, bob, general } = place;
      const elsewhere = (await alice.post<Channel>("/channels", { server_id: place.serverId, name: "other" }))
        .body;
      const mine = [await bob.say(general.id, "1"), await alice.say(general.id, "2")].map(({ id }) => id);
      const foreign = await alice.say(elsewhere.id, "3");
      const heard = await heardOf(place, "MESSAGE_DELETE", () =>
        alice.post(`/channels/${general.id}/messages/bulk-delete`, {
          message_ids: [...mine, foreign.id, mine[0]],
        }),
      );
      for (const name of viewers) {
        expect(heard[name].map((frame) => String(frame.data.id)).sort()).toEqual([...mine].sort());
      }
      expect([heard.carol, heard.mallory]).toEqual([[], []]);
    });

    test("REACTION_ADD and REACTION_REMOVE, once each, when something changed", async () => {
      const place = await makePlace(house());
      const { bob, general, serverId } = place;
      const { id } = await bob.say(general.id, "react!");
      const data = { message_id: id, channel_id: general.id, user_id: bob.id, emoji: "🎉" };
      const added = await heardOf(place, "REACTION_ADD", async () => {
        await bob.post(`/messages/${id}/reactions`, { emoji: "🎉" });
        await bob.post(`/messages/${id}/reactions`, { emoji: "🎉" });
      });
      expectHeard(added, viewers, serverId, data);
      const path = `/messages/${id}/reactions/${encodeURIComponent("🎉")}`;
      const removed = await heardOf(
        place,
        "REACTION_REMOVE",
        async () => {
          await bob.delete(path);
          await bob.delete(path);
        },
        "2",
      );
      expectHeard(removed, viewers, serverId, data);
    });

    test("CHANNEL_CREATE, CHANNEL_UPDATE and CHANNEL_DELETE", async () => {
      const place = await makePlace(house());
      const { alice, serverId } = place;
      let channel = {} as Channel;
      const created = await heardOf(place, "CHANNEL_CREATE", async () => {
        channel = (await alice.post<Channel>("/channels", { server_id: serverId, name: "den" })).body;
      });
      expectHeard(created, viewers, serverId, channel);
      const updated = await heardOf(
        place,
        "CHANNEL_UPDATE",
        async () => {
          channel = (await alice.patch<Channel>(`/channels/${channel.id}`, { name: "cave" })).body;
        },
        "2",
      );
      expectHeard(updated, viewers, serverId, channel);
      const deleted = await heardOf(
        place,
        "CHANNEL_DELETE",
        () => alice.delete(`/channels/${channel.id}`),
        "3",
      );
      expectHeard(deleted, viewers, serverId, { id: channel.id });
    });
  });

  describe("all members, and nobody else, hear", () => {
    test("ROLE_CREATE, ROLE_UPDATE, ROLE_DELETE and SERVER_MEMBER_UPDATE", async () => {
      const place = await makePlace(house());
      const { alice, carol, serverId } = place;
      const path = `/servers/${serverId}/roles`;
      let role = { id: "" };
      const created = await heardOf(place, "ROLE_CREATE", async () => {
        role = (await alice.post<{ id: string }>(path, { name: "painter" })).body;
      });
      expectHeard(created, members, serverId, role);
      const given = await heardOf(
        place,
        "SERVER_MEMBER_UPDATE",
        () => alice.put(`/servers/${serverId}/members/${carol.id}/roles`, { role_ids: [role.id] }),
        "2",
      );
      expectHeard(given, members, serverId, { user_id: carol.id, role_ids: [role.id] });
      const updated = await heardOf(
        place,
        "ROLE_UPDATE",
        async () => {
          role = (await alice.patch<{ id: string }>(`${path}/${role.id}`, { color: "#336699" })).body;
        },
        "3",
      );
      expectHeard(updated, members, serverId, role);
      const deleted = await heardOf(place, "ROLE_DELETE", () => alice.delete(`${path}/${role.id}`), "4");
      expectHeard(deleted, members, serverId, { id: role.id });
    });

    test("SERVER_UPDATE, without `permissions`", async () => {
      const place = await makePlace(house());
      const heard = await heardOf(place, "SERVER_UPDATE", async () => {}, "a new name");
      const { permissions: _, ...shared } = (await place.alice.get(`/servers/${place.serverId}`)).body;
      expectHeard(heard, members, place.serverId, shared);
    });

    test("SERVER_MEMBER_ADD and SERVER_MEMBER_REMOVE of others", async () => {
      const place = await makePlace(house());
      const { alice, serverId } = place;
      const dave = await house().person("dave");
      const added = await heardOf(place, "SERVER_MEMBER_ADD", () => alice.bringIn(serverId, dave));
      const list = (await alice.get<{ user: { id: string } }[]>(`/servers/${serverId}/members`)).body;
      expectHeard(
        added,
        members,
        serverId,
        list.find(({ user }) => user.id === dave.id),
      );
      const kick = () => alice.delete(`/servers/${serverId}/members/${dave.id}`);
      const removed = await heardOf(place, "SERVER_MEMBER_REMOVE", kick, "2");
      expectHeard(removed, members, serverId, { user_id: dave.id, reason: "kicked" });
    });

    test("USER_UPDATE of a member, live, with nothing private in it", async () => {
      const place = await makePlace(house());
      const { bob, carol, serverId } = place;
      const heard = await heardOf(place, "USER_UPDATE", () =>
        bob.patch("/auth/me", { display_name: "Bobby", bio: "I build." }),
      );
      const user = (await carol.get(`/users/${bob.id}`)).body;
      expect(user).toMatchObject({ display_name: "Bobby", bio: "I build." } as never);
      expectHeard(heard, members, serverId, user, true);
      expect(JSON.stringify(heard)).not.toContain(bob.email);
    });
  });

  test("what is refused, or changes nothing, is told to nobody", async () => {
    const place = await makePlace(house());
    const { alice, bob, carol, general, serverId, viewerRoleId } = place;
    const message = await alice.say(general.id, "untouchable", { nonce: "same" });
    await heardOf(place, "MESSAGE_CREATE", async () => {}, "begin");
    const from = place.ears.alice.types.length;
    const answers = [
      await bob.patch(`/messages/${message.id}`, { content: "mine now" }),
      await bob.delete(`/messages/${message.id}`),
      await carol.post(`/channels/${general.id}/messages`, { content: "let me in" }),
      await carol.post(`/messages/${message.id}/reactions`, { emoji: "👍" }),
      await bob.post("/channels", { server_id: serverId, name: "mine" }),
      await bob.patch(`/channels/${general.id}`, { name: "mine" }),
      await bob.post(`/servers/${serverId}/roles`, { name: "boss" }),
      await bob.delete(`/servers/${serverId}/members/${carol.id}`),
      await bob.put(`/servers/${serverId}/bans/${carol.id}`),
      await bob.patch(`/servers/${serverId}`, { name: "mine" }),
    ];
    expect(answers.map(({ status }) => status).every((status) => status === 403 || status === 404)).toBe(
      true,
    );
    const idle = [
      await alice.post(`/channels/${general.id}/messages`, { content: "untouchable", nonce: "same" }),
      await alice.patch(`/messages/${message.id}`, { content: "untouchable" }),
      await alice.patch(`/channels/${general.id}`, { name: general.name }),
      await alice.delete(`/messages/${message.id}/reactions/${encodeURIComponent("👍")}`),
      await alice.patch(`/servers/${serverId}/roles/${viewerRoleId}`, { name: "some role" }),
      await alice.put(`/servers/${serverId}/members/${bob.id}/roles`, { role_ids: [viewerRoleId] }),
      await alice.delete(`/servers/${serverId}/bans/${carol.id}`),
      await alice.patch("/auth/me", { display_name: "alice" }),
    ];
    expect(idle.map(({ status }) => status).every((status) => status < 300)).toBe(true);
    await heardOf(place, "none", async () => {}, "end");
    expect(place.ears.alice.types.slice(from)).toEqual(["SERVER_UPDATE", "PONG"]);
  });
});
