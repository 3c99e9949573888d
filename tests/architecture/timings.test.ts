// The order of a run, and what `npm run check` takes into its minute, go by how long each file took.
import { expect, test } from "bun:test";
import { complete, readTimings, unmeasuredMs } from "../timings.ts";
import { everyTest } from "./tree.ts";

test("timings.json knows every test file, and no other", () => {
  const [known, files] = [Object.keys(readTimings()), everyTest()];
  const remedy = (path: string) => `npm test -- ${path} --update-timings`;
  expect(files.filter((path) => !known.includes(path)).map(remedy)).toEqual([]);
  // Any such run takes out those that are gone.
  expect(known.filter((path) => !files.includes(path))).toEqual([]);
});

test("a file that was not measured gets a time, one that is gone is taken out, and the rest stays", () => {
  expect(complete({ "b.test.ts": 7, "gone.test.ts": 8 }, ["c.test.ts", "b.test.ts"])).toEqual({
    "b.test.ts": 7,
    "c.test.ts": unmeasuredMs,
  });
});
