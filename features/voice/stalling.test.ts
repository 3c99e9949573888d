// A media service that takes calls and never answers them: it is given up in time, and holds up nothing else.
import { afterAll, afterEach, expect, test } from "bun:test";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { onEachEngine } from "../../tests/house/engines.ts";
import { askToken, enter, inside, parlour } from "../../tests/house/parlour.ts";
import type { Answer, TestPerson } from "../../tests/house/people.ts";
import { withinASecond } from "../../tests/house/waiting.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { voice } from "./handlers.ts";

const media = new LiveKitDouble();
afterEach(() => {
  media.stalls = undefined;
});
afterAll(() => media.stop());

/** As long as the media service may take, and what a busy machine adds to it. */
const patience = [4500, 7500] as const;
const promptMs = 1000;

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now();
  const result = await work;
  return { result, ms: performance.now() - start };
}

onEachEngine(
  "a media service that stalls",
  (house) => {
    const list = (who: TestPerson, room: string) => who.get(`/voice/rooms/${room}/participants`);
    const reconcileNow = () => voice.jobs?.[0]?.run(house().running.house);

    for (const stalls of ["at once", "half-way"] as const) {
      test(`(${stalls}) is 503 within its patience, while nobody else waits`, async () => {
        // It stalls from the start on: of a room without anybody in it nothing is known, and it has to be asked.
        media.stalls = stalls;
        await house().restart();
        const { alice, bob, general, room, serverId } = await parlour(house(), media);
        const before = media.stalled;
        const asked = Array.from({ length: 20 }, () => timed(list(bob, room)));
        await withinASecond(() => media.stalled >= before + 20);

        const others: [what: string, work: () => Promise<Answer<unknown>>, status: number][] = [
          ["a message", () => alice.post(`/channels/${general}/messages`, { content: "Hello?" }), 201],
          ["a page", () => bob.get(`/channels/${general}/messages`), 200],
          ["a token, which is signed here", () => askToken(alice, room), 200],
          ["a change of the server", () => alice.patch(`/servers/${serverId}`, { name: "Silence" }), 200],
          ["a change of rights in the room", () => alice.delete(`/channels/${room}`), 204],
        ];
        for (const [what, work, status] of others) {
          const { result, ms } = await timed(work());
          expect([what, result.status]).toEqual([what, status]);
          expect(ms).toBeLessThan(promptMs);
        }
        const { ms: toReady } = await timed(bob.listen().then((ear) => ear.close()));
        expect(toReady).toBeLessThan(promptMs);

        for (const { result, ms } of await Promise.all(asked)) {
          expect(verdict(result)).toBe("503 unavailable");
          expect(result.headers.get("retry-after")).toBe("5");
          expect(ms).toBeWithin(...patience);
        }
      }, 30_000);
    }

    test("leaves what is known as it is; what was due meanwhile is done once it answers again", async () => {
      const { alice, bob, carol, room, serverId } = await parlour(house(), media);
      await enter(media, bob, room);
      const hers = await alice.listen();
      media.stalls = "at once";
      expect((await inside(alice, room)).map((each) => each.user_id)).toEqual([bob.id]);
      const { ms: kicked } = await timed(alice.delete(`/servers/${serverId}/members/${bob.id}`));
      expect(kicked).toBeLessThan(promptMs);
      // Nobody hears of Carol's coming, and the recurring look ends in time, too.
      const { token } = (await askToken(carol, room)).body;
      await media.join(token, { tells: false });
      const { result, ms } = await timed(Promise.resolve(reconcileNow()));
      expect(result).toBe(false);
      expect(ms).toBeWithin(...patience);
      await hers.settle();
      expect([hers.heard("VOICE_JOIN"), hers.heard("VOICE_LEAVE")]).toEqual([[], []]);
      expect(media.guest(room, bob.id)).toBeDefined();

      media.stalls = undefined;
      await reconcileNow();
      await withinASecond(() => media.guest(room, bob.id) === undefined);
      expect(String((await hers.next("VOICE_LEAVE")).data.user_id)).toBe(bob.id);
      expect(hers.heard("VOICE_JOIN").map((frame) => String(frame.data.user_id))).toEqual([carol.id]);
      expect((await inside(alice, room)).map((each) => each.user_id)).toEqual([carol.id]);
    }, 30_000);

    test("does not keep the house from closing", async () => {
      media.stalls = "at once";
      await house().restart();
      const { bob, room } = await parlour(house(), media);
      const before = media.stalled;
      const asked = list(bob, room).catch(() => undefined);
      await withinASecond(() => media.stalled > before);
      const { ms } = await timed(house().restart());
      expect(ms).toBeLessThan(10_000);
      await asked;
    }, 30_000);
  },
  media.settings,
);
