// One example of each kind of malicious media service; misbehaving.long.test.ts has all of them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Refusal } from "../../protocol/errors.ts";
import { livekitKey, livekitSecret } from "../../tests/doubles/livekit.ts";
import { MisbehavingBackends } from "../../tests/doubles/misbehaving-backends.ts";
import { dearBodies, fewMisdeeds } from "../../tests/doubles/misdeeds.ts";
import { processorMs } from "../../tests/house/machine/processor.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { askedAtOnce } from "../../tests/house/scenes/asked-at-once.ts";
import { LiveKit } from "./livekit.ts";

const patienceMs = 1000;
const services = await MisbehavingBackends.open(fewMisdeeds);
const dear = await MisbehavingBackends.open(dearBodies);
/** Processor time for one response, including the double's own, in milliseconds: less than others notice. */
const mostMs = 400;
let house: TestHouse;
beforeAll(async () => {
  house = await makeHouse("SQLite", { LOG_LEVEL: "silent" }, undefined, true);
  await house.open();
});
afterAll(async () => {
  services.close();
  dear.close();
  await house?.end();
});

test("a misdeed of each kind, all at once: the call is refused as unavailable", async () => {
  const found = await askedAtOnce(house, services, async ({ url }) => {
    const settings = { url, key: livekitKey, secret: livekitSecret };
    return new LiveKit(house.running.house, settings, patienceMs).rooms().then(
      () => "answered",
      (error) => (error instanceof Refusal ? error.code : String(error)),
    );
  });
  expect(found).toEqual(Object.fromEntries(fewMisdeeds.map(({ what }) => [what, "unavailable"])));
});

test("complete answers that are dear to read: the call is refused as unavailable, and cheap", async () => {
  for (const { what, url } of dear.services) {
    const settings = { url, key: livekitKey, secret: livekitSecret };
    const livekit = new LiveKit(house.running.house, settings);
    const before = processorMs();
    for (const call of [() => livekit.rooms(), () => livekit.participants("room")])
      expect([what, await call().catch(({ code }: Refusal) => code)]).toEqual([what, "unavailable"]);
    const tookMs = processorMs() - before;
    expect([what, tookMs < mostMs || tookMs]).toEqual([what, true]);
  }
});
