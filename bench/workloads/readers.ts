// A thousand people read one busy channel, each marking it read once a second, against the same without markers.
import { join } from "node:path";
import { gatherReaders } from "../crowd.ts";
import { idMark, type ReadersResult } from "../load/jobs.ts";
import { readers, requests } from "../load-generator.ts";
import { compare, median, medianOf, othersBusy, type Turns, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { type Stage, setStage } from "../people.ts";
import { marker, posts } from "../raw-requests.ts";
import type { Findings, Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { type RunningServer, startHearth } from "../servers.ts";
import { postOnly } from "./posts.ts";

const workload = "readers";
const postsPerSecond = 20;
const inFlight = 64;
/** How long until all markers are stored, in milliseconds: within a second, or a little more on a busy machine. */
const storedMs = 3000;

export async function measureReaders(scale: Scale, logLevel?: string): Promise<Findings> {
  using scratch = scratchFolder();
  const dataDir = join(scratch.path, "data");
  const founded = await found(dataDir);
  const tokens = gatherReaders(dataDir, founded.serverId, scale.readers);
  await using hearth = await startHearth({ dataDir, logLevel });
  const stage = { ...founded, origin: hearth.origin };
  const marks = tokens.map((token) => marker(stage, token));
  const round = (marking: string[]) =>
    readers({
      target: hearth.target,
      listeners: { path: "/ws", serverId: stage.serverId, tokens, sockets: tokens.length },
      posts: posts(stage, stage.people[0]!),
      postsPerSecond,
      marks: marking,
      warmup: { seconds: 2 * scale.warmupSeconds },
      // Markers are flushed every 0.8 s: short turns would differ in the number of flushes.
      measured: { seconds: 2 * scale.seconds },
    });
  // Warm-up, as for the fan-out: the code that a busy server has long compiled.
  await postOnly(hearth, stage, scale.postsBeforeFanOut);
  await markOnly(hearth, marks, scale.postsBeforeFanOut);
  // The first round is the warm-up of the socket code.
  await round(marks);
  const turns = await takeTurns(
    scale.rounds,
    () => round(marks),
    () => round([]),
  );
  return { rows: rowsOf(turns, scale), othersBusy: othersBusy(turns), raw: { workload, ...turns } };
}

/** Sends markers at full speed, alternating between two messages that need not exist, until all are stored. */
async function markOnly({ target }: RunningServer, marks: string[], count: number): Promise<void> {
  const early = [1, 2].map((ms) => Bun.randomUUIDv7("hex", ms));
  await requests({
    target,
    requests: marks.map((request) => early.map((id) => request.replace(idMark, id))),
    inFlight,
    expectedStatus: 204,
    warmup: { answers: 1 },
    measured: { answers: count },
  });
  await Bun.sleep(storedMs);
}

async function found(dataDir: string): Promise<Stage> {
  await using hearth = await startHearth({ dataDir });
  return await setStage(hearth.origin, 2);
}

function rowsOf(turns: Turns<ReadersResult>, scale: Scale): Row[] {
  const { hearth, reference } = turns;
  const added = hearth.map((turn, index) => addedBusy(turn, reference[index]!));
  const marking = (value: (turn: ReadersResult) => number) => medianOf(hearth, value);
  return [
    {
      workload,
      figure: `what the markers of ${scale.readers} readers cost, processor time`,
      value: median(added),
      unit: "of a core",
      target: { atMost: 0.15 },
    },
    {
      workload,
      figure: `with markers, ${postsPerSecond} posts a second; reference: without`,
      unit: "of a core",
      ...compare(turns, (turn) => turn.serverBusy),
    },
    { workload, figure: "posts, with and without", unit: "/s", ...compare(turns, (turn) => turn.perSecond) },
    { workload, figure: "markers set", value: marking((turn) => turn.markedPerSecond), unit: "/s" },
    {
      workload,
      figure: "READ_STATE_UPDATEs for 100 markers, none missing",
      value: marking((turn) => (100 * turn.told) / turn.marked),
      unit: "",
    },
    {
      workload,
      figure: "p99, marker to its READ_STATE_UPDATE",
      value: marking((turn) => turn.untold.p99Ms),
      unit: "ms",
    },
    {
      workload,
      figure: "p99 of a post, with and without",
      unit: "ms",
      ...compare(turns, (turn) => turn.p99Ms),
    },
  ];
}

/**
 * Returns the share of a core that the markers of a turn took: its processor time less the cost of its posts, taken
 * from the turn without markers. On a busy machine the two turns have different numbers of posts.
 */
function addedBusy({ serverCpuMs, answers, seconds }: ReadersResult, without: ReadersResult): number {
  const postsMs = (answers * without.serverCpuMs) / without.answers;
  return (serverCpuMs - postsMs) / (seconds * 1000);
}
