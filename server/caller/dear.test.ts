// Dear writes of many people at the same moment: everybody else has their turn between two of them.
import { expect, test } from "bun:test";
import { DearCalls } from "./dear.ts";
import type { Draws } from "./draws.ts";

test("of dear writes that come together one begins in each turn of the event loop", async () => {
  let turn = 0;
  let next = setImmediate(function count() {
    turn++;
    next = setImmediate(count);
  });
  const dear = new DearCalls();
  const draws = { takeAll: async () => {} } as unknown as Draws;
  const counted = { draws, cost: 10, bringsFile: false, writes: true, hungUp: new AbortController().signal };
  const begunIn = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      dear.run({ userId: `person ${i}`, isBot: false, sessionId: "" }, counted, async () => turn),
    ),
  );
  clearImmediate(next);
  expect(new Set(begunIn).size).toBe(12);
});
