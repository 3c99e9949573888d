// A test that sleeps for a fixed time before an expectation fails on a slower machine. Exceptions are listed.
import { expect, test } from "bun:test";
import { codeOf, isTestFile, type SourceFile, sourceFiles, sourceFolders } from "./tree.ts";

const nothing = "nothing more may come, and nothing follows that could be waited for";
const realTime = "time that goes by is what it is about, and more of it does no harm";
const load = "a pause between the calls of a load, the steps of a loop or the pieces of an answer";
const middle = "it makes the middle of something likelier; both sides of it are right";

const named: Record<string, string> = {
  "features/administration/disabled.test.ts": middle,
  "features/administration/people.test.ts": realTime,
  "features/files/refusing.test.ts": nothing,
  "features/gifs/gifs.test.ts": load,
  "features/pictures/disk-cache.test.ts": realTime,
  "features/pictures/misbehaving.long.test.ts": load,
  "features/pictures/pictures.test.ts": middle,
  "features/voice/reconciling.test.ts": nothing,
  "features/voice/rights.test.ts": nothing,
  "features/voice/rooms.test.ts": nothing,
  "server/bus/redis-back.test.ts": middle,
  "server/processes/connections-elsewhere.test.ts": realTime,
  "server/limits/conformance.test.ts": realTime,
  "tests/chaos/chaos.long.test.ts": load,
  "tests/cli/busy-copies.long.test.ts": realTime,
  "tests/cli/migrate.long.test.ts": load,
  "tests/cluster/fan-out.test.ts": nothing,
  "tests/cluster/presence.long.test.ts": realTime,
  "tests/gateway/large-ready.long.test.ts": load,
  "tests/protection/dear.long.test.ts": middle,
  "tests/protection/late-body.test.ts": middle,
  "tests/protection/passwords.test.ts": load,
  "tests/protection/unread-answers.long.test.ts": load,
  "tests/proxies/cluster.long.test.ts": load,
  "tests/start/clock.long.test.ts": nothing,
  "tests/start/frozen-database.long.test.ts": realTime,
  "tests/start/metrics.test.ts": realTime,
  "tests/start/redis.long.test.ts": load,
  // In the source of a test that it writes.
  "tests/start/test-run.long.test.ts": realTime,
};

/** Milliseconds; shorter sleeps only let other work have a turn. */
const shortestMs = 20;

/** True if a file sleeps for a literal number of milliseconds, in a statement of its own. */
function sleeps(file: SourceFile): boolean {
  const statements = codeOf(file).matchAll(/^\s*await (?:Bun\.)?sleep\((\d[\d_]*)\);/gm);
  return Array.from(statements, ([, ms = ""]) => Number(ms.replaceAll("_", ""))).some(
    (ms) => ms >= shortestMs,
  );
}

/** A number of milliseconds against which something else races. */
const races = (file: SourceFile) => /\brace\(\[[^\]]*\bsleep\(\d/.test(codeOf(file));

test("tests wait for what happens; those that sleep are named, with the reason", () => {
  const sleeping = sourceFiles(...sourceFolders).filter((file) => isTestFile(file.path) && sleeps(file));
  expect(sleeping.map(({ path }) => path).sort()).toEqual(Object.keys(named).sort());
});

test("no test gives up a wait after a time that it chose: a slower machine would be red", () => {
  const racing = sourceFiles(...sourceFolders).filter((file) => isTestFile(file.path) && races(file));
  expect(racing.map(({ path }) => path)).toEqual([]);
});

test("one that sleeps is found, and one that races", () => {
  const file = (text: string): SourceFile => ({ path: "a.test.ts", text, imports: [], loads: [] });
  const sleep = (ms: string) => `Bun.${"sleep"}(${ms})`;
  expect(sleeps(file(`  await ${sleep("1_500")};\n  expect(heard).toBe(1);`))).toBe(true);
  expect(sleeps(file(`  await ${sleep("5")};`))).toBe(false);
  expect(races(file(`await Promise.race([heard, ${sleep("300")}]);`))).toBe(true);
  expect(races(file(`await Promise.race([heard, ended]);\nawait ${sleep("300")};`))).toBe(false);
});
