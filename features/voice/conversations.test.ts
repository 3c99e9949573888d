// Conversations as voice rooms: the people in one may enter, hear who is there, and are put out when they go.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { TokenVerifier } from "livekit-server-sdk";
import { directHome } from "../../server/place.ts";
import { LiveKitDouble, livekitKey, livekitSecret } from "../../tests/doubles/livekit.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { entryOf, talkers } from "../../tests/house/scenes/calls.ts";
import { askToken, enter, inside } from "../../tests/house/scenes/parlour.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Conversation } from "../channels/contract.ts";
import { checkRooms } from "./guard.ts";
import { reconcile } from "./reconciling.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());

type Scene = Awaited<ReturnType<typeof talkers>>;

const listOf = (id: string) => `/voice/rooms/${id}/participants`;

/** Actions that end Bob's stay in the room of a group, or of a conversation with Alice. */
const endings: Record<string, { kind: "pair" | "group"; end(scene: Scene): Promise<{ status: number }> }> = {
  leaving: { kind: "group", end: ({ bob, id }) => bob.delete(`/channels/${id}/recipients/${bob.id}`) },
  "being taken out": {
    kind: "group",
    end: ({ alice, bob, id }) => alice.delete(`/channels/${id}/recipients/${bob.id}`),
  },
  "his block": { kind: "pair", end: ({ alice, bob }) => bob.put(`/blocks/${alice.id}`) },
  "her block": { kind: "pair", end: ({ alice, bob }) => alice.put(`/blocks/${bob.id}`) },
  "the end of his session": { kind: "pair", end: ({ bob }) => bob.post("/auth/logout") },
};

onEachEngine(
  "the voice rooms of conversations",
  (house) => {
    // Its check of all rooms after a second could not be told from calls caused by a change.
    beforeAll(() => house().stopJobs());

    const isOut = (room: string, { id }: { id: string }) =>
      until(() => media.guest(room, id) === undefined, "they stay in the room");

    test("let in the people in them alone, to speak and to share their screens", async () => {
      const { alice, bob, carol, mallory, id } = await talkers(house(), media, "pair");
      for (const person of [alice, bob]) {
        const { status, body } = await askToken(person, id);
        expect(status).toBe(200);
        const { video, sub } = await new TokenVerifier(livekitKey, livekitSecret).verify(body.token);
        expect([sub, video?.room]).toEqual([person.id, id]);
        expect(video?.canPublishSources as unknown).toEqual([
          ...["microphone", "camera"],
          ...["screen_share", "screen_share_audio"],
        ]);
      }
      for (const person of [carol, mallory]) {
        expect(verdict(await askToken(person, id))).toBe("404 not_found");
        expect(verdict(await person.get(listOf(id)))).toBe("404 not_found");
      }
    });

    test("show who is there to the people in them, live, in lists and in READY, and to nobody else", async () => {
      const { alice, bob, carol, id } = await talkers(house(), media, "pair");
      const [hers, his, carols] = [await alice.listen(), await bob.listen(), await carol.listen()];
      await enter(media, bob, id);
      await media.microphone(id, bob.id, "on");
      await media.microphone(id, bob.id, "gone");
      his.say("VOICE_DEAFEN", { channel_id: id, deafened: true });
      await hers.next("VOICE_DEAFEN");
      expect(await inside(alice, id)).toMatchObject([{ user_id: bob.id, deafened: true }]);
      const there = { channel_id: id, user_id: bob.id, muted: true, deafened: true };
      expect((await entryOf(alice, id))?.voice).toMatchObject([there]);
      await media.leave(id, bob.id);
      for (const ear of [hers, his, carols]) await ear.settle();
      const heard = [hers, his, carols].map((ear) =>
        ear.frames.filter(({ type }) => type.startsWith("VOICE_")),
      );
      expect(heard[2]).toEqual([]);
      expect(heard[0]?.map(({ type }) => type)).toEqual(heard[1]?.map(({ type }) => type) ?? []);
      expect(new Set(heard[0]?.map(({ stream, data }) => `${stream} ${data.channel_id}`))).toEqual(
        new Set([`@me ${id}`]),
      );
      expect(heard[0]?.map(({ type }) => type)).toEqual(
        expect.arrayContaining(["VOICE_JOIN", "VOICE_MUTE", "VOICE_DEAFEN", "VOICE_LEAVE"]),
      );
      expect((await entryOf(alice, id))?.voice).toEqual([]);
    });

    test("are closed where one of two blocks the other: 403, by what each may know", async () => {
      const { alice, bob, id } = await talkers(house(), media, "pair");
      await bob.put(`/blocks/${alice.id}`);
      expect(verdict(await askToken(bob, id))).toBe("403 blocked");
      expect(verdict(await bob.get(listOf(id)))).toBe("403 blocked");
      expect(verdict(await askToken(alice, id))).toBe("403 forbidden");
      expect(verdict(await alice.get(listOf(id)))).toBe("403 forbidden");
      await bob.delete(`/blocks/${alice.id}`);
      expect((await askToken(alice, id)).status).toBe(200);
      const group = await talkers(house(), media, "group");
      await group.bob.put(`/blocks/${group.alice.id}`);
      expect((await askToken(group.alice, group.id)).status).toBe(200);
    });

    test("are closed to bots, which may see who is in one of their own", async () => {
      const { alice, serverId } = await talkers(house(), media, "pair");
      const bot = await TestBot.make(alice);
      await bot.enter(serverId);
      const { id } = (await alice.post<Conversation>("/direct", { user_ids: [bot.id] })).body;
      await enter(media, alice, id);
      const asked = await bot.post("/voice/token", { room_name: id });
      expect(verdict(asked)).toBe("403 forbidden");
      expect((await bot.get<unknown[]>(listOf(id))).body).toHaveLength(1);
    });

    for (const [what, { kind, end }] of Object.entries(endings)) {
      test(`${what} puts Bob out, and his token is of no use any more`, async () => {
        const scene = await talkers(house(), media, kind);
        const { alice, bob, id } = scene;
        await alice.say(id, "Come in");
        await enter(media, bob, id);
        const { token } = (await askToken(bob, id)).body;
        const hers = await alice.listen();
        expect((await end(scene)).status).toBeLessThan(300);
        await isOut(id, bob);
        const left = await hers.next("VOICE_LEAVE");
        expect(left.data as unknown).toEqual({ channel_id: id, user_id: bob.id });
        await media.join(token);
        await isOut(id, bob);
        await hers.settle();
        expect(hers.heard("VOICE_JOIN")).toEqual([]);
      });
    }

    test("a group's that everybody has left is empty", async () => {
      const { alice, bob, carol, id } = await talkers(house(), media, "group");
      await enter(media, alice, id);
      for (const person of [bob, carol, alice])
        await person.delete(`/channels/${id}/recipients/${person.id}`);
      await isOut(id, alice);
      const isForgotten = async () => {
        const { read } = house().running.house.database;
        const rows = await read
          .selectFrom("voice_participants")
          .selectAll()
          .where("channel_id", "=", id)
          .execute();
        return rows.length === 0;
      };
      await until(isForgotten, "she stays in the table");
    });

    test("who hides the conversation stays in its room, and others' blocks change nothing", async () => {
      const { alice, bob, carol, id } = await talkers(house(), media, "pair");
      await alice.say(id, "Hello");
      await enter(media, bob, id);
      await bob.delete(`/direct/${id}`);
      await bob.put(`/blocks/${carol.id}`);
      for (const { house: one } of house().all) await checkRooms(one, directHome(id));
      expect(media.called("RemoveParticipant").filter((asked) => asked.room === id)).toEqual([]);
      expect(await inside(alice, id)).toMatchObject([{ user_id: bob.id }]);
    });

    test("are compared with the media service, for webhooks that never came", async () => {
      const { alice, bob, id } = await talkers(house(), media, "pair");
      const hers = await alice.listen();
      const join = async (person: TestPerson) =>
        media.join((await askToken(person, id)).body.token, { tells: false });
      await join(bob);
      await reconcile(house().running.house);
      expect((await hers.next("VOICE_JOIN")).data as unknown).toEqual({ channel_id: id, user_id: bob.id });
      await media.leave(id, bob.id, { tells: false });
      await reconcile(house().running.house);
      expect((await hers.next("VOICE_LEAVE")).data as unknown).toEqual({ channel_id: id, user_id: bob.id });
    });
  },
  media.settings,
);
