// Durable posts through the whole stack with listeners, against a bare POST and insert.
import type { RequestJob, RequestResult, Target } from "../load/jobs.ts";
import { requests } from "../load-generator.ts";
import type { Machine } from "../machine.ts";
import { compare, othersBusy, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { call, type Stage, setStage } from "../people.ts";
import type { Core } from "../processes.ts";
import { newestPage, posts } from "../raw-requests.ts";
import type { Findings } from "../report.ts";
import { type RunningServer, startHearth, startReference } from "../servers.ts";

export const inFlight = 64;
const authors = 8;
const listeners = 10;
/** The number of people that `postAndListen` needs. */
export const peopleOfPosts = authors + listeners;
/** The clock rate of the core that the target in posts per second was set for. */
const targetGhz = 2.5;

export async function measurePosts(scale: Scale, machine: Machine, logLevel?: string): Promise<Findings> {
  await using hearth = await startHearth({ logLevel });
  await using reference = await startReference("insert");
  const stage = await setStage(hearth.origin, peopleOfPosts);
  const turns = await takeTurns(
    scale.rounds,
    () => postAndListen(hearth, stage, roundOf(scale)),
    () =>
      requests({
        target: reference.target,
        requests: [posts(stage, stage.people[0]!)],
        inFlight,
        expectedStatus: 201,
        warmup: { seconds: scale.warmupSeconds },
        measured: { seconds: scale.seconds },
      }),
  );
  await checkNewest(stage);
  const rate = compare(turns, (turn) => turn.perSecond);
  const workload = "posts";
  return {
    rows: [
      {
        workload,
        figure: `durable posts, ${inFlight} in flight, ${listeners} listeners`,
        unit: "/s",
        ...rate,
        target: { atLeast: 0.4 },
        targetIsRatio: true,
      },
      {
        workload,
        figure: `the same, scaled from ${machine.clockGhz} to ${targetGhz} GHz`,
        unit: "/s",
        value: (rate.value * targetGhz) / machine.clockGhz,
        target: { atLeast: 8000 },
      },
      {
        workload,
        figure: "p99, request to answer",
        unit: "ms",
        ...compare(turns, (turn) => turn.p99Ms),
        target: { below: 25 },
      },
      { workload, figure: "p50, request to answer", unit: "ms", ...compare(turns, (turn) => turn.p50Ms) },
      { workload, figure: "server processor time per post", unit: "µs", ...compare(turns, cpuPerAnswerUs) },
    ],
    othersBusy: othersBusy(turns),
    raw: { workload, ...turns },
  };
}

export function roundOf({ warmupSeconds, seconds }: Scale): Pick<Posting, "warmup" | "measured"> {
  return { warmup: { seconds: warmupSeconds }, measured: { seconds } };
}

/** A round of posts: its length, the core of the generator, and the process that the listeners are connected to. */
export interface Posting extends Pick<RequestJob, "warmup" | "measured" | "watched"> {
  core?: Core;
  at?: Target;
}

/** Runs one round; every listener has to receive one numbered event for every post. */
export function postAndListen(
  { target }: RunningServer,
  stage: Stage,
  { core = 1, at, ...job }: Posting,
): Promise<RequestResult> {
  const writing = stage.people.slice(0, authors);
  const tokens = stage.people.slice(authors).map((person) => person.token);
  return requests(
    {
      ...job,
      target,
      requests: writing.map((author) => posts(stage, author)),
      inFlight,
      expectedStatus: 201,
      listeners: { path: "/ws", serverId: stage.serverId, tokens, sockets: listeners, at },
    },
    core,
  );
}

/**
 * Warms up: posts until both processes have compiled what a busy server has long compiled. Before that an event costs
 * twice as much.
 */
export async function warmUp(
  hearth: RunningServer,
  stage: Stage,
  { postsBeforeFanOut }: Scale,
  at?: Target,
): Promise<void> {
  const measured = { answers: postsBeforeFanOut };
  await postAndListen(hearth, stage, { warmup: { answers: 1 }, measured, core: "any", at });
}

/** Posts without listeners, to fill a channel or to measure a post by itself. */
export function postOnly(hearth: RunningServer, stage: Stage, count: number): Promise<RequestResult> {
  return requests({
    target: hearth.target,
    requests: stage.people.slice(0, authors).map((author) => posts(stage, author)),
    inFlight,
    expectedStatus: 201,
    warmup: { answers: 1 },
    measured: { answers: count },
  });
}

/** Checks that the newest post comes first in the channel, and that the page is full and in order. */
export async function checkNewest(stage: Stage): Promise<void> {
  const author = stage.people[0]!;
  const path = `/channels/${stage.channelId}/messages`;
  const { id } = await call<{ id: string }>(stage.origin, author, "POST", path, { content: "the last word" });
  const page = await call<{ id: string }[]>(stage.origin, author, "GET", newestPage(stage));
  const ids = page.map((message) => message.id);
  if (ids[0] !== id || ids.length !== 50)
    throw new Error("the newest page does not start with the last post");
  if (ids.some((id, index) => index > 0 && id >= ids[index - 1]!)) throw new Error("a page out of order");
}

export function cpuPerAnswerUs(result: RequestResult): number {
  return (result.serverCpuMs * 1000) / result.answers;
}
