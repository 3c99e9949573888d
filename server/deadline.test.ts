// Waiting no longer than allowed: what arrives in time passes, what does not is refused, each by its own clock.
import { expect, test } from "bun:test";
import { deadline } from "./deadline.ts";

const never = new Promise<string>(() => {});

test("what arrives in time passes, be it a value or an error", async () => {
  const within = deadline(1000, () => new Error("late"));
  expect(await within(Promise.resolve("here"))).toBe("here");
  await expect(within(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

test("what does not arrive is given up, while what began later still has its time", async () => {
  const within = deadline(100, () => new Error("late"));
  const first = within(never);
  await Bun.sleep(70);
  const second = within(Bun.sleep(70).then(() => "just in time"));
  await expect(first).rejects.toThrow("late");
  expect(await second).toBe("just in time");
});

test("the clock goes on after a quiet time", async () => {
  const within = deadline(30, () => new Error("late"));
  await expect(within(never)).rejects.toThrow("late");
  await Bun.sleep(50);
  await expect(within(never)).rejects.toThrow("late");
});
