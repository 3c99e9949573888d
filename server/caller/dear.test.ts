// Expensive calls: other requests run between two writes, an account has two at a time, and each counts as several.
import { expect, test } from "bun:test";
import { costByLimit, dearAtOnce, mostCost } from "../../protocol/cost.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { costOf, DearCalls } from "./dear.ts";
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
  // Her call came last: all that may begin before it have begun by then.
  await until(() => begun.includes("eve"), "she does not begin");
  expect(begun.sort()).toEqual(["ada", "eve", "one"]);
  end.resolve();
  await Promise.all(calls);
  expect(begun).toContain("two");
});

test("who hangs up no longer waits for a place, and nothing of the call is done; a failure is the work's own", async () => {
  const dear = new DearCalls();
  const draws = { takeAll: async () => {} } as unknown as Draws;
  const ada = { userId: "ada", isBot: false, sessionId: "" };
  const end = Promise.withResolvers<void>();
  const usual = { draws, cost: 10, bringsFile: false, writes: false, hungUp: new AbortController().signal };
  const call = (work: () => Promise<unknown>, more: { writes?: boolean; hungUp?: AbortSignal } = {}) =>
    dear.run(ada, { ...usual, ...more }, work);
  let begun = 0;
  const busy = Array.from({ length: dearAtOnce }, () =>
    call(async () => {
      begun++;
      await end.promise;
    }),
  );
  await until(() => begun === dearAtOnce, "they do not begin");
  for (const writes of [false, true]) {
    const hangingUp = new AbortController();
    let hasBegun = false;
    const work = async () => {
      hasBegun = true;
    };
    const waiting = call(work, { writes, hungUp: hangingUp.signal });
    hangingUp.abort();
    await expect(waiting).rejects.toMatchObject({ code: "rate_limited" });
    expect(hasBegun).toBe(false);
  }
  end.resolve();
  await Promise.all(busy);
  for (const writes of [false, true]) {
    const failing = call(
      async () => {
        throw new Error("of its own");
      },
      { writes },
    );
    await expect(failing).rejects.toThrow("of its own");
  }
  expect(await call(async () => "there is a place again")).toBe("there is a place again");
});

test("a call counts as many as its operation says for what it asks, from one to the worst, and one that is not dear as one", () => {
  const of = (asked: Readonly<Record<string, unknown>>) => Number(asked.cost);
  const costs = [-3, 0, 1, 7, 12, 100].map((cost) => costOf({ cost: { worst: 12, of } }, { cost }));
  expect(costs).toEqual([1, 1, 1, 7, 12, 12]);
  expect(costOf({ cost: { worst: 12, of } }, { cost: 3 }, { cost: 5 })).toBe(5);
  expect([costOf({}), costOf({ cost: { worst: 4 } }), costOf({ cost: { worst: 99 } })]).toEqual([
    1,
    4,
    mostCost,
  ]);
  const byPage = costByLimit(1000, 100);
  expect([undefined, -1, 1, 100, 101, 1000, 5000].map((limit) => byPage.of?.({ limit }))).toEqual([
    10, 1, 1, 1, 2, 10, 10,
  ]);
});
