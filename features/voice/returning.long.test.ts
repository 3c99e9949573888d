// Old tokens let people back into rooms that they were removed from: no LiveKit revokes tokens. They are removed again
// soon, even without a webhook.
import { afterAll, beforeAll, beforeEach, expect, setSystemTime, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { askToken, enter, inside, type Parlour, parlour } from "../../tests/house/scenes/parlour.ts";
import { lookoutPace } from "./putting-out.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());
beforeEach(() => {
  media.isAway = false;
});

const { VIEW_CHANNEL, CONNECT_VOICE, SPEAK_VOICE } = permission;

/** Interval between two checks, instead of a second and a half. In milliseconds. */
const everyMs = 150;
const someLooksMs = 4 * everyMs;

/** Waits until several checks are due and none has run. */
async function untilNoMore(looks: () => number): Promise<void> {
  let before = looks();
  const isSo = async () => {
    await Bun.sleep(someLooksMs);
    const isNone = looks() === before;
    before = looks();
    return isNone;
  };
  await until(isSo, "somebody still looks");
}

/** Actions that end Bob's stay. */
const endings: Record<string, (scene: Parlour) => Promise<{ status: number }>> = {
  "a kick": ({ alice, bob, serverId }) => alice.delete(`/servers/${serverId}/members/${bob.id}`),
  "a ban": ({ alice, bob, serverId }) => alice.put(`/servers/${serverId}/bans/${bob.id}`),
  "losing CONNECT_VOICE": ({ alice, serverId, everyone }) =>
    alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions: VIEW_CHANNEL | SPEAK_VOICE }),
  "losing VIEW_CHANNEL": ({ alice, serverId, everyone }) =>
    alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions: CONNECT_VOICE }),
  "the end of the channel": ({ alice, room }) => alice.delete(`/channels/${room}`),
  "the end of the server": ({ alice, serverId }) => alice.delete(`/servers/${serverId}`),
  "the end of his session": ({ bob }) => bob.post("/auth/logout"),
};

onEachEngine(
  "coming back with an old token, while webhooks do not come",
  (house) => {
    // The reconciliation of all rooms after a second would remove people, too.
    beforeAll(() => house().stopJobs());
    beforeEach(() => {
      for (const { house: each } of house().all)
        Object.assign(lookoutPace(each), { everyMs, pauseMs: 2 * everyMs });
    });
    const isOut = (room: string, person: { id: string }) =>
      until(() => media.guest(room, person.id) === undefined, "he stays in the room");

    for (const [what, end] of Object.entries(endings)) {
      test(`after ${what} Bob is put out as often as he comes, by whatever token`, async () => {
        const scene = await parlour(house(), media);
        const { bob, room } = scene;
        const guest = await enter(media, bob, room);
        const { token } = (await askToken(bob, room)).body;
        media.webhookUrl = undefined;
        expect((await end(scene)).status).toBeLessThan(300);
        await isOut(room, bob);
        await media.join(token);
        await isOut(room, bob);
        // LiveKit's own token, which it gives to everybody in a room.
        await media.join(await media.freshToken(room, guest));
        await isOut(room, bob);
        // He is removed even before his media connection is established.
        await media.join(await media.freshToken(room, guest), { state: "JOINED" });
        await isOut(room, bob);
      });

      test(`after ${what} a token that Bob had not used yet brings him in for a moment only`, async () => {
        const scene = await parlour(house(), media);
        const { bob, room } = scene;
        const { token } = (await askToken(bob, room)).body;
        media.webhookUrl = undefined;
        expect((await end(scene)).status).toBeLessThan(300);
        await media.join(token);
        await isOut(room, bob);
      });
    }

    test("once he may be there again he stays, and nobody looks for him any more", async () => {
      await house().quiet();
      const { alice, bob, serverId, everyone, room } = await parlour(house(), media);
      const guest = await enter(media, bob, room);
      media.webhookUrl = undefined;
      const set = (permissions: number) =>
        alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions });
      await set(VIEW_CHANNEL);
      await isOut(room, bob);
      await set(VIEW_CHANNEL | CONNECT_VOICE);
      const looks = () => media.called("ListParticipants").filter((call) => call.room === room).length;
      await media.join(await media.freshToken(room, guest));
      await untilNoMore(looks);
      expect(media.guest(room, bob.id)).toBeDefined();
    });

    test("who may be there again by the time that LiveKit says that they are stays", async () => {
      await house().quiet();
      const { alice, bob, serverId, everyone, room } = await parlour(house(), media);
      const guest = await enter(media, bob, room);
      media.webhookUrl = undefined;
      const set = (permissions: number) =>
        alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions });
      await set(VIEW_CHANNEL);
      await isOut(room, bob);
      const areBack = Promise.withResolvers<void>();
      let areSaid = false;
      media.onItsWay = ({ method, body }) => {
        if (method !== "ListParticipants" || body.room !== room || !media.guest(room, bob.id)) return;
        areSaid = true;
        return areBack.promise;
      };
      // A look that was under way when he came puts him out without a word: he comes again.
      await until(async () => {
        if (!areSaid && !media.guest(room, bob.id)) await media.join(await media.freshToken(room, guest));
        return areSaid;
      }, "nobody looks");
      await set(VIEW_CHANNEL | CONNECT_VOICE);
      await house().quiet();
      areBack.resolve();
      media.onItsWay = () => undefined;
      const looks = () => media.called("ListParticipants").filter((call) => call.room === room).length;
      await untilNoMore(looks);
      expect(media.guest(room, bob.id)).toBeDefined();
    });

    test("when no token can be good any more nobody looks either", async () => {
      const { alice, bob, serverId, room } = await parlour(house(), media);
      await enter(media, bob, room);
      await alice.delete(`/servers/${serverId}/members/${bob.id}`);
      const looks = () =>
        media.calls.filter(({ method, body }) => method === "ListRooms" && String(body.names).includes(room));
      await until(() => looks().length > 0, "nobody looks");
      // A process that hears of it only then checks for the full time from there: the clock is set forward again.
      const putOn = () => setSystemTime(new Date(Date.now() + 13 * 60_000));
      try {
        await untilNoMore(() => {
          putOn();
          return looks().length;
        });
      } finally {
        setSystemTime();
      }
    });

    test("a LiveKit that is away is looked at again once it is back", async () => {
      const { alice, bob, serverId, room } = await parlour(house(), media);
      const guest = await enter(media, bob, room);
      await alice.delete(`/servers/${serverId}/members/${bob.id}`);
      await isOut(room, bob);
      media.webhookUrl = undefined;
      const before = media.refused;
      media.isAway = true;
      await until(() => media.refused > before, "nobody looks");
      await media.join(await media.freshToken(room, guest));
      media.isAway = false;
      await until(() => media.guest(room, bob.id) === undefined, "he stays in the room");
    });

    test("others in the room stay where they are, and are not told", async () => {
      const { alice, bob, carol, serverId, room } = await parlour(house(), media);
      const guest = await enter(media, bob, room);
      await enter(media, carol, room);
      const hers = await alice.listen();
      await alice.delete(`/servers/${serverId}/members/${bob.id}`);
      await hers.next("VOICE_LEAVE");
      media.webhookUrl = undefined;
      await media.join(await media.freshToken(room, guest));
      await isOut(room, bob);
      await hers.settle();
      expect([hers.heard("VOICE_JOIN"), hers.heard("VOICE_LEAVE")]).toEqual([[], [expect.anything()]]);
      expect((await inside(alice, room)).map((each) => each.user_id)).toEqual([carol.id]);
    });
  },
  media.settings,
);
