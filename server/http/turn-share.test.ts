// Requests that come together, more than one turn of the event loop begins.
import { expect, test } from "bun:test";
import { TurnShare } from "./turn-share.ts";

test("a hundred begin at once, the others in later turns and in order, with other work in between", async () => {
  const share = new TurnShare();
  const begun: number[] = [];
  const seen: number[] = [];
  const all = Array.from({ length: 250 }, async (_, i) => {
    await share.wait();
    begun.push(i);
  });
  const others = (async () => {
    while (begun.length < 250) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(begun.length);
    }
  })();
  await Promise.all([...all, others]);
  expect(begun).toEqual(Array.from({ length: 250 }, (_, i) => i));
  expect(seen).toEqual([200, 250]);
});

test("what comes in a later turn begins at once again", async () => {
  const share = new TurnShare();
  for (let turn = 0; turn < 3; turn++) {
    for (let i = 0; i < 100; i++) expect(share.wait()).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
  }
});
