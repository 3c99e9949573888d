// A media service that takes calls and never answers them: it is given up in time, and holds up nothing else.
import { afterAll, afterEach, expect, test } from "bun:test";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { onEachEngine } from "../../tests/house/engines.ts";
import { askToken, enter, inside, parlour } from "../../tests/house/parlour.ts";
import type { Answer, TestPerson } from "../../tests/house/people.ts";
import { promptly, soon } from "../../tests/house/waiting.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { voice } from "./handlers.ts";

const media = new LiveKitDouble();
afterEach(() => {
  media.stalls = undefined;
});
afterAll(() => media.stop());

/** Almost as long as the media service may take. */
const patienceMs = 4500;

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
      test(`(${stalls}) is 503 once its patience is over, and nobody else waits for that`, async () => {
        // It stalls from the start on: of a room without anybody in it nothing is known, and it has to be asked.
        media.stalls = stalls;
        await house().restart();
        const { alice, bob, general, room, serverId } = await parlour(house(), media);
        const before = media.stalled;
        const begun = performance.now();
        const asked = Array.from({ length: 20 }, () => timed(list(bob, room)));
        let isGivenUp = false;
        for (const each of asked) each.then(() => (isGivenUp = true));
        await promptly(() => media.stalled > before);

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
        // A change of rights in the room.
        expect((await alice.delete(`/channels/${room}`)).status).toBe(204);
        // Nothing can be said of a machine that stood still until then.
        if (performance.now() - begun < patienceMs) expect(isGivenUp).toBe(false);
        // All who look at one room wait for one answer.
        expect(media.stalled - before).toBeLessThan(5);

        for (const { result, ms } of await Promise.all(asked)) {
          expect(verdict(result)).toBe("503 unavailable");
          expect(result.headers.get("retry-after")).toBe("5");
          expect(ms).toBeGreaterThan(patienceMs);
        }
      });
    }

    test("leaves what is known as it is; what was due meanwhile is done once it answers again", async () => {
      const { alice, bob, carol, room, serverId } = await parlour(house(), media);
      await enter(media, bob, room);
      const hers = await alice.listen();
      media.stalls = "at once";
      expect((await inside(alice, room)).map((each) => each.user_id)).toEqual([bob.id]);
      expect((await alice.delete(`/servers/${serverId}/members/${bob.id}`)).status).toBe(204);
      // Nobody hears of Carol's coming, and the recurring look ends in time, too.
      const { token } = (await askToken(carol, room)).body;
      await media.join(token, { tells: false });
      const { result, ms } = await timed(Promise.resolve(reconcileNow()));
      expect(result).toBe(false);
      expect(ms).toBeGreaterThan(patienceMs);
      await hers.settle();
      expect([hers.heard("VOICE_JOIN"), hers.heard("VOICE_LEAVE")]).toEqual([[], []]);
      expect(media.guest(room, bob.id)).toBeDefined();

      media.stalls = undefined;
      await reconcileNow();
      await promptly(() => media.guest(room, bob.id) === undefined);
      expect(String((await hers.next("VOICE_LEAVE")).data.user_id)).toBe(bob.id);
      expect(hers.heard("VOICE_JOIN").map((frame) => String(frame.data.user_id))).toEqual([carol.id]);
      expect((await inside(alice, room)).map((each) => each.user_id)).toEqual([carol.id]);
    });

    test("does not keep the house from closing", async () => {
      media.stalls = "at once";
      await house().restart();
      const { bob, room } = await parlour(house(), media);
      const before = media.stalled;
      const asked = list(bob, room).catch(() => undefined);
      await promptly(() => media.stalled > before);
      await soon(house().restart());
      await asked;
    });
  },
  media.settings,
);
