// A page without `requestIdleCallback`, as in WebKit: what can wait does so while frames take long, but not for ever.
import { afterEach, expect, test } from "bun:test";
import { idle } from "./idle.ts";

afterEach(() => {
  Reflect.deleteProperty(globalThis, "requestAnimationFrame");
});

/** Drawing the first frames takes so many milliseconds each; those behind them take none. Returns how many were drawn. */
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
