// Measures the coefficients of the capacity model: the cost of a socket, delivery, post, READY and page.
import { writeFileSync } from "node:fs";
import pg from "pg";
import { type Backends, startBackends, startProcess } from "../backends.ts";
import { type Coefficients, coefficientsFile } from "../capacity/coefficients.ts";
import { measureLargest } from "../capacity/largest.ts";
import type { FanOutResult, RequestResult, Watched } from "../load/jobs.ts";
import { fanOut, requests } from "../load-generator.ts";
import type { Machine } from "../machine.ts";
import { medianOf } from "../medians.ts";
import type { Scale } from "../options.ts";
import { type Stage, setStage } from "../people.ts";
import { pages, posts } from "../raw-requests.ts";
import type { Findings, Row } from "../report.ts";
import { type RunningServer, startHearth } from "../servers.ts";
import { weighHearth } from "./idle.ts";
import { inFlight, peopleOfPosts, postAndListen, roundOf, warmUp } from "./posts.ts";
import { setHalls, signInOften } from "./ready.ts";

const workload = "capacity";
/** Servers of the person whose READY is measured, and channels in each. */
const ready = { readyServers: 10, readyChannels: 20 };

interface Place {
  backends: Backends;
  first: RunningServer;
  second: RunningServer;
  stage: Stage;
  databaseUrl: string;
  watched: Watched;
}

export async function measureCapacity(
  scale: Scale,
  machine: Machine,
  logLevel?: string,
): Promise<Findings | undefined> {
  await using backends = await startBackends();
  if (!backends) return undefined;
  const databaseUrl = await backends.database("capacity");
  const weight = await weighHearth(scale, {
    databaseUrl: await backends.database("weighed"),
    core: "any",
    settings: { REDIS_URL: backends.redis.url },
    logLevel,
  });
  const signedIn = await measureReady(backends, scale, logLevel);
  await using first = await startProcess(backends, databaseUrl, true, logLevel);
  const stage = await setStage(first.origin, peopleOfPosts);
  await using second = await startProcess(backends, databaseUrl, true, logLevel);
  const { redis, postgres } = backends;
  const watched = { second: second.target.pid, redis: redis.pid, postgres: postgres.pid };
  const place: Place = { backends, first, second, stage, databaseUrl, watched };
  for (const at of [first.target, second.target]) await warmUp(first, stage, scale, at);
  const posted = await measurePosts(place, scale);
  const heard = await measureHeard(place, scale);
  const read = await measurePages(place, scale);
  const kib = 1024;
  const coefficients: Coefficients = {
    machine: `${machine.processor}, ${machine.cores} cores, ${machine.clockGhz} GHz measured, Bun ${machine.bun}`,
    processMib: weight.empty / kib ** 2,
    socketKib: weight.perSocket / kib,
    ...signedIn,
    ...posted,
    ...heard,
    ...read,
    ...(await measureLargest(scale, logLevel)),
  };
  if (!scale.smoke)
    writeFileSync(coefficientsFile, `${JSON.stringify(rounded(coefficients), undefined, 2)}\n`);
  return { rows: rowsOf(coefficients), raw: { workload, coefficients, weight } };
}

/** Measures the processor time of signing in, up to READY, for a person in ten servers of twenty channels. */
async function measureReady(backends: Backends, scale: Scale, logLevel?: string) {
  const size = scale.smoke ? { readyServers: 2, readyChannels: 4 } : ready;
  const options = {
    databaseUrl: await backends.database("ready"),
    core: "any" as const,
    settings: { REDIS_URL: backends.redis.url },
    logLevel,
  };
  const reader = await setHalls(options, { ...scale, ...size });
  await using hearth = await startHearth(options);
  const watched = { postgres: backends.postgres.pid };
  const turns = await inRounds(scale, () => signInOften(hearth, reader, scale, watched));
  return {
    readyUs: medianOf(turns, (turn) => (turn.serverCpuMs * 1000) / turn.answers),
    readyPostgresUs: medianOf(turns, (turn) => watchedUs(turn, "postgres")),
    readyKib: medianOf(turns, (turn) => turn.bytes / 1024),
  };
}

/** Posts as fast as they are answered, with ten listening sockets on the same process. */
async function measurePosts({ first, stage, watched, databaseUrl }: Place, scale: Scale) {
  const turns: (RequestResult & Sizes)[] = [];
  for (let round = 0; round < scale.rounds; round++) {
    const before = await sizesOf(databaseUrl);
    const turn = await postAndListen(first, stage, { ...roundOf(scale), core: "any", watched });
    const after = await sizesOf(databaseUrl);
    const posts = after.posts - before.posts;
    const each = (name: keyof Sizes) => (after[name] - before[name]) / posts;
    turns.push({ ...turn, posts, messages: each("messages"), log: each("log"), wal: each("wal") });
  }
  return {
    postUs: medianOf(turns, (turn) => (turn.serverCpuMs * 1000) / turn.answers),
    postPostgresUs: medianOf(turns, (turn) => watchedUs(turn, "postgres")),
    messageBytes: medianOf(turns, (turn) => turn.messages),
    logBytes: medianOf(turns, (turn) => turn.log),
    walBytes: medianOf(turns, (turn) => turn.wal),
  };
}

/** Measures posts whose listeners are on another process, and posts into rooms of two sizes. */
async function measureHeard({ first, second, stage, watched }: Place, scale: Scale) {
  const listening = { ...roundOf(scale), core: "any" as const, at: second.target, watched };
  const crossing = await inRounds(scale, () => postAndListen(first, stage, listening));
  const tokens = stage.people.map((person) => person.token);
  const toRoom = (sockets: number) =>
    fanOut({
      ...roundOf(scale),
      target: first.target,
      listeners: { path: "/ws", serverId: stage.serverId, tokens, sockets },
      requests: posts(stage, stage.people[0]!),
      expectedStatus: 201,
    });
  const slopes: number[] = [];
  for (let round = 0; round < scale.rounds; round++) {
    const [large, small] = [await toRoom(scale.fanOutSockets), await toRoom(scale.roomSockets)];
    slopes.push((eventUs(large) - eventUs(small)) / (scale.fanOutSockets - scale.roomSockets));
  }
  return {
    deliveryUs: medianOf(slopes, (slope) => slope),
    crossingUs: medianOf(crossing, (turn) => watchedUs(turn, "second")),
    crossingRedisUs: medianOf(crossing, (turn) => watchedUs(turn, "redis")),
  };
}

async function measurePages({ first, stage, watched }: Place, scale: Scale) {
  const turns = await inRounds(scale, () =>
    requests(
      {
        ...roundOf(scale),
        target: first.target,
        requests: stage.people.map((reader) => pages(stage, reader)),
        inFlight,
        expectedStatus: 200,
        watched,
      },
      "any",
    ),
  );
  return { pageUs: medianOf(turns, (turn) => (turn.serverCpuMs * 1000) / turn.answers) };
}

interface Sizes {
  posts: number;
  /** Bytes of the messages with their indexes and mentions, of the event log, and of the write-ahead log. */
  messages: number;
  log: number;
  wal: number;
}

async function sizesOf(databaseUrl: string): Promise<Sizes> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Record<keyof Sizes, string>>(
    `select (select count(*) from messages) as posts,
      pg_total_relation_size('messages') + pg_total_relation_size('mentions') as messages,
      pg_total_relation_size('events') as log,
      pg_current_wal_lsn() - '0/0'::pg_lsn as wal`,
  );
  await client.end();
  const { posts, messages, log, wal } = rows[0]!;
  return { posts: Number(posts), messages: Number(messages), log: Number(log), wal: Number(wal) };
}

async function inRounds<Item>({ rounds }: Scale, work: () => Promise<Item>): Promise<Item[]> {
  const turns: Item[] = [];
  for (let round = 0; round < rounds; round++) turns.push(await work());
  return turns;
}

function watchedUs({ watchedCpuMs, answers }: Pick<RequestResult, "watchedCpuMs" | "answers">, name: string) {
  return ((watchedCpuMs[name] ?? 0) * 1000) / answers;
}

function eventUs({ serverCpuMs, answers }: FanOutResult): number {
  return (serverCpuMs * 1000) / answers;
}

/** Rounds to three significant digits: more would mean nothing on another machine. */
function rounded(coefficients: Coefficients): Coefficients {
  const entries = Object.entries(coefficients).map(([name, value]) => [
    name,
    typeof value === "number" ? Number(value.toPrecision(3)) : value,
  ]);
  return Object.fromEntries(entries) as Coefficients;
}

function rowsOf({ machine: _, ...measured }: Coefficients): Row[] {
  const units: Record<string, string> = { Us: "µs", Kib: "KiB", Mib: "MiB", Bytes: "bytes" };
  return Object.entries(measured).map(([figure, value]) => ({
    workload,
    figure,
    value,
    unit: units[/[A-Z][a-z]+$/.exec(figure)?.[0] ?? ""] ?? "",
  }));
}
