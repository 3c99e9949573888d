// The cost of a post and of the newest page with a million messages, against ten thousand.
import { join } from "node:path";
import type { RequestResult } from "../load/jobs.ts";
import { requests } from "../load-generator.ts";
import { compare, othersBusy, type Turns, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { call, type Stage, setStage } from "../people.ts";
import { newestPage, pages } from "../raw-requests.ts";
import type { Findings, Row } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { type RunningServer, startHearth } from "../servers.ts";
import { checkNewest, cpuPerAnswerUs, postOnly } from "./posts.ts";

const people = 8;
const inFlight = 64;

export async function measureGrowth(scale: Scale, logLevel?: string): Promise<Findings> {
  using few = scratchFolder();
  using many = scratchFolder();
  const fewStage = await fill(join(few.path, "data"), scale.fewMessages);
  const manyStage = await fill(join(many.path, "data"), scale.manyMessages);

  // Both servers are restarted, so that neither has run for longer.
  await using fewHearth = await startHearth({ dataDir: join(few.path, "data"), logLevel });
  await using manyHearth = await startHearth({ dataDir: join(many.path, "data"), logLevel });
  fewStage.origin = fewHearth.origin;
  manyStage.origin = manyHearth.origin;
  const count = scale.growthRequests;
  for (const [hearth, stage] of [
    [fewHearth, fewStage],
    [manyHearth, manyStage],
  ] as const) {
    await postOnly(hearth, stage, count);
    await checkNewest(stage);
    await readPages(hearth, stage, count);
  }

  const postTurns = await takeTurns(
    scale.rounds,
    () => postOnly(manyHearth, manyStage, count),
    () => postOnly(fewHearth, fewStage, count),
  );
  const pageTurns = await takeTurns(
    scale.rounds,
    () => readPages(manyHearth, manyStage, count),
    () => readPages(fewHearth, fewStage, count),
  );
  const sizes = `${scale.manyMessages.toLocaleString("en-US")} against ${scale.fewMessages.toLocaleString("en-US")}`;
  return {
    rows: [
      ...rowsAbout(`a post, ${sizes} messages`, postTurns),
      ...rowsAbout(`the newest page, ${sizes}`, pageTurns),
    ],
    othersBusy: Math.max(othersBusy(postTurns), othersBusy(pageTurns)),
    raw: { workload: "growth", posts: postTurns, pages: pageTurns },
  };
}

/** Posts over HTTP at full speed, so that rows, events and counters are exactly those of real use. */
async function fill(dataDir: string, messages: number): Promise<Stage> {
  await using hearth = await startHearth({ dataDir, logLevel: "warn" });
  const stage = await setStage(hearth.origin, people);
  const portion = 100_000;
  for (let posted = 0; posted < messages; posted += portion) {
    await postOnly(hearth, stage, Math.min(portion, messages - posted));
    if (messages > portion) console.error(`growth: ${posted + portion} of ${messages} messages posted`);
  }
  return stage;
}

async function readPages(hearth: RunningServer, stage: Stage, count: number): Promise<RequestResult> {
  const page = await call(stage.origin, stage.people[0]!, "GET", newestPage(stage));
  return requests({
    target: hearth.target,
    requests: stage.people.map((reader) => pages(stage, reader)),
    inFlight,
    expectedStatus: 200,
    expectedBody: JSON.stringify(page),
    warmup: { answers: 1 },
    measured: { answers: count },
  });
}

/** Processor time is least affected by other programs; elapsed time also includes the disk. */
function rowsAbout(what: string, turns: Turns<RequestResult>): Row[] {
  const row = (figure: string, cost: (result: RequestResult) => number): Row => ({
    workload: "growth",
    figure,
    unit: "µs",
    ...compare(turns, cost),
    target: { atMost: 1.2 },
    targetIsRatio: true,
  });
  return [
    row(`processor time of ${what}`, cpuPerAnswerUs),
    row("the same, elapsed time", (result) => 1e6 / result.perSecond),
  ];
}
