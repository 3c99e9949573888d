// Files of browsers run in a track of their own, and both tracks take as long.
import { expect, test } from "bun:test";
import { interleaved, stagesOf } from "./tracks.ts";

const ms = (path: string) => Number(/\d+/.exec(path)?.[0]);

test("each file is in one track, all browsers in the same, and what is left fills up the shorter one", () => {
  const browsers = ["tests/browser/30.test.ts", "tests/browser/10.test.ts"];
  const others = ["a/90.test.ts", "b/60.test.ts", "c/20.test.ts", "d/10.test.ts"];
  const [[first, second] = []] = stagesOf([...browsers, ...others], ms, 2);
  expect([first?.workers, second?.workers]).toEqual([1, 2]);
  expect([...first!.files, ...second!.files].sort()).toEqual([...browsers, ...others].sort());
  expect(first?.files).toEqual([...browsers, "b/60.test.ts"]);
});

test("without browsers there is one track", () => {
  expect(stagesOf(["a/1.test.ts", "b/2.test.ts"], ms, 2)).toEqual([
    [{ workers: 3, files: ["a/1.test.ts", "b/2.test.ts"] }],
  ]);
});

test("what disturbs browsers runs when they have come to their end", () => {
  const vanished = "tests/chaos/vanished.test.ts";
  const stages = stagesOf([vanished, "tests/browser/30.test.ts", "a/1.test.ts"], ms, 2);
  expect(stages.map((tracks) => tracks.map(({ files }) => files))).toEqual([
    [["tests/browser/30.test.ts"], ["a/1.test.ts"]],
    [[vanished]],
  ]);
  expect(stagesOf([vanished], ms, 2)).toEqual([[{ workers: 1, files: [vanished] }]]);
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
