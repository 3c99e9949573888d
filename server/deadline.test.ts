// Deadlines: what arrives in time passes, what does not is rejected, each by its own clock.
import { expect, test } from "bun:test";
import { deadline } from "./deadline.ts";

const never = new Promise<string>(() => {});

test("what arrives in time passes, be it a value or an error", async () => {
  const within = deadline(1000, () => new Error("late"));
  expect(await within(Promise.resolve("here"))).toBe("here");
  await expect(within(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

test("what does not arrive is given up, while what began later still has its time", async () => {
  const { within, tick } = ticking();
  const [first, given] = [within(never), Promise.withResolvers<string>()];
  for (let i = 0; i < 7; i++) tick();
  const second = within(given.promise);
  for (let i = 0; i < 3; i++) tick();
  expect(await stateOf(first)).toBe("pending");
  tick();
  expect(await stateOf(first)).toBe("late");
  for (let i = 0; i < 6; i++) tick();
  expect(await stateOf(second)).toBe("pending");
  given.resolve("just in time");
  expect(await second).toBe("just in time");
});

test("the clock rests while nothing waits, and goes on afterwards", async () => {
  const { within, tick, isRunning } = ticking();
  const first = within(never);
  for (let i = 0; i < 11; i++) tick();
  expect(await stateOf(first)).toBe("late");
  expect(isRunning()).toBe(false);
  const second = within(never);
  expect(isRunning()).toBe(true);
  for (let i = 0; i < 11; i++) tick();
  expect(await stateOf(second)).toBe("late");
});

test("by its own clock, too, what does not arrive is given up", async () => {
  await expect(deadline(30, () => new Error("late"))(never)).rejects.toThrow("late");
});

/** A deadline with a clock of which each tick is a tenth of the limit. */
function ticking() {
  let next: (() => void) | undefined;
  const within = deadline(
    100,
    () => new Error("late"),
    (tick, ms) => {
      expect([next, ms]).toEqual([undefined, 10]);
      next = tick;
    },
  );
  const tick = () => {
    const now = next;
    next = undefined;
    now?.();
  };
  return { within, tick, isRunning: () => next !== undefined };
}

function stateOf(promise: Promise<string>): Promise<string> {
  return Promise.race([promise, Promise.resolve("pending")]).catch(({ message }) => message);
}
