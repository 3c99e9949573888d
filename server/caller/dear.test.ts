// Dear writes of many people at the same moment: everybody else has their turn between two of them.
import { expect, test } from "bun:test";
import { until } from "../../tests/house/waiting.ts";
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

test("a person and their bots have their places together; another person's are their own", async () => {
  const dear = new DearCalls();
  const draws = { takeAll: async () => {} } as unknown as Draws;
  const counted = { draws, cost: 10, bringsFile: false, writes: false, hungUp: new AbortController().signal };
  const end = Promise.withResolvers<void>();
  const begun: string[] = [];
  const call = (userId: string, bot: { ownerId?: string } = {}) =>
    dear.run({ userId, isBot: bot.ownerId !== undefined, sessionId: "", ...bot }, counted, async () => {
      begun.push(userId);
      await end.promise;
    });
  const calls = [call("ada"), call("one", { ownerId: "ada" }), call("two", { ownerId: "ada" }), call("eve")];
  // She came last: whoever may begin before her has begun by then.
  await until(() => begun.includes("eve"), "she does not begin");
  expect(begun.sort()).toEqual(["ada", "eve", "one"]);
  end.resolve();
  await Promise.all(calls);
  expect(begun).toContain("two");
});
