// Missed webhooks: the stored rooms are corrected, and never cleared because the media service is down.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { askToken, enter, inside, parlour } from "../../tests/house/scenes/parlour.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { mediaOf } from "./media.ts";
import { reconcile } from "./reconciling.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());

onEachEngine(
  "reconciling voice rooms",
  (house) => {
    const reconcileNow = () => reconcile(house().running.house);
    // The job, due a second after the start, would find people before the test does.
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
      // A new connection that is never established; the end of the old one is reported.
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

    test("what changed while the answer was on its way is newer than the answer", async () => {
      const { alice, bob, room } = await parlour(house(), media);
      await enter(media, bob, room);
      const livekit = mediaOf(house().running.house)!;
      const ask = livekit.participants.bind(livekit);
      using asked = spyOn(livekit, "participants").mockImplementation(async (name) => {
        const answer = await ask(name);
        if (name === room) await media.leave(room, bob.id);
        return answer;
      });
      await reconcileNow();
      expect(asked).toHaveBeenCalledWith(room);
      expect(await inside(alice, room)).toEqual([]);
    });

    test("a connection that LiveKit lists as ended has ended, and one that is there stays as muted as it is", async () => {
      const { alice, bob, carol, room } = await parlour(house(), media);
      const guest = await enter(media, bob, room);
      await enter(media, carol, room);
      const hers = await carol.listen();
      hers.say("VOICE_MUTE", { channel_id: room, muted: true });
      await hers.next("VOICE_MUTE");
      guest.state = "DISCONNECTED";
      await reconcileNow();
      expect((await inside(alice, room)).map(({ user_id, muted }) => [user_id, muted])).toEqual([
        [carol.id, true],
      ]);
    });

    test("that the media service is away is logged once, and so is that it answers again", async () => {
      // The other processes run on their own.
      const { house: running } = house().running;
      using warned = spyOn(running.log, "warn");
      using told = spyOn(running.log, "info");
      const about = (calls: unknown[][]) =>
        calls
          .map(([, sentence]) => String(sentence))
          .filter((sentence) => sentence.includes("media service"));
      media.isAway = true;
      for (let time = 0; time < 2; time++) await reconcileNow();
      media.isAway = false;
      for (let time = 0; time < 2; time++) await reconcileNow();
      expect(about(warned.mock.calls)).toEqual(["the media service does not answer as it should"]);
      expect(about(told.mock.calls)).toEqual(["the media service answers again"]);
    });

    test("of webhooks it is forgotten which came once none of them can be told again", async () => {
      const { database } = house().running.house;
      const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;
      const ids = () => database.read.selectFrom("voice_webhooks").select("id").execute();
      await database.transaction((db) =>
        db
          .insertInto("voice_webhooks")
          .values([
            { id: "EV_old", received_at: minutesAgo(16) },
            // An event is rejected when it is five minutes old, and clocks may differ by as much.
            { id: "EV_young", received_at: minutesAgo(14) },
          ])
          .execute(),
      );
      await reconcileNow();
      const left = (await ids()).map(({ id }) => id);
      expect([left.includes("EV_old"), left.includes("EV_young")]).toEqual([false, true]);
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
