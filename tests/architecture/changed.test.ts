// What `npm test -- --changed` runs: enough for what was changed, and not everything because of the list of features.
import { expect, test } from "bun:test";
import { touchedTests } from "../changed.ts";
import { sourceFiles } from "./tree.ts";

const all = sourceFiles("protocol", "features", "client", "server", "cli", "tools", "bench", "tests")
  .map((file) => file.path)
  .filter((path) => path.endsWith(".test.ts"));

const touched: Record<string, { runs: string[]; spares: string[] }> = {
  "features/gifs/handlers.ts": {
    runs: ["features/gifs/gifs.test.ts", "tests/permissions/matrix.test.ts"],
    spares: ["features/push/sending.test.ts", "tests/crash/crash.test.ts"],
  },
  "features/messages/store.ts": {
    runs: ["features/messages/paging.test.ts", "features/reactions/reactions.test.ts"],
    spares: ["features/gifs/gifs.test.ts"],
  },
  "features/gifs/gifs.test.ts": {
    runs: ["features/gifs/gifs.test.ts"],
    spares: ["features/voice/rooms.test.ts"],
  },
  "cli/doctor.ts": { runs: ["tests/cli/doctor.test.ts"], spares: ["features/gifs/gifs.test.ts"] },
  "tests/house/ear.ts": { runs: ["features/typing/typing.test.ts"], spares: ["protocol/frames.test.ts"] },
  "docs/tour.md": { runs: ["tests/docs/docs.test.ts"], spares: ["tests/crash/crash.test.ts"] },
};

for (const [path, { runs, spares }] of Object.entries(touched)) {
  test(`after a change of ${path}`, () => {
    const tests = touchedTests([path]);
    expect(tests).toEqual(expect.arrayContaining(runs));
    expect(tests.filter((each) => spares.includes(each))).toEqual([]);
  });
}

test("after a change of the machine, everything", () => {
  expect(touchedTests(["server/house/unit.ts"])).toEqual(all);
});
