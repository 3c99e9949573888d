// Three processes while everything around them fails: nothing acknowledged is lost, and nobody hears a thing wrongly.
// `HEARTH_CHAOS=long npm test -- tests/chaos` lets each fault happen as often as an operator would try it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Person } from "../../tools/client/person.ts";
import { openRoom } from "../../tools/client/room.ts";
import { canCluster } from "../house/cluster.ts";
import { until } from "../house/waiting.ts";
import { Checker, Crowd } from "./crowd.ts";
import { faults, isLong } from "./faults.ts";
import { openTown, type Town } from "./town.ts";

const title = canCluster ? "three processes" : "three processes (skipped: no PostgreSQL or no Redis here)";
const perSecond = 200;
/** Writes are taken again so long after a fault at most, in milliseconds. */
const recoveryMs = 5000;
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
    // One hears each process, and one goes to another process each time that they come back.
    checkers = [...urls, town.anywhere].map((url, i) => new Checker(at(url, room.members.get(members[i]!)!)));
    for (const { listener } of checkers) await listener.start();
    const writers = urls.map((url) => at(url, room.owner));
    crowd = new Crowd(writers, room.channels.get("square")!);
    crowd.begin(perSecond);
  }, 120_000);

  afterAll(async () => {
    for (const { listener } of checkers ?? []) listener.stop();
    await town?.[Symbol.asyncDispose]();
    console.table(table);
  });

  for (const { name, times, happen } of faults) {
    const count = times[isLong ? 1 : 0];
    test(
      `${name} (${count} times)`,
      async () => {
        const before = { posts: crowd.acknowledged.size, refusals: crowd.refusals, cuts: crowd.cuts };
        let slowest = 0;
        for (let turn = 0; turn < count; turn++) {
          await happen(town, turn);
          slowest = Math.max(slowest, await crowd.recovered());
          await Bun.sleep(500);
        }
        table.push({
          fault: name,
          times: count,
          posts: crowd.acknowledged.size - before.posts,
          "503": crowd.refusals - before.refusals,
          cuts: crowd.cuts - before.cuts,
          "recovered after, ms": Math.round(slowest),
        });
        expect(slowest).toBeLessThan(recoveryMs);
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
    await until(all, "something is missing", 20_000).catch(() => {});
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
  }, 60_000);
});
