// Calls in conversations: for whom they ring, what each device hears, and how they end.
import { afterAll, afterEach, expect, setSystemTime, test } from "bun:test";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import { callsHeard, entryOf, talkers, talkersWithEars } from "../../tests/house/scenes/calls.ts";
import { askToken, enter } from "../../tests/house/scenes/parlour.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { ListedConversation } from "../direct/contract.ts";
import { endMissed } from "./access.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());
afterEach(() => setSystemTime());

onEachEngine(
  "a call",
  (house) => {
    const group = () => talkersWithEars(house(), media, "group");
    const pair = () => talkersWithEars(house(), media, "pair");
    const lastTold = (ear?: Ear) => ear?.frames.findLast(({ type }) => /^C(ALL|HANNEL)_/.test(type))?.type;
    const endAllMissed = async () => {
      for (const { house: one } of house().all) await endMissed(one);
      await house().heard();
    };

    test("rings on all devices of the others for 30 seconds, and again meanwhile it changes nothing", async () => {
      const { alice, bob, carol, id, call, ears, heard } = await group();
      const other = await bob.listen();
      const before = Date.now();
      expect(verdict(await alice.post(call))).toBe("204");
      expect(verdict(await alice.post(call))).toBe("204");
      expect(verdict(await carol.post(call))).toBe("204");
      expect(await heard()).toEqual([[], ["RING"], ["RING"]]);
      await other.settle();
      expect(callsHeard(other, id)).toEqual(["RING"]);
      const data = ears[1]?.heard("CALL_RING")[0]?.data as unknown as { until: string };
      expect(data as unknown).toEqual({ channel_id: id, user_id: alice.id, until: expect.any(String) });
      const rings = Date.parse(data.until) - before;
      expect(rings).toBeGreaterThanOrEqual(30_000);
      expect(rings).toBeLessThan(40_000);
    });

    test("falls silent on one's other devices once one answers; for the others it goes on", async () => {
      const { alice, bob, carol, id, call, heard } = await group();
      await alice.post(call);
      await enter(media, alice, id);
      expect(await heard()).toEqual([[], ["RING"], ["RING"]]);
      await enter(media, bob, id);
      expect(await heard()).toEqual([[], ["RING", "answered"], ["RING"]]);
      await enter(media, carol, id);
      expect(await heard()).toEqual([["answered"], ["RING", "answered"], ["RING", "answered"]]);
    });

    test("is not answered by a token alone", async () => {
      const { alice, bob, id, call, heard } = await pair();
      await alice.post(call);
      await askToken(bob, id);
      expect(await heard()).toEqual([[], ["RING"], []]);
    });

    test("is declined for oneself on all devices, and ends for the caller when nobody is left", async () => {
      const { alice, bob, carol, call, heard } = await group();
      await alice.post(call);
      expect(verdict(await bob.delete(call))).toBe("204");
      expect(verdict(await bob.delete(call))).toBe("204");
      expect(await heard()).toEqual([[], ["RING", "declined"], ["RING"]]);
      await carol.delete(call);
      expect(await heard()).toEqual([["declined"], ["RING", "declined"], ["RING", "declined"]]);
    });

    test("that one answered and the last declined was answered, for the caller", async () => {
      const { alice, bob, carol, id, call, heard } = await group();
      await alice.post(call);
      await enter(media, bob, id);
      await carol.delete(call);
      expect(await heard()).toEqual([["answered"], ["RING", "answered"], ["RING", "declined"]]);
    });

    test("is ended by the caller for all whom it still rings for", async () => {
      const { alice, bob, call, heard } = await group();
      await alice.post(call);
      await bob.delete(call);
      expect(verdict(await alice.delete(call))).toBe("204");
      expect(verdict(await alice.delete(call))).toBe("204");
      expect(await heard()).toEqual([["ended"], ["RING", "declined"], ["RING", "ended"]]);
    });

    test("without an answer is missed after 30 seconds, whichever process looks, and may ring again", async () => {
      const { alice, bob, id, call, heard } = await pair();
      await alice.post(call);
      await endAllMissed();
      expect(await heard()).toEqual([[], ["RING"], []]);
      setSystemTime(new Date(Date.now() + 31_000));
      expect((await entryOf(bob, id))?.call ?? null).toBeNull();
      await endAllMissed();
      expect(await heard()).toEqual([["missed"], ["RING", "missed"], []]);
      await alice.post(call);
      expect(await heard()).toEqual([["missed"], ["RING", "missed", "RING"], []]);
    });

    test("that is over in time, before any process looked, makes way for the next", async () => {
      const { alice, bob, call, heard } = await pair();
      await house().stopJobs();
      await alice.post(call);
      setSystemTime(new Date(Date.now() + 31_000));
      await bob.post(call);
      expect(await heard()).toEqual([["missed", "RING"], ["RING", "missed"], []]);
    });

    test("outlives the process that it began on, and is missed all the same", async () => {
      const { alice, bob, id, call } = await talkers(house(), media, "pair");
      await alice.say(id, "May I?");
      await alice.post(call);
      await house().restart();
      media.webhookUrl = `${house().url}/api/v1/voice/webhook`;
      expect((await entryOf(bob, id))?.call?.user_id).toBe(alice.id);
      const his = await bob.listen();
      setSystemTime(new Date(Date.now() + 31_000));
      await endAllMissed();
      await his.settle();
      expect(callsHeard(his, id)).toEqual(["missed"]);
    });

    test("stands in the list and in READY for the people whom it rings for, and for its caller", async () => {
      const { alice, bob, carol, id, call } = await group();
      await alice.post(call);
      const rings = { user_id: alice.id, until: expect.any(String) };
      for (const person of [alice, bob, carol]) {
        expect((await entryOf(person, id))?.call as unknown).toEqual(rings);
        const ear = await person.listen();
        const direct = ear.ready.direct as unknown as ListedConversation[];
        expect(direct.find((each) => each.id === id)?.call as unknown).toEqual(rings);
        ear.close();
      }
      await bob.delete(call);
      expect((await entryOf(bob, id))?.call).toBeNull();
      expect((await entryOf(alice, id))?.call as unknown).toEqual(rings);
      await enter(media, carol, id);
      expect((await entryOf(alice, id))?.call).toBeNull();
      expect((await entryOf(alice, id))?.voice).toMatchObject([{ channel_id: id, user_id: carol.id }]);
    });

    test("brings a conversation back into the lists of people who do not have it, before it rings", async () => {
      const { alice, bob, id, call, ears } = await pair();
      expect(await entryOf(bob, id)).toBeUndefined();
      await alice.delete(`/direct/${id}`);
      await alice.post(call);
      for (const ear of ears) await ear.settle();
      const told = ears.map((ear) =>
        ear.frames.flatMap(({ type }) => (/^C(ALL|HANNEL)_/.test(type) ? type : [])),
      );
      expect(told).toEqual([["CHANNEL_DELETE", "CHANNEL_CREATE"], ["CHANNEL_CREATE", "CALL_RING"], []]);
      for (const person of [alice, bob]) expect((await entryOf(person, id))?.call?.user_id).toBe(alice.id);
    });

    test("does not ring for people who are in the room, nor at all when everybody is", async () => {
      const { alice, bob, carol, id, call, heard } = await group();
      await enter(media, bob, id);
      await alice.post(call);
      expect(await heard()).toEqual([[], [], ["RING"]]);
      await enter(media, carol, id);
      expect(verdict(await alice.post(call))).toBe("204");
      expect(await heard()).toEqual([["answered"], [], ["RING", "answered"]]);
      expect((await entryOf(alice, id))?.call).toBeNull();
    });

    test("does not ring for people of a group who block the caller, which nobody else learns", async () => {
      const { alice, bob, carol, id, call, heard } = await group();
      await bob.put(`/blocks/${alice.id}`);
      await alice.post(call);
      expect((await entryOf(bob, id))?.call).toBeNull();
      await carol.delete(call);
      expect(await heard()).toEqual([[], [], ["RING", "declined"]]);
      expect((await entryOf(alice, id))?.call).not.toBeNull();
      setSystemTime(new Date(Date.now() + 31_000));
      await endAllMissed();
      expect(await heard()).toEqual([["missed"], [], ["RING", "declined"]]);
    });

    test("ends for a person who leaves or is taken out, and for all when its caller goes", async () => {
      const { alice, bob, carol, id, call, ears, heard } = await group();
      await bob.post(call);
      await alice.delete(`/channels/${id}/recipients/${carol.id}`);
      expect(await heard()).toEqual([["RING"], [], ["RING"]]);
      expect(lastTold(ears[2])).toBe("CHANNEL_DELETE");
      await bob.delete(`/channels/${id}/recipients/${bob.id}`);
      expect(await heard()).toEqual([["RING", "ended"], [], ["RING"]]);
      expect(lastTold(ears[1])).toBe("CHANNEL_DELETE");
    });

    test("ends for its caller when the last whom it rings for is taken out", async () => {
      const { alice, bob, carol, id, call, heard } = await group();
      await alice.post(call);
      await bob.delete(call);
      await carol.delete(`/channels/${id}/recipients/${carol.id}`);
      expect(await heard()).toEqual([["ended"], ["RING", "declined"], ["RING"]]);
      const again = await group();
      await again.alice.post(again.call);
      await enter(media, again.bob, again.id);
      await again.carol.delete(`/channels/${again.id}/recipients/${again.carol.id}`);
      expect(await again.heard()).toEqual([["answered"], ["RING", "answered"], ["RING"]]);
    });

    test("of two people ends when one blocks the other, and not when somebody else does", async () => {
      const { alice, bob, carol, call, heard } = await pair();
      await alice.post(call);
      await bob.put(`/blocks/${carol.id}`);
      await carol.put(`/blocks/${alice.id}`);
      expect(await heard()).toEqual([[], ["RING"], []]);
      await bob.put(`/blocks/${alice.id}`);
      expect(await heard()).toEqual([["ended"], ["RING", "ended"], []]);
    });

    test("that rings while a device loads its READY is in that READY, or told after it", async () => {
      const { alice, bob, id, call } = await talkers(house(), media, "pair");
      await alice.say(id, "Ready?");
      for (let i = 0; i < 10; i++) {
        const coming = bob.listen();
        await Bun.sleep(i);
        await alice.post(call);
        const ear = await coming;
        await ear.settle();
        const direct = ear.ready.direct as unknown as ListedConversation[];
        const isInReady = direct.some((each) => each.id === id && each.call !== null);
        expect(isInReady || callsHeard(ear, id).includes("RING")).toBe(true);
        ear.close();
        await alice.delete(call);
      }
    });
  },
  media.settings,
);
