// Compares this checkout's Hearth with another checkout's: the cost of a change.
import { join, resolve } from "node:path";
import { bundledProgram } from "../../server/bundle.ts";
import { startPostgres } from "../../tests/house/servers/postgres.ts";
import { compare, medianOf, othersBusy, type Turns, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { setStage } from "../people.ts";
import type { Findings, Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { type HearthOptions, type RunningServer, startHearth } from "../servers.ts";
import { cpuPerDeliveryUs, setFanOut } from "./fan-out.ts";
import { startAgainMs, startMs, weighHearth } from "./idle.ts";
import { read, setReading } from "./pages.ts";
import { cpuPerAnswerUs, peopleOfPosts, postAndListen, roundOf } from "./posts.ts";
import { bytesPerChannel, cpuPerReadyMs, mostReadyMs, setHalls, signInOften } from "./ready.ts";

const workload = "against";
/** How many turns each server has in a round. */
const turnsARound = 4;
/** The most that READY may take as a multiple of the other checkout's, where that is above `mostReadyMs`. */
const mostAdded = 1.5;

/** Prepares a running server and returns the work that is repeated. */
type Prepare<Item> = (
  hearth: RunningServer,
  scale: Scale,
  options: HearthOptions,
) => Promise<() => Promise<Item>>;

export async function measureAgainst(checkout: string, scale: Scale, logLevel?: string): Promise<Findings> {
  for (const root of [join(import.meta.dir, "../.."), resolve(checkout)]) requireBundle(root);
  const here: HearthOptions = { logLevel };
  const there: HearthOptions = { logLevel, checkout };
  const both = <Item>(work: (options: HearthOptions) => Promise<Item>) =>
    takeTurns(
      scale.roundsAgainst,
      async () => [await work(here)],
      async () => [await work(there)],
    );
  const starts = await both(startMs);
  const startsAgain = await both(startAgainMs);
  const weights = await both((options) => weighHearth(scale, options));
  const running = <Item>(prepare: Prepare<Item>) => runBoth(here, there, scale, prepare);
  const posts = await running((hearth, short) => posting(hearth, short));
  const pages = await running(reading);
  const fanOut = await running((hearth, short) => setFanOut(hearth, short, short.fanOutSockets));
  const room = await running((hearth, short) => setFanOut(hearth, short, short.roomSockets));
  const ready = await readies(here, there, scale);
  const postgres = await onPostgres(here, there, scale);
  const row = <Item>(
    figure: string,
    unit: string,
    rounds: Turns<Item[]>,
    value: (item: Item) => number,
  ): Row => ({
    workload,
    figure,
    unit,
    ...compare(rounds, (items) => medianOf(items, value)),
  });
  const rows = [
    row("start to ready, new data folder", "ms", starts, (ms) => ms),
    row("start to ready, a folder that is there", "ms", startsAgain, (ms) => ms),
    row("empty server", "MiB", weights, ({ empty }) => empty / 1024 ** 2),
    row("memory per idle socket", "KiB", weights, ({ perSocket }) => perSocket / 1024),
    row("posts", "/s", posts, (turn) => turn.perSecond),
    row("p99 of a post", "ms", posts, (turn) => turn.p99Ms),
    row("processor time per post", "µs", posts, cpuPerAnswerUs),
    row("pages", "/s", pages, (turn) => turn.perSecond),
    row("p99 of a page", "ms", pages, (turn) => turn.p99Ms),
    row("processor time per page", "µs", pages, cpuPerAnswerUs),
    row(`processor time per delivery, ${scale.fanOutSockets} sockets`, "µs", fanOut, cpuPerDeliveryUs),
    row(`p99, post to last listener, ${scale.fanOutSockets} sockets`, "ms", fanOut, (turn) => turn.p99Ms),
    row(`processor time per delivery, ${scale.roomSockets} sockets`, "µs", room, cpuPerDeliveryUs),
    row(`p99, post to last listener, ${scale.roomSockets} sockets`, "ms", room, (turn) => turn.p99Ms),
    withTarget(row("processor time of a READY", "ms", ready, cpuPerReadyMs)),
    {
      ...row("bytes of READY, per channel", "", ready, bytesPerChannel),
      target: { atMost: 1.6 },
      targetIsRatio: true,
    },
  ];
  if (postgres) {
    rows.push(
      row("posts, PostgreSQL", "/s", postgres, (turn) => turn.perSecond),
      row("p99 of a post, PostgreSQL", "ms", postgres, (turn) => turn.p99Ms),
    );
  }
  const busy = Math.max(...[posts, pages, fanOut, room, ready].map(othersBusy));
  const raw = { workload, starts, startsAgain, weights, posts, pages, fanOut, room, ready, postgres };
  return { rows, othersBusy: busy, raw };
}

/** A server that runs from its sources takes twice as long to be ready, and more memory for each socket. */
function requireBundle(root: string): void {
  if (!bundledProgram(root))
    throw new Error(`${root} changed since its bundle was made: run npm ci there first`);
}

/** If the other checkout is slow already, the target is the ratio to it. */
function withTarget(ready: Row): Row {
  const isLong = ready.reference! > mostReadyMs / mostAdded;
  return { ...ready, target: { atMost: isLong ? mostAdded : mostReadyMs }, targetIsRatio: isLong };
}

/**
 * Each round has fresh processes, because a runtime compiles the same code differently from one process to the next.
 * Within a round both servers run and take short turns, because the load of a shared machine changes within seconds.
 */
async function runBoth<Item>(
  here: HearthOptions,
  there: HearthOptions,
  scale: Scale,
  prepare: Prepare<Item>,
  open = startHearth,
): Promise<Turns<Item[]>> {
  const short = { ...scale, seconds: scale.seconds / 2, warmupSeconds: scale.warmupSeconds / 4 };
  const rounds: Turns<Item[]> = { hearth: [], reference: [] };
  for (let round = 0; round < scale.roundsAgainst; round++) {
    await using hearth = await open(here);
    await using other = await open(there);
    const work = await prepare(hearth, short, here);
    const otherWork = await prepare(other, short, there);
    // The first turn is the warm-up of the process.
    await work();
    await otherWork();
    const turns = await takeTurns(turnsARound, work, otherWork);
    rounds.hearth.push(turns.hearth);
    rounds.reference.push(turns.reference);
  }
  return rounds;
}

/** The data is created once for each checkout, because their schemas may differ; READY does not change it. */
async function readies(here: HearthOptions, there: HearthOptions, scale: Scale) {
  using scratch = scratchFolder();
  const own: HearthOptions = { ...here, dataDir: join(scratch.path, "here") };
  const other: HearthOptions = { ...there, dataDir: join(scratch.path, "there") };
  const readers = new Map([
    [own, await setHalls(own, scale)],
    [other, await setHalls(other, scale)],
  ]);
  return await runBoth(own, other, scale, async (hearth, short, options) => {
    const reader = readers.get(options)!;
    return () => signInOften(hearth, reader, short);
  });
}

/** Each server has its own PostgreSQL, a new one each round. Resolves to undefined when none is installed. */
async function onPostgres(here: HearthOptions, there: HearthOptions, scale: Scale) {
  {
    await using installed = await startPostgres(true);
    if (!installed) return undefined;
  }
  const prepare = (hearth: RunningServer, short: Scale) => posting(hearth, short, "any");
  return await runBoth(here, there, scale, prepare, async (options) => {
    const postgres = await startPostgres(true);
    const hearth = await startHearth({ ...options, databaseUrl: postgres!.url, core: "any" });
    return {
      ...hearth,
      async [Symbol.asyncDispose]() {
        await hearth[Symbol.asyncDispose]();
        await postgres![Symbol.asyncDispose]();
      },
    };
  });
}

async function posting(hearth: RunningServer, scale: Scale, core?: "any") {
  const stage = await setStage(hearth.origin, peopleOfPosts);
  return () => postAndListen(hearth, stage, { ...roundOf(scale), core });
}

async function reading(hearth: RunningServer, scale: Scale) {
  const asked = await setReading(hearth);
  return () => read(hearth, asked, scale);
}
