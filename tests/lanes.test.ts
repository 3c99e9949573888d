// Each file is in one lane, and the files that need the machine to themselves run last.
import { expect, test } from "bun:test";
import { interleaved } from "./interleaved.ts";
import { isLong, stagesOf } from "./lanes.ts";

const working = ["tests/browser/30.test.ts", "features/badges/badges.test.ts", "features/pushes/a.test.ts"];
const waiting = ["features/push/pushes.test.ts", "server/gateway/clock.test.ts"];
const alone = ["tests/chaos/vanished.long.test.ts", "tests/protection/passwords.test.ts"];

test("those that wait run beside those that work, and what is disturbed by others at the end", () => {
  expect(stagesOf([...working, ...alone, ...waiting], 2)).toEqual([
    [
      { name: "waiting", workers: 4, files: waiting },
      { name: "working", workers: 2, files: working },
    ],
    [{ name: "alone", workers: 1, files: alone }],
  ]);
});

test("a lane without files is left out", () => {
  expect(stagesOf(working, 2)).toEqual([[{ name: "working", workers: 2, files: working }]]);
  expect(stagesOf(alone, 2)).toEqual([[{ name: "alone", workers: 1, files: alone }]]);
});

test("a long file is told by its name", () => {
  expect(["a.long.test.ts", "long.test.ts", "a.test.ts", "a-long.test.tsx"].filter(isLong)).toEqual([
    "a.long.test.ts",
  ]);
});

test("whole lines are passed on, below the name of their file where another run spoke in between", () => {
  const lines: string[] = [];
  const follow = interleaved((line) => lines.push(line));
  const [one, other] = [follow(), follow()];
  one("a.test.ts:\n(pass) one\n(pa");
  other("b.test.ts:\n(pass) of b\n");
  one("ss) two\n(pass) three\n");
  expect(lines).toEqual([
    ...["a.test.ts:", "(pass) one"],
    ...["b.test.ts:", "(pass) of b"],
    ...["\na.test.ts:", "(pass) two", "(pass) three"],
  ]);
});
