// Calls are pushed to the people whom they ring for, as their settings have it, and not once they are over.
import { afterAll, afterEach, expect, setSystemTime, test } from "bun:test";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { talkers } from "../../tests/house/scenes/calls.ts";
import { enter } from "../../tests/house/scenes/parlour.ts";
import { allPushed, browserOf, withPushService } from "../../tests/house/scenes/pushes.ts";

const media = new LiveKitDouble();
afterAll(() => media.stop());
afterEach(() => setSystemTime());

withPushService(
  "pushes of calls",
  (house, service) => {
    async function scene(kind: "pair" | "group") {
      const talk = await talkers(house(), media, kind);
      const { alice, bob, carol } = talk;
      const [hers, his, carols] = [
        await browserOf(alice, service()),
        await browserOf(bob, service()),
        await browserOf(carol, service()),
      ];
      const pushed = async () => {
        await allPushed(house());
        return [hers, his, carols].map((browser) => service().notices(browser).length);
      };
      return { ...talk, his, pushed };
    }

    test("name the caller, lead to the conversation, and end with the ringing", async () => {
      const { alice, id, call, his, pushed } = await scene("pair");
      await alice.post(call);
      expect(await pushed()).toEqual([0, 1, 0]);
      expect(service().notices(his)[0] as unknown).toEqual({
        type: "call",
        server_id: null,
        channel_id: id,
        title: "alice",
        body: "Incoming call",
        url: `${house().publicUrl}/direct/${id}`,
        until: expect.any(String),
      });
      const { headers } = service().at(his)[0] ?? {};
      expect(Number(headers?.ttl)).toBeWithin(1, 31);
      expect(String(headers?.urgency)).toBe("high");
    });

    test("name the group, and go to everybody in it but the caller", async () => {
      const { alice, id, call, his, pushed } = await scene("group");
      await alice.patch(`/channels/${id}`, { name: "Tea" });
      await alice.post(call);
      expect(await pushed()).toEqual([0, 1, 1]);
      expect(service().notices(his)[0]?.title).toBe("alice (Tea)");
    });

    test("obey levels, mutes, do not disturb and blocks", async () => {
      for (const [settings, count] of [
        [{ level: "none" }, 0],
        [{ level: "all", muted_until: "9999-12-31T23:59:59.999Z" }, 0],
        [{ level: "mentions" }, 1],
        [{ level: "all" }, 1],
      ] as const) {
        const { alice, bob, id, call, pushed } = await scene("pair");
        await bob.put(`/channels/${id}/notification-settings`, settings);
        await alice.post(call);
        expect([settings, (await pushed())[1]]).toEqual([settings, count]);
      }
      const busy = await scene("pair");
      await busy.bob.put("/auth/me/presence", { status: "dnd" });
      await busy.alice.post(busy.call);
      expect(await busy.pushed()).toEqual([0, 0, 0]);
      const blocked = await scene("group");
      await blocked.bob.put(`/blocks/${blocked.alice.id}`);
      await blocked.alice.post(blocked.call);
      expect(await blocked.pushed()).toEqual([0, 0, 1]);
    });

    test("do not reach who is active, unless they want them always", async () => {
      const { alice, bob, call, pushed } = await scene("pair");
      const ear = await bob.listen();
      await alice.post(call);
      expect(await pushed()).toEqual([0, 0, 0]);
      await alice.delete(call);
      await bob.put("/auth/me/push-settings", { when: "always" });
      await alice.post(call);
      expect(await pushed()).toEqual([0, 1, 0]);
      ear.close();
    });

    test("of a call that was answered, declined, ended or missed before they are sent are not sent", async () => {
      const answered = await scene("pair");
      await answered.alice.post(answered.call);
      await enter(media, answered.bob, answered.id);
      expect(await answered.pushed()).toEqual([0, 0, 0]);
      const declined = await scene("group");
      await declined.alice.post(declined.call);
      await declined.bob.delete(declined.call);
      expect(await declined.pushed()).toEqual([0, 0, 1]);
      const ended = await scene("pair");
      await ended.alice.post(ended.call);
      await ended.alice.delete(ended.call);
      expect(await ended.pushed()).toEqual([0, 0, 0]);
      const missed = await scene("pair");
      await missed.alice.post(missed.call);
      setSystemTime(new Date(Date.now() + 31_000));
      expect(await missed.pushed()).toEqual([0, 0, 0]);
    });

    test("are made once, however often the caller rings meanwhile", async () => {
      const { alice, call, pushed } = await scene("pair");
      for (let i = 0; i < 3; i++) await alice.post(call);
      expect(await pushed()).toEqual([0, 1, 0]);
    });
  },
  (title, tests) => onEachEngine(title, tests, media.settings),
);
