// Three processes while everything around them fails: no acknowledged message is lost, and listeners get each once, in
// order. `HEARTH_CHAOS=long npm test -- tests/chaos` repeats each fault as often as an operator would try it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Person } from "../../tools/client/person.ts";
import { openRoom } from "../../tools/client/room.ts";
import { until } from "../house/machine/waiting.ts";
import { canCluster } from "../house/open/cluster.ts";
import { Checker, Crowd } from "./crowd.ts";
import { faults, isLong, picked } from "./faults.ts";
import { openTown, type Town } from "./town.ts";

const title = canCluster ? "three processes" : "three processes (skipped: no PostgreSQL or no Redis here)";
const perSecond = 200;
/** Longest time in ms from the end of a fault to the next writes; asserted in the long run, which is a measurement. */
const recoveryMs = 5000;
/**
 * Milliseconds. While a process is stopped, the others write after 4 s for its transaction and one for the lock; a busy
 * machine gets four times that. Without these timeouts they would wait for its return, which is later.
 */
const othersWaitMs = isLong ? 12_000 : 20_000;
/**
 * Milliseconds. A process with half-open connections gives them up after 15 s of silence, and writes through others. A
 * busy machine gets more; without this timeout, dead connections would block it for minutes.
 */
const halfOpenMs = isLong ? 20_000 : 45_000;
const longMs = 15 * 60_000;

describe.skipIf(!canCluster)(title, () => {
  let town: Town;
  let crowd: Crowd;
  let checkers: Checker[];
  const table: Record<string, unknown>[] = [];

  beforeAll(async () => {
    town = await openTown(3);
    const urls = town.citizens.map(({ url }) => url);
    const members = ["ann", "bob", "cid", "dan"];
    const room = await openRoom(urls[0]!, { owner: "olga", channels: ["square"], members });
    const at = (url: string, person: Person): Person => ({ ...person, url });
    // One checker for each process, and one that reconnects to another process each time.
    checkers = [...urls, town.anywhere].map((url, i) => new Checker(at(url, room.members.get(members[i]!)!)));
    for (const { listener } of checkers) await listener.start();
    const writers = urls.map((url) => at(url, room.owner));
    crowd = new Crowd(writers, room.channels.get("square")!);
    crowd.begin(perSecond);
  }, 400_000);

  afterAll(async () => {
    for (const { listener } of checkers ?? []) listener.stop();
    await town?.[Symbol.asyncDispose]();
    console.table(table);
  });

  for (const { name, times, leavesOthers = false, halfOpens = false, happen } of faults) {
    const count = times[isLong ? 1 : 0];
    test(
      `${name} (${count} times)`,
      async () => {
        const before = { posts: crowd.acknowledged.size, refusals: crowd.refusals, cuts: crowd.cuts };
        let slowest = 0;
        let pause = 0;
        let ownPause = 0;
        for (let turn = 0; turn < count; turn++) {
          crowd.watch();
          await happen(town, turn);
          const mine = town.citizens.indexOf(picked(town, turn));
          slowest = Math.max(slowest, await crowd.recovered());
          pause = Math.max(pause, ...crowd.pauses().filter((_, i) => !leavesOthers || i !== mine));
          ownPause = Math.max(ownPause, crowd.pauses()[mine]!);
          await Bun.sleep(500);
        }
        table.push({
          fault: name,
          times: count,
          posts: crowd.acknowledged.size - before.posts,
          "503": crowd.refusals - before.refusals,
          cuts: crowd.cuts - before.cuts,
          "no write for, ms": pause,
          "no write of its own for, ms": ownPause,
          "recovered after, ms": Math.round(slowest),
        });
        if (halfOpens) expect(ownPause).toBeLessThanOrEqual(halfOpenMs);
        if (leavesOthers) expect(pause).toBeLessThan(othersWaitMs);
        if (isLong) expect(slowest).toBeLessThan(recoveryMs);
        expect(crowd.wrong).toEqual([]);
        expect(town.citizens.map((citizen) => citizen.ended())).toEqual([undefined, undefined, undefined]);
      },
      longMs,
    );
  }

  test("everybody has heard everything, once and in its order, and it can be read", async () => {
    await crowd.end();
    expect(crowd.acknowledged.size).toBeGreaterThan(1000);
    const all = () => checkers.every((checker) => checker.missing(crowd.acknowledged) === 0);
    await until(all, "something is missing").catch(() => {});
    expect(
      checkers.map((checker) => ({
        missing: checker.missing(crowd.acknowledged),
        ...checker.faults(),
      })),
    ).toEqual(
      checkers.map(() => ({
        missing: 0,
        doubled: 0,
        "out of order": 0,
        "begun anew": 0,
        failure: undefined,
      })),
    );
  });
});
