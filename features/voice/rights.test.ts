// Permissions that end while somebody is in a room: they are removed, or publish less, within a second.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { defaultPermissions, permission } from "../../protocol/permissions.ts";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { askToken, enter, inside, type Parlour, parlour } from "../../tests/house/scenes/parlour.ts";
import { lookoutPace } from "./putting-out.ts";
import { selectBySessions } from "./store.ts";

const media = new LiveKitDouble();
afterEach(() => {
  media.isAway = false;
});
afterAll(() => media.stop());

const { VIEW_CHANNEL, CONNECT_VOICE, SPEAK_VOICE, SHARE_SCREEN } = permission;

/** Actions that end Bob's stay. */
const endings: Record<string, (scene: Parlour) => Promise<{ status: number }>> = {
  "a kick": ({ alice, bob, serverId }) => alice.delete(`/servers/${serverId}/members/${bob.id}`),
  "a ban": ({ alice, bob, serverId }) => alice.put(`/servers/${serverId}/bans/${bob.id}`),
  leaving: ({ bob, serverId }) => bob.delete(`/servers/${serverId}/members/@me`),
  "losing CONNECT_VOICE": ({ alice, serverId, everyone }) =>
    alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions: VIEW_CHANNEL | SPEAK_VOICE }),
  "losing VIEW_CHANNEL": ({ alice, serverId, everyone }) =>
    alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions: CONNECT_VOICE }),
  "the end of the channel": ({ alice, room }) => alice.delete(`/channels/${room}`),
  "the end of the server": ({ alice, serverId }) => alice.delete(`/servers/${serverId}`),
  "the end of his session": ({ bob }) => bob.post("/auth/logout"),
};

onEachEngine(
  "rights in voice rooms",
  (house) => {
    // Its check of all rooms after a second could not be told from calls caused by a permission change.
    beforeAll(() => house().stopJobs());

    const isOut = (room: string, { id }: { id: string }) =>
      until(() => media.guest(room, id) === undefined, "they stay in the room");

    /** Waits until any process shows the person in the room, and checks that they are not removed right after. */
    async function staysIn(room: string, { id }: { id: string }, by: TestPerson): Promise<void> {
      const isThere = async () => (await inside(by, room)).length === 1;
      await until(isThere, "they are not seen in the room");
      await Bun.sleep(100);
      expect([await isThere(), media.guest(room, id)?.identity]).toEqual([true, id]);
    }

    for (const [what, end] of Object.entries(endings)) {
      test(`${what} puts Bob out within a second`, async () => {
        const scene = await parlour(house(), media);
        const { alice, bob, room } = scene;
        await enter(media, bob, room);
        const hers = await alice.listen();
        media.webhookUrl = undefined;
        const begunS = Date.now() / 1000;
        expect((await end(scene)).status).toBeLessThan(300);
        await isOut(room, bob);
        // Other processes may still be calling it for the previous room.
        const asked = media.called("RemoveParticipant").findLast((call) => call.room === room);
        expect(asked).toMatchObject({ room, identity: bob.id });
        expect(Number(asked?.revokeTokenTs)).toBeGreaterThan(begunS - 5);
        if (/channel|server/.test(what) || what === "losing VIEW_CHANNEL") return;
        expect((await hers.next("VOICE_LEAVE")).data as unknown).toEqual({
          channel_id: room,
          user_id: bob.id,
        });
        expect(await inside(alice, room)).toEqual([]);
      });
    }

    test("a token from before the loss is of no use after it: who joins with it is put out, and nobody hears them come", async () => {
      const { alice, bob, serverId, room } = await parlour(house(), media);
      const { token } = (await askToken(bob, room)).body;
      await alice.delete(`/servers/${serverId}/members/${bob.id}`);
      const hers = await alice.listen();
      await media.join(token);
      await isOut(room, bob);
      await hers.settle();
      expect(hers.heard("VOICE_JOIN")).toEqual([]);
      expect(await inside(alice, room)).toEqual([]);
    });

    describe("while webhooks do not come", () => {
      const everyMs = 100;
      const paces = () => house().all.map(({ house: each }) => lookoutPace(each));
      beforeAll(() => {
        for (const pace of paces()) Object.assign(pace, { everyMs, pauseMs: everyMs });
      });
      afterAll(() => {
        for (const pace of paces()) Object.assign(pace, { everyMs: 1500, pauseMs: 5000 });
      });

      for (const what of ["a kick", "the end of his session"])
        test(`after ${what} Bob is out again as often as he comes back, by whatever token, also when LiveKit was away`, async () => {
          const scene = await parlour(house(), media);
          const { bob, room } = scene;
          const guest = await enter(media, bob, room);
          const { token } = (await askToken(bob, room)).body;
          media.webhookUrl = undefined;
          expect((await endings[what]!(scene)).status).toBeLessThan(300);
          await isOut(room, bob);
          await media.join(token);
          await isOut(room, bob);
          // LiveKit's own token, which it gives to everybody in a room; his media need not be connected.
          await media.join(await media.freshToken(room, guest), { state: "JOINED" });
          await isOut(room, bob);
          const before = media.refused;
          media.isAway = true;
          await until(() => media.refused > before, "nobody looks");
          await media.join(token);
          media.isAway = false;
          await isOut(room, bob);
        });

      for (const what of ["a ban", "the end of his session"])
        test(`after ${what} a token that Bob had not used brings him in for a moment only`, async () => {
          const scene = await parlour(house(), media);
          const { token } = (await askToken(scene.bob, scene.room)).body;
          media.webhookUrl = undefined;
          expect((await endings[what]!(scene)).status).toBeLessThan(300);
          await media.join(token);
          await isOut(scene.room, scene.bob);
        });

      test("a house that has closed looks for nobody", async () => {
        const { alice, bob, serverId, room } = await parlour(house(), media);
        await enter(media, bob, room);
        media.webhookUrl = undefined;
        await alice.delete(`/servers/${serverId}/members/${bob.id}`);
        const looks = () =>
          media.called("ListRooms").filter((call) => String(call.names).includes(room)).length;
        await until(() => looks() > 0, "nobody looks");
        await house().restart();
        await house().stopJobs();
        const before = looks();
        await Bun.sleep(4 * everyMs);
        expect(looks()).toBe(before);
      });

      test("once he may be there again he stays", async () => {
        const { alice, bob, serverId, everyone, room } = await parlour(house(), media);
        const guest = await enter(media, bob, room);
        media.webhookUrl = undefined;
        const set = (permissions: number) =>
          alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions });
        await set(VIEW_CHANNEL);
        await isOut(room, bob);
        await set(VIEW_CHANNEL | CONNECT_VOICE);
        const looks = () =>
          media.called("ListRooms").filter((call) => String(call.names).includes(room)).length;
        let before = looks();
        const isOver = async () => {
          await Bun.sleep(4 * everyMs);
          const isNone = looks() === before;
          before = looks();
          return isNone;
        };
        await until(isOver, "somebody still looks for him");
        await media.join(await media.freshToken(room, guest));
        await isOver();
        expect(media.guest(room, bob.id)?.identity).toBe(bob.id);
      });
    });

    test("losing SPEAK_VOICE takes microphone and camera away and mutes; getting it back gives them back", async () => {
      const { alice, bob, carol, serverId, everyone, room } = await parlour(house(), media);
      await enter(media, bob, room);
      const hers = await alice.listen();
      const set = (permissions: number) =>
        alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions });
      const sources = () => media.guest(room, bob.id)?.permission.canPublishSources.join() ?? "not there";
      const screens = "SCREEN_SHARE,SCREEN_SHARE_AUDIO";

      await set(VIEW_CHANNEL | CONNECT_VOICE | SHARE_SCREEN);
      await until(() => sources() === screens, "his rights in the room stay as they were");
      expect((await hers.next("VOICE_MUTE")).data as unknown).toEqual({
        channel_id: room,
        user_id: bob.id,
        muted: true,
      });
      await set(VIEW_CHANNEL | CONNECT_VOICE);
      await until(() => sources() === "", "his rights in the room stay as they were");
      expect(media.guest(room, bob.id)?.permission).toMatchObject({
        ...{ canPublish: false, canPublishData: false, canSubscribe: true },
      });
      await set(defaultPermissions);
      await until(
        () => sources() === `MICROPHONE,CAMERA,${screens}`,
        "his rights in the room stay as they were",
      );

      // Changes for others, or without effect on his permissions, cause no calls about him to the media service. Those
      // removed from other rooms are checked for there at any time.
      const asked = () => media.calls.filter(({ body }) => body.room === room).length;
      // Each process that heard of a change handles it, in case one dies: some may still be at the last one.
      await until(async () => {
        const before = asked();
        await alice.delete(`/servers/${serverId}/members/${carol.id}`);
        await alice.patch(`/servers/${serverId}`, { name: "Renamed" });
        await Bun.sleep(400);
        if (asked() === before) return true;
        await alice.bringIn(serverId, carol);
        return false;
      }, "the media service is asked about what is no change for him");
      expect(await inside(alice, room)).toHaveLength(1);
    });

    test("without CONNECT_VOICE nobody changes a thing in a room, though the media service is away and nobody is out yet", async () => {
      const { bob, alice, serverId, everyone, room } = await parlour(house(), media);
      await enter(media, bob, room);
      media.isAway = true;
      const his = await bob.listen();
      const permissions = VIEW_CHANNEL | SPEAK_VOICE;
      expect((await alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions })).status).toBe(200);
      for (const [type, data] of [
        ["VOICE_MUTE", { muted: true }],
        ["VOICE_DEAFEN", { deafened: true }],
      ] as const) {
        his.say(type, { channel_id: room, ...data });
        expect(String((await his.next("ERROR")).data.code)).toBe("forbidden");
      }
      await his.settle();
      expect([his.heard("VOICE_MUTE"), his.heard("VOICE_DEAFEN")]).toEqual([[], []]);
    });

    test("a token of a session that has ended is of no use, until another session asks for one", async () => {
      const { alice, bob, room } = await parlour(house(), media);
      const { token } = (await askToken(bob, room)).body;
      expect((await bob.post("/auth/logout")).status).toBe(204);
      const hers = await alice.listen();
      await media.join(token);
      await isOut(room, bob);
      await hers.settle();
      expect(hers.heard("VOICE_JOIN")).toEqual([]);
      expect(await inside(alice, room)).toEqual([]);
      const again = await bob.post("/auth/login/password", { email: bob.email, password: bob.password });
      bob.token = String(again.headers.get("x-session-token"));
      await enter(media, bob, room);
      await staysIn(room, bob, bob);
    });

    test("a voice token of a bot ends with the token that it called with or when the bot is disabled, until it asks for one", async () => {
      const { alice, serverId, room } = await parlour(house(), media);
      const bot = await TestBot.make(alice);
      await bot.enter(serverId);
      const ask = async () =>
        (await bot.post<{ token: string }>("/voice/token", { room_name: room })).body.token;
      const joinInVain = async (token: string) => {
        await media.join(token);
        await isOut(room, bot);
        expect(await inside(alice, room)).toEqual([]);
      };
      const early = await ask();
      bot.token = (await alice.post<{ token: string }>(`/bots/${bot.id}/regenerate-token`)).body.token;
      await joinInVain(early);
      const late = await ask();
      const operator = (command: string) => house().command([command, bot.id]);
      expect((await operator("disable")).ok).toBe(true);
      await joinInVain(late);
      expect((await operator("enable")).ok).toBe(true);
      await joinInVain(late);
      await media.join(await ask());
      await staysIn(room, bot, alice);
    });

    test("a token from before the loss of SPEAK_VOICE lets in, but not speak", async () => {
      const { alice, bob, serverId, everyone, room } = await parlour(house(), media);
      const { token } = (await askToken(bob, room)).body;
      const permissions = VIEW_CHANNEL | CONNECT_VOICE;
      await alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions });
      await media.join(token);
      await until(
        () => media.guest(room, bob.id)?.permission.canPublish === false,
        "his rights in the room stay as they were",
      );
      expect((await inside(alice, room)).map((each) => each.muted)).toEqual([true]);
    });

    test("a sign-out of somebody who has no session is no fault", async () => {
      const bob = await house().person("bob");
      const { read } = house().running.house.database;
      expect(await selectBySessions(read, bob.id, [])).toEqual([]);
    });

    test("the end of another session of Bob's leaves him where he is", async () => {
      const { bob, room } = await parlour(house(), media);
      await enter(media, bob, room);
      const { headers } = await bob.post("/auth/login/password", {
        email: bob.email,
        password: bob.password,
      });
      const second = String(headers.get("x-session-token"));
      const [first, token] = [bob.token, second];
      bob.token = token;
      expect((await bob.post("/auth/logout")).status).toBe(204);
      bob.token = first;
      await staysIn(room, bob, bob);
    });
  },
  media.settings,
);
