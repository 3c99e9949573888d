// The people in a room: from signed webhooks, to everybody who sees the channel, in READY and on request.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { enter, inside, parlour } from "../../tests/house/scenes/parlour.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());

const { VIEW_CHANNEL, CONNECT_VOICE, SPEAK_VOICE } = permission;

const voiceFrames = ["VOICE_JOIN", "VOICE_LEAVE", "VOICE_MUTE", "VOICE_DEAFEN"];

onEachEngine(
  "voice rooms",
  (house) => {
    // The reconciliation, due at any moment, would undo webhooks about people whom the test double does not know.
    beforeAll(() => house().stopJobs());

    test("Bob comes, is muted, deafens himself and goes; Alice hears each, Carol without sight and Mallory nothing", async () => {
      const { alice, bob, carol, mallory, serverId, everyone, room } = await parlour(house(), media);
      await alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions: 0 });
      await alice.giveRole(serverId, bob, VIEW_CHANNEL | CONNECT_VOICE | SPEAK_VOICE);
      const [hers, his, blind, strange] = [
        await alice.listen(),
        await bob.listen(),
        await carol.listen(),
        await mallory.listen(),
      ];
      const about = { channel_id: room, user_id: bob.id };

      await enter(media, bob, room);
      const joined = await hers.next("VOICE_JOIN");
      expect(joined.data as unknown).toEqual(about);
      expect(Object.keys(joined).sort()).toEqual(["data", "server_id", "ts", "type"]);
      await media.microphone(room, bob.id, "on");
      await media.microphone(room, bob.id, "muted");
      expect((await hers.next("VOICE_MUTE")).data as unknown).toEqual({ ...about, muted: true });
      his.say("VOICE_DEAFEN", { channel_id: room, deafened: true });
      expect((await hers.next("VOICE_DEAFEN")).data as unknown).toEqual({ ...about, deafened: true });

      const [listed] = await inside(alice, room);
      expect(listed).toEqual({
        user_id: bob.id,
        display_name: "bob",
        muted: true,
        deafened: true,
        joined_at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown as string,
      });
      const ready = (await alice.listen()).ready.servers as unknown as { voice: unknown }[];
      const { display_name, ...state } = listed as NonNullable<typeof listed>;
      expect(ready[0]?.voice).toEqual([{ channel_id: room, ...state }]);
      const unseen = (await carol.listen()).ready.servers as unknown as { voice: unknown }[];
      expect(unseen[0]?.voice).toEqual([]);
      expect(verdict(await carol.get(`/voice/rooms/${room}/participants`))).toBe("404 not_found");
      expect(verdict(await mallory.get(`/voice/rooms/${room}/participants`))).toBe("404 not_found");

      await media.leave(room, bob.id);
      expect((await hers.next("VOICE_LEAVE")).data as unknown).toEqual(about);
      expect(await inside(alice, room)).toEqual([]);
      for (const ear of [blind, strange]) {
        await ear.settle();
        for (const type of voiceFrames) expect(ear.heard(type)).toEqual([]);
      }
    });

    test("who comes to see the channel hears who is in it", async () => {
      const { alice, bob, carol, serverId, everyone, room } = await parlour(house(), media);
      await alice.giveRole(serverId, bob, VIEW_CHANNEL | CONNECT_VOICE | SPEAK_VOICE);
      await alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions: 0 });
      await enter(media, bob, room);
      await media.microphone(room, bob.id, "muted");
      const his = await bob.listen();
      his.say("VOICE_DEAFEN", { channel_id: room, deafened: true });
      await his.next("VOICE_DEAFEN");
      const ear = await carol.listen();
      await alice.patch(`/servers/${serverId}/roles/${everyone}`, { permissions: VIEW_CHANNEL });
      expect((await ear.next("VOICE_JOIN")).data as unknown).toEqual({ channel_id: room, user_id: bob.id });
      expect(String((await ear.next("VOICE_MUTE")).data.muted)).toBe("true");
      expect(String((await ear.next("VOICE_DEAFEN")).data.deafened)).toBe("true");
    });

    test("people are listed by when they came, each where they are", async () => {
      const { alice, bob, carol, serverId, room } = await parlour(house(), media);
      const atS = Math.floor(Date.now() / 1000);
      for (const [i, who] of [carol, bob, alice].entries()) {
        const participant = { sid: `PA_${who.id}`, identity: who.id, joinedAt: String(atS - 30 + 10 * i) };
        await media.tell("participant_joined", room, { participant });
      }
      const listed = await inside(alice, room);
      expect(listed.map((each) => each.user_id)).toEqual([carol.id, bob.id, alice.id]);
      expect(listed.map((each) => each.display_name)).toEqual(["carol", "bob", "alice"]);
      expect(listed.map((each) => Date.parse(each.joined_at) / 1000 - atS)).toEqual([-30, -20, -10]);
      // Another server of hers has a room of its own, with somebody else in it.
      const { id: server_id } = await alice.makeServer();
      const attic = { server_id, name: "attic", type: "voice" };
      const there = (await alice.post<{ id: string }>("/channels", attic)).body.id;
      await enter(media, alice, there);
      const ready = (await alice.listen()).ready.servers as unknown as {
        id: string;
        voice: { user_id: string }[];
      }[];
      expect(
        Object.fromEntries(ready.map(({ id, voice }) => [id, voice.map((each) => each.user_id)])),
      ).toEqual({
        [serverId]: [carol.id, bob.id, alice.id],
        [server_id]: [alice.id],
      });
    });

    test("only the microphone of the present connection mutes, by each way in which LiveKit tells it", async () => {
      const { alice, bob, room } = await parlour(house(), media);
      const { sid, identity } = await enter(media, bob, room);
      const isMuted = async () => (await inside(alice, room))[0]?.muted;
      const tell = async (kind: string, source: string, muted: boolean, by = sid) => {
        await media.tell(kind, room, {
          participant: { sid: by, identity },
          track: { sid: "TR", source, muted },
        });
        return isMuted();
      };
      expect([
        await tell("track_muted", "CAMERA", true),
        await tell("track_published", "SCREEN_SHARE_AUDIO", true),
        await tell("track_muted", "MICROPHONE", true, "PA_earlier"),
        await tell("track_muted", "MICROPHONE", true),
        await tell("track_unmuted", "MICROPHONE", false),
        await tell("track_unpublished", "MICROPHONE", false),
        await tell("track_published", "MICROPHONE", false),
      ]).toEqual([false, false, false, true, false, true, false]);
    });

    test("a new connection is neither muted nor deafened, and news of an earlier one that come late change nothing", async () => {
      const { alice, bob, room } = await parlour(house(), media);
      const earlier = await enter(media, bob, room);
      const his = await bob.listen();
      his.say("VOICE_MUTE", { channel_id: room, muted: true });
      his.say("VOICE_DEAFEN", { channel_id: room, deafened: true });
      await his.next("VOICE_DEAFEN");
      const stateOf = async () =>
        (await inside(alice, room)).map(({ muted, deafened }) => ({ muted, deafened }));
      expect(await stateOf()).toEqual([{ muted: true, deafened: true }]);
      await media.leave(room, bob.id, { tells: false });
      // In another millisecond, so that their order is defined.
      const joinedAtMs = String(Number(earlier.joinedAtMs) + 1000);
      const later = { ...earlier, sid: "PA_later", joinedAtMs };
      await media.tell("participant_joined", room, { participant: later });
      expect(await stateOf()).toEqual([{ muted: false, deafened: false }]);
      await media.tell("participant_joined", room, { participant: earlier });
      await media.tell("participant_left", room, { participant: earlier });
      expect(await inside(alice, room)).toHaveLength(1);
      await media.tell("participant_left", room, { participant: later });
      expect(await inside(alice, room)).toEqual([]);
    });

    test("with two devices in two rooms: what happens in the one, also a new connection, changes nothing in the other", async () => {
      const { alice, bob, serverId, room } = await parlour(house(), media);
      const attic = { server_id: serverId, name: "attic", type: "voice" };
      const other = (await alice.post<{ id: string }>("/channels", attic)).body.id;
      for (const each of [room, other]) await enter(media, bob, each);
      const hers = await alice.listen();
      await media.microphone(room, bob.id, "muted");
      const his = await bob.listen();
      his.say("VOICE_DEAFEN", { channel_id: room, deafened: true });
      await his.next("VOICE_DEAFEN");
      const [there] = (await alice.listen()).ready.servers as unknown as { voice: unknown[] }[];
      const states = [
        { channel_id: room, user_id: bob.id, muted: true, deafened: true },
        { channel_id: other, user_id: bob.id, muted: false, deafened: false },
      ];
      expect(there?.voice).toHaveLength(2);
      for (const state of states) expect(there?.voice).toContainEqual(expect.objectContaining(state));
      const [upThere] = await inside(alice, other);
      expect(upThere).toMatchObject({ muted: false, deafened: false });

      await media.leave(room, bob.id, { tells: false });
      await enter(media, bob, room);
      expect(await inside(alice, other)).toEqual(upThere ? [upThere] : []);
      await media.leave(other, bob.id);
      expect(await inside(alice, other)).toEqual([]);
      expect((await inside(alice, room)).map(({ user_id }) => user_id)).toEqual([bob.id]);
      await hers.settle();
      expect(hers.heard("VOICE_LEAVE").map(({ data }) => String(data.channel_id))).toEqual([other]);
    });

    test("an event told twice happens once; what an earlier connection did does not touch a later one", async () => {
      const { alice, bob, room } = await parlour(house(), media);
      const hers = await alice.listen();
      const guest = await enter(media, bob, room);
      const left = JSON.stringify({ ...media.eventOf("participant_left", room), participant: guest });
      await media.leave(room, bob.id, { tells: false });
      expect((await media.send(left))?.status).toBe(204);
      const again = await enter(media, bob, room);
      expect((await media.send(left))?.status).toBe(204);
      await media.tell("participant_left", room, { participant: guest });
      expect((await inside(alice, room)).map((each) => each.user_id)).toEqual([bob.id]);
      await hers.settle();
      expect(hers.heard("VOICE_JOIN")).toHaveLength(2);
      expect(hers.heard("VOICE_LEAVE")).toHaveLength(1);
      await media.leave(room, bob.id, { tells: false });
      await media.tell("participant_left", room, { participant: again });
      expect(await inside(alice, room)).toEqual([]);
    });

    test("a coming that is told again after the going brings nobody back", async () => {
      const { alice, bob, room } = await parlour(house(), media);
      const participant = { sid: "PA_once", identity: bob.id };
      const came = JSON.stringify({ ...media.eventOf("participant_joined", room), participant });
      expect((await media.send(came))?.status).toBe(204);
      await media.tell("participant_left", room, { participant });
      expect((await media.send(came))?.status).toBe(204);
      expect(await inside(alice, room)).toEqual([]);
    });

    test("who could not connect is out of the room", async () => {
      const { alice, bob, room } = await parlour(house(), media);
      const hers = await alice.listen();
      const participant = await enter(media, bob, room);
      expect((await inside(alice, room)).map((each) => each.user_id)).toEqual([bob.id]);
      await media.leave(room, bob.id, { tells: false });
      await media.tell("participant_connection_aborted", room, { participant });
      await hers.settle();
      expect(hers.heard("VOICE_LEAVE")).toHaveLength(1);
      expect(await inside(alice, room)).toEqual([]);
    });

    test("a finished room is empty", async () => {
      const { alice, bob, carol, room } = await parlour(house(), media);
      const hers = await alice.listen();
      await enter(media, bob, room);
      await enter(media, carol, room);
      await media.tell("room_finished", room, {});
      await hers.settle();
      expect(hers.heard("VOICE_LEAVE")).toHaveLength(2);
      expect(await inside(alice, room)).toEqual([]);
      // The late end of an earlier room with that name ends no stay in the current one.
      await enter(media, bob, room);
      await media.tell("room_finished", room, { createdAt: String(Math.floor(Date.now() / 1000) - 100) });
      expect((await inside(alice, room)).map((each) => each.user_id)).toEqual([bob.id]);
    });

    test("forged, changed, unsigned, stale and oversized webhooks change nothing and are heard by nobody", async () => {
      const { alice, bob, room } = await parlour(house(), media);
      const hers = await alice.listen();
      const event = {
        ...media.eventOf("participant_joined", room),
        participant: { sid: "PA_x", identity: bob.id },
      };
      const body = JSON.stringify(event);
      const old = Math.floor(Date.now() / 1000) - 301;
      const url = String(media.webhookUrl);
      const unsigned = await fetch(url, { method: "POST", body });
      expect(((await unsigned.json()) as { code: string }).code).toBe("bad_signature");
      const { createdAt, ...ageless } = event as Record<string, unknown>;
      const refused = [
        unsigned,
        await fetch(url, { method: "POST", body, headers: { Authorization: "Bearer x" } }),
        await fetch(url, { method: "POST", body, headers: { Authorization: `Bearer ${alice.token}` } }),
        await media.send(body, body.replace(bob.id, alice.id)),
        await media.send(body, body, "another secret, quite as long as it is"),
        await media.send(JSON.stringify({ ...event, createdAt: String(old) })),
        await media.send(JSON.stringify({ ...event, createdAt: String(old + 700) })),
        await media.send(JSON.stringify(ageless)),
        await media.send("not json", body),
        await media.send("{}", body),
        await media.send("", body),
      ];
      expect(refused.map((answer) => answer?.status)).toEqual(refused.map(() => 401));
      expect((await media.send(" ".repeat(64 * 1024) + body))?.status).toBe(413);
      await hers.settle();
      for (const type of voiceFrames) expect(hers.heard(type)).toEqual([]);
      expect(await inside(alice, room)).toEqual([]);
      expect((await media.send(body))?.status).toBe(204);
      expect(await inside(alice, room)).toHaveLength(1);
    });

    test("what is signed and no JSON, or no event, is told so, and changes nothing", async () => {
      const { alice, bob, room } = await parlour(house(), media);
      const hers = await alice.listen();
      const event = {
        ...media.eventOf("participant_joined", room),
        participant: { sid: "PA_x", identity: bob.id },
      };
      const { id, ...nameless } = event as Record<string, unknown>;
      const answers = (bodies: string[]) =>
        Promise.all(
          bodies.map(async (body) => {
            const answer = await media.send(body);
            return [answer?.status, ((await answer?.json()) as { code?: string } | undefined)?.code];
          }),
        );
      const broken = ["not json", "", `${JSON.stringify(event)}}`, "{'id': 1}"];
      expect(await answers(broken)).toEqual(broken.map(() => [400, "malformed_json"]));
      const others: unknown[] = [
        ...[[], [1], [event], {}, null, 7, "text", nameless],
        ...["", "\0", "\ud800", 7, null, {}].map((odd) => ({ ...event, id: odd })),
        { ...event, participant: { sid: "\0", identity: bob.id } },
        { ...event, participant: "bob" },
        { ...event, createdAt: "yesterday" },
      ];
      expect(await answers(others.map((each) => JSON.stringify(each)))).toEqual(
        others.map(() => [400, "invalid_request"]),
      );
      await hers.settle();
      for (const type of voiceFrames) expect(hers.heard(type)).toEqual([]);
      expect(await inside(alice, room)).toEqual([]);
    });

    test("what is not of ours is passed over: other rooms, recorders, people whom nobody knows", async () => {
      const { alice, bob, general, room } = await parlour(house(), media);
      const ours = [room, general, "lobby"];
      const removed = () =>
        media.called("RemoveParticipant").flatMap((call) => ours.filter((each) => each === call.room));
      const guest = { sid: "PA_y", identity: crypto.randomUUID() };
      for (const participant of [
        guest,
        { ...guest, identity: "recorder" },
        { ...guest, identity: bob.id, kind: "EGRESS" },
      ]) {
        await media.tell("participant_joined", room, { participant });
      }
      expect(
        (await media.tell("participant_joined", "lobby", { participant: { ...guest, identity: bob.id } }))
          ?.status,
      ).toBe(204);
      expect(await inside(alice, room)).toEqual([]);
      await Bun.sleep(50);
      expect(removed()).toEqual([]);
      // There is no room by the name of a text channel; our people in it are removed.
      await media.tell("participant_joined", general, { participant: { ...guest, identity: bob.id } });
      await until(() => removed().length > 0, "he is not put out");
      await Bun.sleep(50);
      expect(removed()).toEqual([general]);
    });

    test("muting and deafening by frame: only for who is in the room, and unmuting only with SPEAK_VOICE", async () => {
      const { alice, bob, carol, mallory, serverId, everyone, room } = await parlour(house(), media);
      await enter(media, bob, room);
      const refusals = async (who: typeof bob, type: string, data: unknown) => {
        const ear = await who.listen();
        ear.say(type, data);
        return String((await ear.next("ERROR")).data.code);
      };
      const hers = await alice.listen();
      expect(await refusals(carol, "VOICE_MUTE", { channel_id: room, muted: true })).toBe("conflict");
      expect(await refusals(mallory, "VOICE_DEAFEN", { channel_id: room, deafened: true })).toBe("not_found");
      expect(await refusals(bob, "VOICE_MUTE", { channel_id: room, muted: "yes" })).toBe("invalid_request");
      expect(await refusals(bob, "VOICE_DEAFEN", { channel_id: "x", deafened: true })).toBe(
        "invalid_request",
      );
      await hers.settle();
      for (const type of voiceFrames) expect(hers.heard(type)).toEqual([]);

      const his = await bob.listen();
      for (const muted of [true, true, false, true]) his.say("VOICE_MUTE", { channel_id: room, muted });
      for (const muted of [true, false, true]) {
        expect(String((await hers.next("VOICE_MUTE")).data.muted)).toBe(String(muted));
      }
      await alice.patch(`/servers/${serverId}/roles/${everyone}`, {
        permissions: VIEW_CHANNEL | CONNECT_VOICE,
      });
      expect(await refusals(bob, "VOICE_MUTE", { channel_id: room, muted: false })).toBe("forbidden");
      await hers.settle();
      expect(hers.heard("VOICE_MUTE")).toHaveLength(3);
    });
  },
  media.settings,
);
