// A media service that accepts calls and never responds: calls time out, and nothing else is delayed.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { soon, until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { Answer, TestPerson } from "../../tests/house/people/people.ts";
import { askToken, enter, inside, parlour } from "../../tests/house/scenes/parlour.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { openMedia } from "./media.ts";
import { reconcile } from "./reconciling.ts";

const media = new LiveKitDouble();
afterEach(() => {
  media.stalls = undefined;
  media.letGo();
});
afterAll(() => media.stop());

/** Longer than any test takes, in milliseconds: a call that ends sooner did not time out. */
const longMs = 3600_000;
const shortMs = 300;

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now();
  const result = await work;
  return { result, ms: performance.now() - start };
}

onEachEngine(
  "a media service that stalls",
  (house) => {
    beforeAll(() => house().stopJobs());

    /** Forgets the occupancy of empty rooms, so that the service has to be asked, with this timeout. */
    async function openWith(patienceMs: number): Promise<void> {
      for (const running of house().all) await openMedia(running.house, patienceMs);
    }

    const list = (who: TestPerson, room: string) => who.get(`/voice/rooms/${room}/participants`);
    /** How often the participants of this room were requested while the service stalled. */
    const lookedInto = (room: string) =>
      media.stalled.filter(({ method, body }) => method === "ListParticipants" && body.room === room).length;
    const reconcileNow = () => reconcile(house().running.house);

    function expectUnavailable(answer: Answer<unknown>): void {
      expect(verdict(answer)).toBe("503 unavailable");
      expect(answer.headers.get("retry-after")).toBe("5");
    }

    for (const stalls of ["at once", "half-way"] as const) {
      test(`(${stalls}) holds up nobody but those who look into the room, who wait for one answer`, async () => {
        const { alice, bob, general, room, serverId } = await parlour(house(), media);
        await openWith(longMs);
        media.stalls = stalls;
        const asked = Array.from({ length: 20 }, () => list(bob, room));
        let isGivenUp = false;
        for (const each of asked) each.then(() => (isGivenUp = true));
        await until(() => lookedInto(room) > 0, "it is not asked");

        const others: [what: string, work: () => Promise<Answer<unknown>>, status: number][] = [
          ["a message", () => alice.post(`/channels/${general}/messages`, { content: "Hello?" }), 201],
          ["a page", () => bob.get(`/channels/${general}/messages`), 200],
          ["a token, which is signed here", () => askToken(alice, room), 200],
          ["a change of the server", () => alice.patch(`/servers/${serverId}`, { name: "Silence" }), 200],
        ];
        const connected = bob.listen().then((ear) => ear.close());
        const answered = others.map(async ([what, work, status]) =>
          expect([what, (await work()).status]).toEqual([what, status]),
        );
        await Promise.all([connected, ...answered]);
        // A permission change in the room, after which removed people are checked for.
        expect((await alice.delete(`/channels/${room}`)).status).toBe(204);
        expect(isGivenUp).toBe(false);
        // Each process asks once for everybody who queries the room there.
        expect(lookedInto(room)).toBeLessThanOrEqual(house().all.length);
        media.letGo();
        for (const each of asked) expectUnavailable(await each);
      });

      test(`(${stalls}) is 503 once its patience is over`, async () => {
        const { bob, room } = await parlour(house(), media);
        await openWith(shortMs);
        media.stalls = stalls;
        const asked = Array.from({ length: 20 }, () => timed(list(bob, room)));
        for (const { result, ms } of await Promise.all(asked)) {
          expectUnavailable(result);
          expect(ms).toBeGreaterThan(shortMs * 0.8);
        }
      });
    }

    test("leaves what is known as it is; what was due meanwhile is done once it answers again", async () => {
      const { alice, bob, carol, room, serverId } = await parlour(house(), media);
      await enter(media, bob, room);
      const hers = await alice.listen();
      await openWith(shortMs);
      media.stalls = "at once";
      expect((await inside(alice, room)).map((each) => each.user_id)).toEqual([bob.id]);
      expect((await alice.delete(`/servers/${serverId}/members/${bob.id}`)).status).toBe(204);
      // Carol's join is not reported, and the recurring reconciliation times out, too.
      const { token } = (await askToken(carol, room)).body;
      await media.join(token, { tells: false });
      const { result, ms } = await timed(reconcileNow());
      expect(result).toBe(false);
      expect(ms).toBeGreaterThan(shortMs * 0.8);
      await hers.settle();
      expect([hers.heard("VOICE_JOIN"), hers.heard("VOICE_LEAVE")]).toEqual([[], []]);
      expect(media.guest(room, bob.id)).toBeDefined();

      media.stalls = undefined;
      // A run concurrent with his removal changes nothing; the next one does.
      await until(async () => {
        await reconcileNow();
        return (await inside(alice, room)).map((each) => each.user_id).join() === carol.id;
      }, "he stays in the room, or she is not seen there");
      expect(media.guest(room, bob.id)).toBeUndefined();
      // It is stored, and told, right after the media service has removed him.
      await hers.until(({ type }) => type === "VOICE_LEAVE");
      await hers.settle();
      const heardOf = (kind: string) => hers.heard(kind).map((frame) => String(frame.data.user_id));
      expect([heardOf("VOICE_LEAVE"), heardOf("VOICE_JOIN")]).toEqual([[bob.id], [carol.id]]);
    });

    test("does not keep the house from closing", async () => {
      const { bob, room } = await parlour(house(), media);
      await openWith(1500);
      media.stalls = "at once";
      const asked = list(bob, room).catch(() => undefined);
      await until(() => lookedInto(room) > 0, "it is not asked");
      await soon(house().restart());
      await asked;
    });
  },
  media.settings,
);
