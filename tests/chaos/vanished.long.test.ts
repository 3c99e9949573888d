// The machine of one process vanishes in the middle of a commit: no packet tells of it, and the other process goes on.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Person } from "../../tools/client/person.ts";
import { openRoom } from "../../tools/client/room.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { newestBinaries, startPostgres } from "../house/servers/postgres.ts";
import { catchCommit, isWaitedFor, untilAtWork } from "./catching.ts";
import { Checker, Crowd } from "./crowd.ts";
import { makeFarMachine } from "./far-machine.ts";
import { isLong } from "./faults.ts";

const machine = newestBinaries() ? makeFarMachine() : undefined;
const title = machine
  ? "two machines"
  : "two machines (skipped: no PostgreSQL or no network namespaces here)";
const perSecond = 100;
const awayMs = isLong ? 60_000 : 25_000;
/** Milliseconds: the other writes after 4 s for the open transaction and one for the lock; see chaos.long.test.ts. */
const othersWaitMs = 20_000;
/** Milliseconds: the returning process gives up silent connections after 15 s; a busy machine takes longer. */
const backMs = 90_000;
const longMs = 400_000;

describe.skipIf(!machine)(title, () => {
  const stack = new AsyncDisposableStack();
  let crowd: Crowd;
  let checkers: Checker[];
  let postgresUrl: string;

  beforeAll(async () => {
    const { address, here, under } = stack.use(machine!);
    const folder = temporaryFolder();
    stack.defer(() => folder.remove());
    const postgres = stack.use((await startPostgres(false, here))!);
    postgresUrl = postgres.url;
    const settings = (name: string, host: string) => ({
      DATA_DIR: join(folder.path, name),
      DATABASE_URL: `${postgres.url.replace("127.0.0.1", host)}?application_name=${name}`,
      LOG_LEVEL: "warn",
    });
    const near = await startServer({ settings: settings("near", "127.0.0.1") });
    stack.defer(() => near.kill());
    const far = await startServer({ settings: { ...settings("far", here), HOST: address }, under });
    stack.defer(() => far.kill());
    const room = await openRoom(near.url, { owner: "olga", channels: ["square"], members: ["ann", "bob"] });
    const at = (url: string, person: Person): Person => ({ ...person, url });
    checkers = ["ann", "bob"].map((name, i) => {
      return new Checker(at([near, far][i]!.url, room.members.get(name)!));
    });
    for (const { listener } of checkers) await listener.start();
    stack.defer(() => checkers.forEach(({ listener }) => void listener.stop()));
    crowd = new Crowd([at(near.url, room.owner), at(far.url, room.owner)], room.channels.get("square")!);
    crowd.begin(perSecond);
  }, 400_000);

  afterAll(() => stack.disposeAsync(), 400_000);

  test(
    "the other one writes on, and the one that was away does once it is back",
    async () => {
      const { vanish, comeBack } = machine!;
      await catchCommit(
        () => isWaitedFor(postgresUrl, "far"),
        vanish,
        () => {
          comeBack();
          return untilAtWork(postgresUrl, "far");
        },
      );
      crowd.watch();
      await Bun.sleep(awayMs);
      const [pause] = crowd.pauses();
      comeBack();
      const back = await crowd.recovered();
      console.table([
        { fault: "a machine vanishes", "no write for, ms": pause, "back after, ms": Math.round(back) },
      ]);
      expect(pause).toBeLessThan(othersWaitMs);
      expect(back).toBeLessThan(backMs);
    },
    longMs,
  );

  test("everybody has heard everything, once and in its order", async () => {
    await crowd.end();
    expect(crowd.wrong).toEqual([]);
    const all = () => checkers.every((checker) => checker.missing(crowd.acknowledged) === 0);
    await until(all, "something is missing").catch(() => {});
    for (const checker of checkers) {
      expect({ missing: checker.missing(crowd.acknowledged), ...checker.faults() }).toEqual({
        missing: 0,
        doubled: 0,
        "out of order": 0,
        "begun anew": 0,
        failure: undefined,
      });
    }
  }, 400_000);
});
