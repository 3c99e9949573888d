// timings.json decides the order of a run, and the tests that fit into the minute of `npm run check`; a file's lane
// decides which others run beside it.
import { expect, test } from "bun:test";
import { alone, isLong, laneOf, stagesOf, waiting } from "../lanes.ts";
import { complete, readTimings, unmeasuredMs } from "../timings.ts";
import { everyPath, everyTest } from "./tree.ts";

/** Milliseconds. Slower tests belong into `npm run test:all`, as `*.long.test.ts`, or have to get cheaper. */
const mostMs = 30_000;

test("timings.json knows every test file, and no other", () => {
  const [known, files] = [Object.keys(readTimings()), everyTest()];
  const remedy = (path: string) => `npm test -- ${path} --update-timings`;
  expect(files.filter((path) => !known.includes(path)).map(remedy)).toEqual([]);
  // Any such run removes the entries of deleted files.
  expect(known.filter((path) => !files.includes(path))).toEqual([]);
});

test("no file of the gate took more than half a minute by itself", () => {
  const dear = Object.entries(readTimings()).filter(([path, ms]) => !isLong(path) && ms > mostMs);
  expect(dear).toEqual([]);
});

test("a file that was not measured gets a time, one that is gone is taken out, and the rest stays", () => {
  expect(complete({ "b.test.ts": 7, "gone.test.ts": 8 }, ["c.test.ts", "b.test.ts"])).toEqual({
    "b.test.ts": 7,
    "c.test.ts": unmeasuredMs,
  });
});

test("every test file is in one lane, and `npm test` and what only `npm run test:all` runs are all of them", () => {
  const files = everyTest();
  const [gate, long] = [files.filter((path) => !isLong(path)), files.filter(isLong)];
  expect(gate.length).toBeGreaterThan(300);
  expect(long.length).toBeGreaterThan(100);
  for (const tier of [gate, long, files]) {
    const run = stagesOf(tier).flatMap((lanes) => lanes.flatMap((lane) => lane.files));
    expect(run.toSorted()).toEqual(tier.toSorted());
  }
});

test("lanes name what is there, and nothing twice", () => {
  const named = [...waiting, ...alone];
  expect(named.filter((place, i) => named.indexOf(place) !== i)).toEqual([]);
  const paths = everyPath();
  expect(named.filter((place) => !paths.includes(place))).toEqual([]);
  // Finds places without a test, or with tests of other lanes only.
  const used = (place: string) =>
    everyTest().some(
      (path) => (path === place || path.startsWith(`${place}/`)) && laneOf(path) !== "working",
    );
  expect(named.filter((place) => !used(place))).toEqual([]);
});
