// Rooms of unknown occupancy, as all are after a start: few queries at a time, and a short queue.
import { afterAll, expect, test } from "bun:test";
import { livekitKey, livekitSecret } from "../../tests/doubles/livekit.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onOneProcess, type TestHouse } from "../../tests/house/open/engines.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { openMedia } from "./media.ts";

/** Timeouts that are never reached, and reached soon, in milliseconds. */
const hourMs = 3600_000;
const patienceMs = 2500;

/** The media service responds once this is resolved. */
let answering = Promise.withResolvers<void>();
let asked = 0;
const service = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  // The caller times out if the service is silent.
  idleTimeout: 0,
  fetch: async ({ url }) => {
    // The server's own reconciliation asks about rooms, too.
    if (url.endsWith("/ListParticipants")) asked++;
    await answering.promise;
    return Response.json({ participants: [] });
  },
});
afterAll(() => service.stop(true));

/** Returns a function that queries a voice room, and the ids of new rooms. */
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
    const openWith = (patienceMs: number) => openMedia(house().running.house, patienceMs);

    test("that is slow is asked about sixteen rooms at once: 64 more wait, and one more is refused at once", async () => {
      answering = Promise.withResolvers();
      await openWith(hourMs);
      const { rooms, list } = await makeRooms(house(), 81);
      const before = asked;
      let over = 0;
      const looks = rooms.map((room) => list(room).finally(() => over++));
      await until(() => asked - before >= 16 && over >= 1, "they do not all come");
      expect([asked - before, over]).toEqual([16, 1]);
      answering.resolve();
      const verdicts = (await Promise.all(looks)).map(verdict).sort();
      expect(verdicts).toEqual([...Array(80).fill("200"), "503 unavailable"]);
    });

    test("that says nothing gets no further round: those who wait are told when the first are", async () => {
      answering = Promise.withResolvers();
      await openWith(patienceMs);
      const { rooms, list } = await makeRooms(house(), 81);
      const [before, begun] = [asked, performance.now()];
      const looks = rooms.map(list);
      // One of them is rejected at once, when all others are queued.
      await Promise.race(looks);
      const tookMs = performance.now() - begun;
      expect(new Set((await Promise.all(looks)).map(verdict))).toEqual(new Set(["503 unavailable"]));
      // On a busy machine late ones have time left when the first have run out of it.
      if (tookMs < 0.15 * patienceMs) expect(asked - before).toBe(16);
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
