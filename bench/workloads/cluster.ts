// Two processes as one Hearth, on PostgreSQL and Redis: the cost of events between them, against one process.
import { type Backends, startBackends, startProcess } from "../backends.ts";
import type { FanOutJob, FanOutResult, Listeners, RequestResult } from "../load/jobs.ts";
import { fanOut, requests } from "../load-generator.ts";
import type { Machine } from "../machine.ts";
import { compare, medianOf, othersBusy, type Turns, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { call, type Stage, setStage } from "../people.ts";
import { posts } from "../raw-requests.ts";
import type { Findings, Row } from "../report.ts";
import type { RunningServer } from "../servers.ts";
import {
  cpuPerAnswerUs,
  inFlight,
  type Posting,
  peopleOfPosts,
  postAndListen,
  roundOf,
  warmUp,
} from "./posts.ts";

const workload = "cluster";
/** With fewer cores than this, the processes, the generator, Redis and PostgreSQL compete for processor time. */
const coresOfItsOwn = 6;
const townCount = 10;

/** A Hearth without Redis, and one of two processes, of which only the first runs at the beginning. */
interface Hearths {
  backends: Backends;
  alone: Inhabited;
  first: Inhabited;
  databaseUrl: string;
}

interface Inhabited {
  hearth: RunningServer;
  stage: Stage;
}

export async function measureCluster(
  scale: Scale,
  machine: Machine,
  logLevel?: string,
): Promise<Findings | undefined> {
  await using backends = await startBackends();
  if (!backends) return undefined;
  const databaseUrl = await backends.database("several");
  await using alone = await startProcess(backends, await backends.database("alone"), false, logLevel);
  await using first = await startProcess(backends, databaseUrl, true, logLevel);
  const hearths: Hearths = {
    backends,
    alone: { hearth: alone, stage: await setStage(alone.origin, peopleOfPosts) },
    first: { hearth: first, stage: await setStage(first.origin, peopleOfPosts) },
    databaseUrl,
  };
  for (const { hearth, stage } of [hearths.alone, hearths.first]) await warmUp(hearth, stage, scale);
  const single = await measureSingle(hearths, scale);
  await using second = await startProcess(backends, databaseUrl, true, logLevel);
  const crossing = await measureCrossing(hearths, second, scale);
  const delivering = await measureDelivering(hearths, second, scale);
  const towns = await measureTowns(hearths, second, scale);
  return {
    rows: [
      ...crossingRows(crossing),
      ...deliveringRows(delivering, scale),
      ...singleRows(single, scale),
      ...townRows(towns, machine),
    ],
    othersBusy: othersBusy(single.posts),
    raw: { workload, single, crossing, delivering, towns },
  };
}

/** Measures one process with Redis configured, against one without. */
async function measureSingle({ alone, first }: Hearths, scale: Scale) {
  const postsOf =
    ({ hearth, stage }: Inhabited) =>
    () =>
      postAndListen(hearth, stage, { ...roundOf(scale), core: "any" });
  const roomOf = (one: Inhabited) => () => publish(one, listenersOf(one.stage, scale.roomSockets), scale);
  return {
    posts: await takeTurns(scale.rounds, postsOf(first), postsOf(alone)),
    room: await takeTurns(scale.rounds, roomOf(first), roomOf(alone)),
  };
}

function singleRows({ posts, room }: Awaited<ReturnType<typeof measureSingle>>, scale: Scale): Row[] {
  const atMostATenth = { target: { atMost: 1.1 }, targetIsRatio: true };
  return [
    {
      workload,
      figure: "durable posts into one channel, one process without Redis",
      value: medianOf(posts.reference, (turn) => turn.perSecond),
      unit: "/s",
      target: { atLeast: 5000 },
    },
    {
      workload,
      figure: "processor time of a post with Redis set, against without",
      unit: "µs",
      ...compare(posts, cpuPerAnswerUs),
      ...atMostATenth,
    },
    {
      workload,
      figure: `processor time of a delivery with Redis set, against without, ${scale.roomSockets} sockets`,
      unit: "µs",
      ...compare(room, cpuPerDeliveryUs),
      ...atMostATenth,
    },
  ];
}

/** Measures posts on the first process whose listeners are on the second. */
async function measureCrossing({ backends, first }: Hearths, second: RunningServer, scale: Scale) {
  const watched = { second: second.target.pid, redis: backends.redis.pid };
  const { stage } = first;
  const one = listenersOf(stage, 1);
  const further = { ...one, at: second.target };
  const posting: Posting = { ...roundOf(scale), core: "any", at: second.target, watched };
  await warmUp(first.hearth, stage, scale, second.target);
  const singly: FanOutResult[] = [];
  const fast: RequestResult[] = [];
  for (let round = 0; round < scale.rounds; round++) {
    singly.push(await publish(first, one, scale, { further, watched }));
    fast.push(await postAndListen(first.hearth, stage, posting));
  }
  return { singly, fast };
}

function crossingRows({ singly, fast }: Awaited<ReturnType<typeof measureCrossing>>): Row[] {
  const row = (figure: string, unit: string, value: number): Row => ({ workload, figure, unit, value });
  const watched = (turns: FanOutResult[] | RequestResult[], name: string) =>
    medianOf<FanOutResult | RequestResult>(turns, (turn) => (turn.watchedCpuMs[name]! * 1000) / turn.answers);
  const added = "added latency of an event that crosses processes";
  return [
    {
      ...row(
        `${added}, p50`,
        "ms",
        medianOf(singly, (turn) => turn.added.p50Ms),
      ),
      target: { atMost: 2 },
    },
    {
      ...row(
        `${added}, p99`,
        "ms",
        medianOf(singly, (turn) => turn.added.p99Ms),
      ),
      target: { atMost: 10 },
    },
    {
      ...row("processor time per message and further process, 64 in flight", "µs", watched(fast, "second")),
      target: { atMost: 30 },
    },
    row("the same, of Redis", "µs", watched(fast, "redis")),
    row("processor time per message and further process, one by one", "µs", watched(singly, "second")),
    row("the same, of Redis", "µs", watched(singly, "redis")),
  ];
}

/** Measures deliveries with half of the sockets on each of two processes, against all on one process without Redis. */
async function measureDelivering({ alone, first }: Hearths, second: RunningServer, scale: Scale) {
  const watched = { second: second.target.pid };
  const halves = (sockets: number) => () => {
    const half = listenersOf(first.stage, sockets / 2);
    return publish(first, half, scale, { further: { ...half, at: second.target }, watched });
  };
  const whole = (sockets: number) => () => publish(alone, listenersOf(alone.stage, sockets), scale);
  const turns = (sockets: number) => takeTurns(scale.rounds, halves(sockets), whole(sockets));
  return { large: await turns(scale.fanOutSockets), room: await turns(scale.roomSockets) };
}

function deliveringRows({ large, room }: Record<"large" | "room", Turns<FanOutResult>>, scale: Scale): Row[] {
  const row = (turns: Turns<FanOutResult>, sockets: number): Row => ({
    workload,
    figure: `processor time of a delivery, two processes against one, ${sockets} sockets`,
    unit: "µs",
    ...compare(turns, cpuPerDeliveryUs),
    target: { atMost: 1.18 },
    targetIsRatio: true,
  });
  return [row(large, scale.fanOutSockets), row(room, scale.roomSockets)];
}

/** Measures posts into ten servers, through both processes into each, against one process without Redis. */
async function measureTowns({ alone, first }: Hearths, second: RunningServer, scale: Scale) {
  const townsAlone = await foundTowns(alone.stage);
  const towns = await foundTowns(first.stage);
  // Each of the two processes has as many requests in flight as the single one.
  const postInto = ({ target }: RunningServer, lists: string[][]) =>
    requests({ target, requests: lists, inFlight, expectedStatus: 201, ...roundOf(scale) }, "any");
  return takeTurns(
    scale.rounds,
    () => Promise.all([first.hearth, second].map((hearth) => postInto(hearth, towns))),
    () => Promise.all([postInto(alone.hearth, townsAlone)]),
  );
}

/** Creates servers. Returns for each one the requests of its owner that post into it. */
async function foundTowns({ origin, people }: Stage): Promise<string[][]> {
  const lists: string[][] = [];
  for (const owner of people.slice(0, townCount)) {
    const body = { name: `The town of ${owner.username}` };
    const { id } = await call<{ id: string }>(origin, owner, "POST", "/servers", body);
    const path = `/channels?server_id=${id}`;
    const [channel] = await call<{ id: string }[]>(origin, owner, "GET", path);
    lists.push(posts({ origin, serverId: id, channelId: channel!.id, people }, owner));
  }
  return lists;
}

function townRows(turns: Turns<RequestResult[]>, { cores }: Machine): Row[] {
  const figure = `posts into ${townCount} servers, two processes against one`;
  const target = { target: { atLeast: 1.3 }, targetIsRatio: true };
  const hasCores = cores >= coresOfItsOwn;
  const perSecond = (results: RequestResult[]) => sum(results, (result) => result.perSecond);
  // The throughput of processes that are never short of a core.
  const perSecondOfCores = (results: RequestResult[]) =>
    (results.length * sum(results, ({ answers }) => answers)) / sum(results, (one) => one.serverCpuMs / 1000);
  return [
    { workload, figure, unit: "/s", ...compare(turns, perSecond), ...(hasCores && target) },
    {
      workload,
      figure: "the same, by Hearth's processor time",
      unit: "/s",
      ...compare(turns, perSecondOfCores),
      ...(!hasCores && target),
    },
  ];
}

/** Runs one fan-out round, in lock step, on this process. */
function publish(
  { hearth, stage }: Inhabited,
  listeners: Listeners,
  scale: Scale,
  more: Pick<FanOutJob, "further" | "watched"> = {},
): Promise<FanOutResult> {
  return fanOut({
    ...more,
    target: hearth.target,
    listeners,
    requests: posts(stage, stage.people[0]!),
    expectedStatus: 201,
    ...roundOf(scale),
  });
}

function listenersOf({ serverId, people }: Stage, sockets: number): Listeners {
  return { path: "/ws", serverId, tokens: people.map((person) => person.token), sockets };
}

/** Includes the second process, if there is one. */
function cpuPerDeliveryUs({ serverCpuMs, watchedCpuMs, deliveries }: FanOutResult): number {
  return ((serverCpuMs + (watchedCpuMs.second ?? 0)) * 1000) / deliveries;
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
