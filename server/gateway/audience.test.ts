// Differences of audiences: right, and shared by all listeners who go from the same audiences to the same others.
import { expect, test } from "bun:test";
import { type Held, heldWithout } from "./audience.ts";

test("thousands who lose the same audiences share one set of what they lost, and one of what they keep", () => {
  const before: Held = new Set(["everybody", "viewers", "channel:a"]);
  const after: Held = new Set(["everybody", "viewers", "channel:b"]);
  const lost = heldWithout(before, after);
  const kept = heldWithout(before, lost);
  expect([[...lost], [...kept]]).toEqual([["channel:a"], ["everybody", "viewers"]]);
  expect([...heldWithout(after, before)]).toEqual(["channel:b"]);
  for (let listener = 0; listener < 3; listener++) {
    expect(heldWithout(before, after)).toBe(lost);
    expect(heldWithout(before, lost)).toBe(kept);
  }
});
