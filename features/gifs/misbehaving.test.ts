// A malicious GIF provider, with one misdeed of each kind; misbehaving.long.test.ts has them all.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gifKey } from "../../tests/doubles/gif-provider.ts";
import { MisbehavingBackends } from "../../tests/doubles/misbehaving-backends.ts";
import { dearBodies, fewMisdeeds } from "../../tests/doubles/misdeeds.ts";
import { processorMs } from "../../tests/house/machine/processor.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { askedAtOnce } from "../../tests/house/scenes/asked-at-once.ts";
import { askProvider } from "./asking.ts";

const patienceMs = 1000;
const services = await MisbehavingBackends.open(fewMisdeeds);
const dear = await MisbehavingBackends.open(dearBodies);
/** Limit of processor time for one response, including the test double's own: less than a bystander notices. */
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

test("a misdeed of each kind, all at once: no GIFs, with a reason that does not tell the key", async () => {
  const found = await askedAtOnce(house, services, async ({ url }) => {
    const given = { provider: "klipy", key: gifKey, url } as const;
    const answer = await askProvider(given, { words: "cats", limit: 1 }, patienceMs);
    return "reason" in answer ? answer.reason : "GIFs";
  });
  expect(Object.keys(found)).toHaveLength(fewMisdeeds.length);
  for (const [what, reason] of Object.entries(found))
    expect([what, reason]).toEqual([
      what,
      expect.stringMatching(/^(no connection|too large|not the shape|status \d+$)/),
    ]);
});

for (const provider of ["klipy", "giphy"] as const)
  test(`complete answers of ${provider} that are dear to read: no GIFs, and cheap`, async () => {
    for (const { what, url } of dear.services) {
      const before = processorMs();
      const answer = await askProvider({ provider, key: gifKey, url }, { words: "cats", limit: 50 });
      expect([what, answer.gifs ?? []]).toEqual([what, []]);
      const tookMs = processorMs() - before;
      expect([what, tookMs < mostMs || tookMs]).toEqual([what, true]);
    }
  });
