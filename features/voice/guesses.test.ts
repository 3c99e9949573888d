// Rooms of which nothing is known yet, as all are right after a start: few questions at a time, and a short queue.
import { afterAll, expect, test } from "bun:test";
import { livekitKey, livekitSecret } from "../../tests/doubles/livekit.ts";
import { onOneProcess, type TestHouse } from "../../tests/house/engines.ts";
import { until } from "../../tests/house/waiting.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

/** The media service answers once this is resolved. */
let answering = Promise.withResolvers<void>();
let asked = 0;
const service = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  // A silent one is given up by its caller.
  idleTimeout: 0,
  fetch: async ({ url }) => {
    // The house compares all rooms by itself, too.
    if (url.endsWith("/ListParticipants")) asked++;
    await answering.promise;
    return Response.json({ participants: [] });
  },
});
afterAll(() => service.stop(true));

/** Returns a function that looks into a voice room, and the ids of new ones. */
async function makeRooms(house: TestHouse, count: number) {
  const alice = await house.person("alice");
  const { id: server_id } = await alice.makeServer();
  const rooms: string[] = [];
  for (let number = 1; number <= count; number++) {
    const room = { server_id, name: `room ${number}`, type: "voice" };
    rooms.push((await alice.post<{ id: string }>("/channels", room)).body.id);
  }
  return { rooms, list: (room: string) => alice.get(`/voice/rooms/${room}/participants`) };
}

onOneProcess(
  "a media service",
  (house) => {
    test("that is silent is asked about sixteen rooms at once: 64 more wait no longer than these, and one more is refused at once", async () => {
      answering = Promise.withResolvers();
      const { rooms, list } = await makeRooms(house(), 81);
      await until(async () => {
        const [before, begun] = [asked, performance.now()];
        let over = 0;
        const looks = rooms.map((room) => list(room).finally(() => over++));
        await Promise.race(looks);
        // A call that comes a second after the first one has not timed out yet when the first one does.
        const cameTogether = performance.now() - begun < 900;
        expect(over).toBe(1);
        expect(new Set((await Promise.all(looks)).map(verdict))).toEqual(new Set(["503 unavailable"]));
        if (cameTogether) expect(asked - before).toBe(16);
        return cameTogether;
      }, "they never come together");
    });

    test("that answers is asked about twenty rooms that are looked at together, and all of them are told", async () => {
      answering = Promise.withResolvers();
      await house().restart();
      const { rooms, list } = await makeRooms(house(), 20);
      const before = asked;
      const looks = rooms.map(list);
      await until(() => asked - before === 16, "it was not asked");
      answering.resolve();
      expect((await Promise.all(looks)).map(verdict)).toEqual(Array(20).fill("200"));
    });
  },
  {
    LIVEKIT_URL: `ws://127.0.0.1:${service.port}`,
    LIVEKIT_API_KEY: livekitKey,
    LIVEKIT_API_SECRET: livekitSecret,
    LOG_LEVEL: "silent",
  },
);
