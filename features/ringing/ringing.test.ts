// Calls in conversations: for whom they ring, what each device hears, and how they end.
import { afterAll, afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { enter, parlour } from "../../tests/house/scenes/parlour.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Conversation } from "../channels/contract.ts";
import type { ListedConversation } from "../direct/contract.ts";
import { endMissed } from "./access.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());

type Told = { channel_id: string; user_id?: string; until?: string; reason?: string };

/** What an ear has heard of calls, in order: `RING` of one that rings, or the reason of its end. */
function heard(ear: Ear, channelId: string): string[] {
  return ear.frames.flatMap(({ type, stream, data }) => {
    const { channel_id, reason } = data as unknown as Told;
    if (channel_id !== channelId || !type.startsWith("CALL_")) return [];
    expect(stream as unknown).toBe("@me");
    return [type === "CALL_RING" ? "RING" : (reason ?? "")];
  });
}

onEachEngine(
  "a call",
  (house) => {
    const ears: Ear[] = [];
    afterEach(() => {
      setSystemTime();
      for (const ear of ears.splice(0)) ear.close();
    });

    async function listen(person: TestPerson): Promise<Ear> {
      const ear = await person.listen();
      ears.push(ear);
      return ear;
    }

    /** Alice, Bob and Carol with an ear each, and a conversation that Alice begins with Bob, or with both. */
    async function scene(kind: "pair" | "group") {
      const people = await parlour(house(), media);
      const { alice, bob, carol } = people;
      const user_ids = kind === "pair" ? [bob.id] : [bob.id, carol.id];
      const { id } = (await alice.post<Conversation>("/direct", { user_ids })).body;
      const [hers, his, carols] = [await listen(alice), await listen(bob), await listen(carol)];
      const settle = async () => {
        for (const ear of ears) await ear.settle();
      };
      const each = async () => {
        await settle();
        return [hers, his, carols].map((ear) => heard(ear, id));
      };
      return { ...people, id, hers, his, carols, settle, each, path: `/channels/${id}/call` };
    }

    async function entryOf(person: TestPerson, id: string): Promise<ListedConversation | undefined> {
      const { body } = await person.get<ListedConversation[]>("/direct");
      return body.find((each) => each.id === id);
    }

    test("rings on all devices of the others for 30 seconds, and again meanwhile it changes nothing", async () => {
      const { alice, bob, carol, id, path, his, each } = await scene("group");
      const other = await listen(bob);
      const before = Date.now();
      expect(verdict(await alice.post(path))).toBe("204");
      expect(verdict(await alice.post(path))).toBe("204");
      expect(verdict(await carol.post(path))).toBe("204");
      expect(await each()).toEqual([[], ["RING"], ["RING"]]);
      expect(heard(other, id)).toEqual(["RING"]);
      const { data } = his.heard("CALL_RING")[0] ?? {};
      expect(data as unknown).toEqual({ channel_id: id, user_id: alice.id, until: expect.any(String) });
      const rings = Date.parse(String(data?.until)) - before;
      expect(rings).toBeGreaterThanOrEqual(30_000);
      expect(rings).toBeLessThan(35_000);
    });

    test("falls silent on one's other devices once one answers; the others go on ringing", async () => {
      const { alice, bob, carol, id, path, each } = await scene("group");
      await alice.post(path);
      await enter(media, alice, id);
      await enter(media, bob, id);
      expect(await each()).toEqual([[], ["RING", "answered"], ["RING"]]);
      await enter(media, carol, id);
      expect(await each()).toEqual([["answered"], ["RING", "answered"], ["RING", "answered"]]);
    });

    test("is declined for oneself on all devices, and ends for the caller when nobody is left", async () => {
      const { alice, bob, carol, path, each } = await scene("group");
      await alice.post(path);
      expect(verdict(await bob.delete(path))).toBe("204");
      expect(verdict(await bob.delete(path))).toBe("204");
      expect(await each()).toEqual([[], ["RING", "declined"], ["RING"]]);
      await carol.delete(path);
      expect(await each()).toEqual([["declined"], ["RING", "declined"], ["RING", "declined"]]);
    });

    test("is ended by the caller for all whom it still rings for", async () => {
      const { alice, bob, path, each } = await scene("group");
      await alice.post(path);
      await bob.delete(path);
      expect(verdict(await alice.delete(path))).toBe("204");
      expect(verdict(await alice.delete(path))).toBe("204");
      expect(await each()).toEqual([["ended"], ["RING", "declined"], ["RING", "ended"]]);
    });

    describe("without an answer", () => {
      test("is missed after 30 seconds, whichever process looks, and may ring again", async () => {
        const { alice, path, each } = await scene("pair");
        await alice.post(path);
        for (const { house: one } of house().all) await endMissed(one);
        expect(await each()).toEqual([[], ["RING"], []]);
        setSystemTime(new Date(Date.now() + 31_000));
        for (const { house: one } of house().all) await endMissed(one);
        expect(await each()).toEqual([["missed"], ["RING", "missed"], []]);
        await alice.post(path);
        expect(await each()).toEqual([["missed"], ["RING", "missed", "RING"], []]);
      });
    });

    test("stands in the list and in READY for the people whom it rings for, and its caller", async () => {
      const { alice, bob, carol, id, path } = await scene("group");
      await alice.post(path);
      const call = { user_id: alice.id, until: expect.any(String) };
      for (const person of [alice, bob, carol]) {
        expect((await entryOf(person, id))?.call).toEqual(call);
        const { direct } = (await listen(person)).ready as unknown as { direct: ListedConversation[] };
        expect(direct.find((each) => each.id === id)?.call).toEqual(call);
      }
      await bob.delete(path);
      expect((await entryOf(bob, id))?.call).toBeNull();
      expect((await entryOf(alice, id))?.call).toEqual(call);
      await enter(media, carol, id);
      expect((await entryOf(alice, id))?.call).toBeNull();
      expect((await entryOf(alice, id))?.voice).toMatchObject([{ channel_id: id, user_id: carol.id }]);
    });
  },
  { ...media.settings, RATE_LIMITS: "off" },
);
