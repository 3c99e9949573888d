// Calls that are refused: strangers, blocks, bots, servers, no media service, too many; nobody hears of them.
import { afterAll, expect, test } from "bun:test";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { callsHeard, talkers, talkersWithEars } from "../../tests/house/scenes/calls.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Conversation } from "../channels/contract.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());

onEachEngine(
  "calls that are refused",
  (house) => {
    const both = async (person: { post: Ask; delete: Ask }, path: string) => [
      verdict(await person.post(path)),
      verdict(await person.delete(path)),
    ];

    test("strangers and former participants: 404, as for an unknown id or anything that is none", async () => {
      const { alice, bob, carol, mallory, id, call, heard } = await talkersWithEars(house(), media, "group");
      const missing = ["404 not_found", "404 not_found"];
      expect(await both(mallory, call)).toEqual(missing);
      await alice.delete(`/channels/${id}/recipients/${bob.id}`);
      expect(await both(bob, call)).toEqual(missing);
      for (const unknown of [crypto.randomUUID(), "7", "%00", `${id}x`])
        expect(await both(alice, `/channels/${unknown}/call`)).toEqual(missing);
      expect(await heard()).toEqual([[], [], []]);
      expect(verdict(await carol.post(call))).toBe("204");
    });

    test("the channels of a server: 409 for members, 404 for others", async () => {
      const { alice, mallory, general, room } = await talkers(house(), media, "pair");
      for (const channel of [general, room]) {
        const path = `/channels/${channel}/call`;
        expect(await both(alice, path)).toEqual(["409 conflict", "409 conflict"]);
        expect(await both(mallory, path)).toEqual(["404 not_found", "404 not_found"]);
      }
    });

    test("where one of two blocks the other: 403, by what each may know; in a group it goes on", async () => {
      const { alice, bob, carol, call, heard } = await talkersWithEars(house(), media, "pair");
      await bob.put(`/blocks/${alice.id}`);
      expect(await both(bob, call)).toEqual(["403 blocked", "403 blocked"]);
      expect(await both(alice, call)).toEqual(["403 forbidden", "403 forbidden"]);
      expect(await heard()).toEqual([[], [], []]);
      await bob.delete(`/blocks/${alice.id}`);
      expect(verdict(await alice.post(call))).toBe("204");
      const user_ids = [bob.id, carol.id];
      const { id } = (await alice.post<Conversation>("/direct", { user_ids })).body;
      await alice.put(`/blocks/${carol.id}`);
      expect(verdict(await alice.post(`/channels/${id}/call`))).toBe("204");
    });

    test("bots: 403, also in their own conversations", async () => {
      const { alice, serverId } = await talkers(house(), media, "pair");
      const bot = await TestBot.make(alice);
      await bot.enter(serverId);
      const { id } = (await alice.post<Conversation>("/direct", { user_ids: [bot.id] })).body;
      expect(await both(bot, `/channels/${id}/call`)).toEqual(["403 forbidden", "403 forbidden"]);
    });

    test("a body is not looked at, and a wrong method is none of its own", async () => {
      const { alice, call, heard } = await talkersWithEars(house(), media, "pair");
      expect(verdict(await alice.put(call, {}))).toBe("405 method_not_allowed");
      expect(verdict(await alice.get(call))).toBe("405 method_not_allowed");
      expect(await heard()).toEqual([[], [], []]);
    });
  },
  media.settings,
);

type Ask = (path: string) => ReturnType<TestBot["post"]>;

onEachEngine("calls without a media service", (house) => {
  test("are 503 for who may call, and nobody hears of them", async () => {
    const { alice, bob, carol, id, call, general } = await talkers(house(), media, "pair");
    await alice.say(id, "Hello");
    const his = await bob.listen();
    expect(verdict(await alice.post(call))).toBe("503 not_configured");
    expect(verdict(await alice.delete(call))).toBe("503 not_configured");
    expect(verdict(await carol.post(call))).toBe("404 not_found");
    expect(verdict(await alice.post(`/channels/${general}/call`))).toBe("409 conflict");
    await his.settle();
    expect(callsHeard(his, id)).toEqual([]);
  });
});

onEachEngine(
  "calls at a pace",
  (house) => {
    test("three at once, then one every five seconds; ending one is not counted", async () => {
      const { alice, bob, call } = await talkers(house(), media, "pair");
      for (let i = 0; i < 3; i++) {
        expect(verdict(await alice.post(call))).toBe("204");
        expect(verdict(await alice.delete(call))).toBe("204");
      }
      const fourth = await alice.post(call);
      expect(verdict(fourth)).toBe("429 rate_limited");
      expect(Number(fourth.headers.get("retry-after"))).toBeWithin(1, 6);
      expect(verdict(await alice.delete(call))).toBe("204");
      expect(verdict(await bob.post(call))).toBe("204");
    });
  },
  { ...media.settings, RATE_LIMITS: "on" },
);
