// The tests that `npm test -- --changed` runs: enough for a change, and not all because of the list of features.
import { expect, test } from "bun:test";
import { fitting, touchedTests } from "../changed.ts";
import { everyTest } from "./tree.ts";

const touched: Record<string, { runs: string[]; spares: string[] }> = {
  "features/gifs/handlers.ts": {
    runs: ["features/gifs/gifs.test.ts", "tests/permissions/matrix.test.ts"],
    spares: [
      "features/push/sending.test.ts",
      "tests/crash/crash.long.test.ts",
      "tests/docs/tutorial.long.test.ts",
    ],
  },
  "features/messages/store.ts": {
    runs: ["features/messages/paging.test.ts", "features/reactions/reactions.test.ts"],
    spares: ["features/gifs/gifs.test.ts"],
  },
  "features/gifs/gifs.test.ts": {
    runs: ["features/gifs/gifs.test.ts"],
    spares: ["features/voice/rooms.test.ts"],
  },
  "cli/doctor.ts": { runs: ["tests/cli/doctor.long.test.ts"], spares: ["features/gifs/gifs.test.ts"] },
  "tests/house/people/ear.ts": {
    runs: ["features/typing/typing.test.ts"],
    spares: ["protocol/frames.test.ts"],
  },
  "docs/tour.md": {
    runs: ["tests/docs/docs.test.ts", "tests/docs/tutorial.long.test.ts"],
    spares: ["tests/crash/crash.long.test.ts"],
  },
};

for (const [path, { runs, spares }] of Object.entries(touched)) {
  test(`after a change of ${path}`, () => {
    const tests = touchedTests([path]);
    expect(tests).toEqual(expect.arrayContaining(runs));
    expect(tests.filter((each) => spares.includes(each))).toEqual([]);
  });
}

test("after a change of the machine, everything", () => {
  expect(touchedTests(["server/house/unit.ts"]).sort()).toEqual(everyTest().sort());
});

test("a minute is spent on the nearest: the architecture, the folder, what imports it", () => {
  const near = fitting(
    touchedTests(["features/badges/handlers.ts", "features/reactions/handlers.ts"]),
    60_000,
  );
  const nearest = [
    "tests/architecture/directions.test.ts",
    "features/badges/badges.test.ts",
    "features/reactions/many.test.ts",
    "features/reactions/reactions.test.ts",
  ];
  expect(near).toEqual(expect.arrayContaining(nearest));
});

test("what does not fit is left out, and what is quicker behind it is not", () => {
  const took = { "a.test.ts": 5, "long.test.ts": 9, "b.test.ts": 5 } as Record<string, number>;
  expect(fitting(Object.keys(took), 10, (path) => took[path] ?? 0)).toEqual(["a.test.ts", "b.test.ts"]);
});
