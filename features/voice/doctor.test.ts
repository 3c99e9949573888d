// What the doctor says of voice: nothing wrong where all is well, and otherwise one sentence for each thing that is.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { readConfig } from "../../server/config.ts";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { makeHouse, type TestHouse } from "../../tests/house/engines.ts";
import { checkVoice } from "./doctor.ts";

const media = new LiveKitDouble();
let house: TestHouse;
beforeAll(async () => {
  house = await makeHouse("SQLite", media.settings);
  await house.open();
});
afterEach(() => {
  media.isAway = false;
  media.clockOff = 0;
});
afterAll(async () => {
  await house.end();
  media.stop();
});

function check(settings: Record<string, string> = {}) {
  return checkVoice(readConfig([], { ...media.settings, PUBLIC_URL: house.url, ...settings }));
}

test("all is well: it says so, and what LiveKit must be told", async () => {
  const { ok, lines } = await check();
  expect(lines.join("\n")).toContain("takes the key and the secret");
  expect(lines.join("\n")).toContain(`${house.url}/api/v1/voice/webhook`);
  expect(ok).toBe(true);
});

test("nothing is set up", async () => {
  const { ok, lines } = await checkVoice(readConfig([], {}));
  expect(ok).toBe(false);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET");
});

test("what is wrong comes first, and names what mends it", async () => {
  const stranger = Bun.serve({ port: 0, fetch: () => new Response("Welcome to the garden") });
  const wrongs: [string, Record<string, string>][] = [
    ["does not answer at ws://127.0.0.1:1 ", { LIVEKIT_URL: "ws://127.0.0.1:1" }],
    ["refuses the key or the secret", { LIVEKIT_API_SECRET: "not the secret, but quite as long" }],
    ["refuses the key or the secret", { LIVEKIT_API_KEY: "otherkey" }],
    ["not as LiveKit does", { LIVEKIT_URL: `http://127.0.0.1:${stranger.port}` }],
    ["has the path /livekit", { LIVEKIT_URL: `${media.url}/livekit` }],
    ["is not Hearth's webhook (status 200)", { PUBLIC_URL: `http://127.0.0.1:${stranger.port}` }],
    ["webhook does not answer at http://127.0.0.1:1/", { PUBLIC_URL: "http://127.0.0.1:1" }],
    ["PUBLIC_URL is not set", { PUBLIC_URL: "", LIVEKIT_URL: "ws://[::ffff:7f00:1]:1" }],
    ["which LiveKit cannot reach from another machine", { LIVEKIT_URL: "ws://[::ffff:7f00:1]:1" }],
    ["browsers refuse that", { PUBLIC_URL: "https://127.0.0.1:1", LIVEKIT_URL: "ws://[::ffff:7f00:1]:1" }],
  ];
  for (const [sentence, settings] of wrongs) {
    const { ok, lines } = await check(settings);
    expect([sentence, ok]).toEqual([sentence, false]);
    expect(lines.filter((line) => line.includes(sentence))).toHaveLength(1);
  }
  stranger.stop(true);
});

test("LiveKit is down behind its proxy; or its clock is off", async () => {
  media.isAway = true;
  expect((await check()).lines[0]).toContain("with status 503");
  media.isAway = false;
  media.clockOff = -90_000;
  const { ok, lines } = await check();
  expect(ok).toBe(false);
  expect(lines[0]).toMatch(/clock is (89|90|91) s behind ours/);
});
