// The doctor's report on voice: nothing if all is well, otherwise one sentence per problem.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readConfig } from "../../server/config/config.ts";
import { askRunning } from "../../server/operator/socket.ts";
import { LiveKitDouble, livekitKey, livekitSecret } from "../../tests/doubles/livekit.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { inside, parlour } from "../../tests/house/scenes/parlour.ts";
import { checkVoice, lookAtVoice, lookCloserAtVoice } from "./doctor.ts";
import { reconcile } from "./reconciling.ts";
import { trialPatience } from "./trial.ts";

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
  expect(lines[0]).toMatch(/clock is (89|9\d|10\d) s behind ours/);
  media.clockOff = 90_000;
  expect((await check()).lines[0]).toMatch(/clock is (8\d|90) s ahead of ours/);
  media.clockOff = 20_000;
  expect((await check()).ok).toBe(true);
});

test("what the admins see asks LiveKit alone, and a closer look tries the webhooks, too", async () => {
  const settings = { ...media.settings, PUBLIC_URL: house.url, DATA_DIR: String(house.settings.DATA_DIR) };
  const looks = async (more: Record<string, string>) => {
    const config = readConfig([], { ...settings, ...more });
    return [await lookAtVoice(config), await lookCloserAtVoice(config)].map(({ state }) => state);
  };
  const made = media.called("CreateRoom").length;
  expect((await lookAtVoice(readConfig([], settings))).state).toBe("ok");
  expect(media.called("CreateRoom")).toHaveLength(made);
  await parlour(house, media);
  expect(await looks({})).toEqual(["ok", "ok"]);
  expect(media.called("CreateRoom")).toHaveLength(made + 1);
  media.webhookUrl = undefined;
  expect(await looks({ LIVEKIT_API_SECRET: "not the secret, but quite as long" })).toEqual([
    "wrong",
    "wrong",
  ]);
  // LiveKit is fine, but Hearth's public URL is unreachable.
  expect(await looks({ PUBLIC_URL: "http://127.0.0.1:1", DATA_DIR: "/nonexistent/of-the-test" })).toEqual([
    "ok",
    "wrong",
  ]);
  const off = { LIVEKIT_URL: "", LIVEKIT_API_KEY: "", LIVEKIT_API_SECRET: "" };
  expect(await looks(off)).toEqual(["off", "off"]);
});

describe("webhooks are tried with a room of the doctor's own:", () => {
  const withHouse = () => check({ DATA_DIR: String(house.settings.DATA_DIR) });
  afterEach(() => {
    media.signsWith = { key: livekitKey, secret: livekitSecret };
    media.webhookUrl = undefined;
  });

  test("they come, and nobody sees the room", async () => {
    const { alice, room } = await parlour(house, media);
    const hers = await alice.listen();
    const made = media.called("CreateRoom").length;
    const { ok, lines } = await withHouse();
    expect([ok, lines.join("\n")]).toEqual([
      true,
      expect.stringContaining("webhooks come: the one of a room"),
    ]);
    expect(media.called("CreateRoom")).toHaveLength(made + 1);
    expect([...media.rooms.keys()].filter((name) => name.includes("doctor"))).toEqual([]);
    await reconcile(house.running.house);
    await hers.settle();
    expect(hers.frames.map(({ type }) => type).filter((type) => type.startsWith("VOICE"))).toEqual([]);
    expect(await inside(alice, room)).toEqual([]);
  });

  test("they do not come", async () => {
    const patience = trialPatience(house.running.house);
    const usual = patience.ms;
    patience.ms = 300;
    const { ok, lines } = await withHouse().finally(() => {
      patience.ms = usual;
    });
    expect([ok, lines[0]]).toEqual([false, expect.stringContaining("webhooks do not come")]);
    expect(lines[0]).toContain("webhook.urls");
  });

  for (const [what, signsWith, says] of [
    ["key", { key: "another", secret: livekitSecret }, "signed with another API key"],
    ["secret", { key: livekitKey, secret: "another secret, quite as long" }, "signed with another secret"],
  ] as const) {
    test(`they come, signed with another ${what}`, async () => {
      await parlour(house, media);
      media.signsWith = signsWith;
      const { ok, lines } = await withHouse();
      expect([ok, lines[0]]).toEqual([false, expect.stringContaining(says)]);
      expect(lines[0]).toContain("webhook.api_key");
    });
  }

  test("Hearth does not run: it was not tried, and it says so", async () => {
    const { ok, lines } = await check({ DATA_DIR: "/nonexistent/of-the-test" });
    expect([ok, lines.join("\n")]).toEqual([true, expect.stringContaining("No Hearth runs on /nonexistent")]);
  });

  test("a Hearth with other settings runs, and it says so", async () => {
    const other = await makeHouse("SQLite", {});
    await other.open();
    const { ok, lines } = await check({ DATA_DIR: String(other.settings.DATA_DIR) }).finally(() =>
      other.end(),
    );
    expect([ok, lines[0]]).toEqual([false, expect.stringContaining("could not be asked")]);
    expect(lines[0]).toContain("Voice is not set up");
  });

  test("the operator can ask when the last webhook came, and why one was refused", async () => {
    const { room } = await parlour(house, media);
    const ask = async () => (await askRunning(String(house.settings.DATA_DIR), ["voice-webhooks"]))?.lines;
    await media.tell("room_finished", room, {});
    expect((await ask())?.[0]).toMatch(/^The last webhook of LiveKit came \d+ s ago\.$/);
    media.signsWith = { key: "another", secret: livekitSecret };
    await media.tell("room_finished", room, {});
    expect((await ask())?.[1]).toMatch(/^One was refused \d+ s ago: it is signed with another API key\.$/);
    await house.restart();
    expect(await ask()).toEqual(["No webhook of LiveKit came since Hearth was started."]);
  });
});
