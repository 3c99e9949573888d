// A page without `requestIdleCallback`, as in WebKit: deferred work waits while frames are slow, but not for ever.
import { afterEach, expect, test } from "bun:test";
import { idle } from "./idle.ts";

afterEach(() => {
  Reflect.deleteProperty(globalThis, "requestAnimationFrame");
});

/** Simulates frames that take these milliseconds each, and 0 ms after them. Returns a counter of drawn frames. */
function drawing(slow: readonly number[]): () => number {
  let drawn = 0;
  globalThis.requestAnimationFrame = (run) => {
    setTimeout(() => {
      run(performance.now());
      Bun.sleepSync(slow[drawn++] ?? 0);
    }, 1);
    return drawn;
  };
  return () => drawn;
}

test("it is idle once a frame is drawn in time", async () => {
  const drawn = drawing([60, 60, 60]);
  await idle(10_000);
  expect(drawn()).toBeGreaterThan(3);
});

test("a hidden page draws no frames, and is idle after the time that was given", async () => {
  globalThis.requestAnimationFrame = () => 0;
  await idle(20);
});

test("a page that stays busy is idle after the time that was given", async () => {
  const drawn = drawing(Array(100).fill(60));
  await idle(150);
  expect(drawn()).toBeLessThan(20);
});
