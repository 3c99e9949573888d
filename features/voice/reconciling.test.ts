// Webhooks that never came: what is known is made true again, and never wiped because the media service is away.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { onEachEngine } from "../../tests/house/engines.ts";
import { askToken, enter, inside, parlour } from "../../tests/house/parlour.ts";
import { until } from "../../tests/house/waiting.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { reconcile } from "./reconciling.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());

onEachEngine(
  "reconciling voice rooms",
  (house) => {
    const reconcileNow = () => reconcile(house().running.house);
    // The job, due a second after the start, would find those first of whom nobody is to know yet.
    beforeAll(() => house().stopJobs());

    test("who came and who went unheard is told once, with how they are", async () => {
      const { alice, bob, carol, room } = await parlour(house(), media);
      await enter(media, carol, room);
      const hers = await alice.listen();
      media.webhookUrl = undefined;
      await enter(media, bob, room);
      await media.microphone(room, bob.id, "muted");
      await media.leave(room, carol.id);
      expect((await inside(alice, room)).map((each) => each.user_id)).toEqual([carol.id]);
      await reconcileNow();
      await reconcileNow();
      expect((await inside(alice, room)).map(({ user_id, muted }) => [user_id, muted])).toEqual([
        [bob.id, true],
      ]);
      await hers.settle();
      expect(hers.heard("VOICE_JOIN").map((frame) => String(frame.data.user_id))).toEqual([bob.id]);
      expect(hers.heard("VOICE_LEAVE").map((frame) => String(frame.data.user_id))).toEqual([carol.id]);
      expect(hers.heard("VOICE_MUTE").map((frame) => String(frame.data.user_id))).toEqual([bob.id]);
    });

    test("who came unheard with a token from before the loss of SPEAK_VOICE is silent at once", async () => {
      const { alice, bob, serverId, everyone, room } = await parlour(house(), media);
      const { token } = (await askToken(bob, room)).body;
      const permissions = permission.VIEW_CHANNEL | permission.CONNECT_VOICE;
      await alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions });
      await media.join(token, { tells: false });
      await reconcileNow();
      await until(() => media.guest(room, bob.id)?.permission.canPublish === false, "he may speak");
    });

    test("who has only said hello to LiveKit, and is not connected, is not there", async () => {
      const { alice, bob, carol, room } = await parlour(house(), media);
      const hers = await alice.listen();
      await media.join((await askToken(bob, room)).body.token, { state: "JOINED" });
      await media.join((await askToken(carol, room)).body.token, { state: "JOINING" });
      await reconcileNow();
      expect(await inside(alice, room)).toEqual([]);
      const guest = media.guest(room, bob.id);
      if (guest) guest.state = "ACTIVE";
      await reconcileNow();
      expect((await inside(alice, room)).map((each) => each.user_id)).toEqual([bob.id]);
      // A new connection, whose end is told of, that does not come through.
      await media.leave(room, bob.id, { tells: false });
      await media.join((await askToken(bob, room)).body.token, { state: "JOINED" });
      await reconcileNow();
      expect(await inside(alice, room)).toEqual([]);
      await hers.settle();
      expect(hers.heard("VOICE_JOIN").map((frame) => String(frame.data.user_id))).toEqual([bob.id]);
      expect(hers.heard("VOICE_LEAVE")).toHaveLength(1);
    });

    test("while the media service is away nothing is wiped; what was due is done when it is back", async () => {
      const { alice, bob, serverId, room } = await parlour(house(), media);
      await enter(media, bob, room);
      const hers = await alice.listen();
      media.isAway = true;
      await reconcileNow();
      expect(await inside(alice, room)).toHaveLength(1);
      await alice.delete(`/servers/${serverId}/members/${bob.id}`);
      await Bun.sleep(100);
      await hers.settle();
      expect(hers.heard("VOICE_LEAVE")).toEqual([]);
      media.isAway = false;
      await reconcileNow();
      await until(() => media.guest(room, bob.id) === undefined, "he stays in the room");
      await hers.next("VOICE_LEAVE");
    });

    test("who came unheard and may not be there is put out", async () => {
      const { alice, bob, serverId, room } = await parlour(house(), media);
      const { token } = (await askToken(bob, room)).body;
      await alice.delete(`/servers/${serverId}/members/${bob.id}`);
      media.webhookUrl = undefined;
      await media.join(token);
      const hers = await alice.listen();
      await reconcileNow();
      await until(() => media.guest(room, bob.id) === undefined, "he stays in the room");
      await hers.settle();
      expect(hers.heard("VOICE_JOIN")).toEqual([]);
    });

    test("a restart forgets nobody; a room of which nothing is known is unavailable while nobody can be asked", async () => {
      const { alice, bob, serverId, room } = await parlour(house(), media);
      const another = { server_id: serverId, name: "attic", type: "voice" };
      const attic = (await alice.post<{ id: string }>("/channels", another)).body.id;
      await enter(media, bob, room);
      media.isAway = true;
      await house().restart();
      expect(await inside(alice, room)).toHaveLength(1);
      expect(verdict(await alice.get(`/voice/rooms/${attic}/participants`))).toBe("503 unavailable");
      media.isAway = false;
      expect(await inside(alice, attic)).toEqual([]);
    });
  },
  media.settings,
);
