// The capacity model: computes the resources a community needs from measured coefficients and people's habits.
import type { Coefficients } from "./coefficients.ts";

/** Assumed activity in the busiest hour. Change these numbers for a community whose habits are known. */
export const habits = {
  /** The share of all accounts that is connected. */
  connected: 0.2,
  /** Pace of a connected person: seconds between two posts, two other calls (pages, markers), two sign-ins. */
  postEveryS: 300,
  callEveryS: 30,
  readyEveryS: 3600,
  /** Sockets that receive a post, and the number of busy hours in a day. */
  heardBy: 100,
  busyHours: 8,
  /** The share of connected people that is in a call. */
  inCalls: 0.05,
  /** The share of posts with a file, and the file's size in MiB. */
  withFile: 0.05,
  fileMib: 0.5,
} as const;

/** The load that each resource takes before another one is added. */
export const bounds = {
  /** The busy share of a core, above which waits grow. */
  busy: 0.5,
  /** Sockets of a process, bounded by its file limit and the time that a restart takes. */
  socketsOfProcess: 20_000,
  /** Cores of a machine for PostgreSQL, half of them for work that is not counted (vacuum, checkpoints, backup). */
  postgresCores: 16,
  /** The most data on a PostgreSQL node: more takes hours to copy and to reindex. */
  postgresTib: 4,
  /** Listeners of a LiveKit node of 16 cores: half of what its makers publish, not measured here. */
  callersOfLivekit: 1500,
} as const;

export interface Need {
  people: number;
  connected: number;
  postsPerS: number;
  deliveriesPerS: number;
  /** Cores of the processes at full use, by kind of work. */
  cores: { posts: number; deliveries: number; crossings: number; calls: number; readies: number };
  processes: number;
  /** Processes that receive a post, besides the one that accepts it. */
  crossingsOfPost: number;
  memoryOfProcessMib: number;
  postgresCores: number;
  postgresNodes: number;
  walMibPerS: number;
  messagesGibPerYear: number;
  logGib: number;
  livekitNodes: number;
  filesTibPerYear: number;
  redisCores: number;
  redisShards: number;
}

const million = 1e6;

/** Returns the resources that a community of `people` needs. */
export function needOf(people: number, measured: Coefficients): Need {
  const connected = people * habits.connected;
  const postsPerS = connected / habits.postEveryS;
  const heardBy = Math.min(habits.heardBy, connected);
  const deliveriesPerS = postsPerS * heardBy;
  const readiesPerS = connected / habits.readyEveryS;
  const alone = {
    posts: (postsPerS * measured.postUs) / million,
    deliveries: (deliveriesPerS * measured.deliveryUs) / million,
    calls: ((connected / habits.callEveryS) * measured.pageUs) / million,
    readies: (readiesPerS * measured.readyUs) / million,
  };
  const coresWithout = Object.values(alone).reduce((sum, each) => sum + each, 0);
  const crossingCores = (processes: number) =>
    (postsPerS * reached(processes, heardBy) * measured.crossingUs) / million;
  let processes = 1;
  // More processes make more crossings, which may need more processes.
  for (let before = 0; processes > before; ) {
    before = processes;
    const cores = coresWithout + crossingCores(processes);
    const bySockets = connected / bounds.socketsOfProcess;
    processes = Math.max(before, Math.ceil(cores / bounds.busy), Math.ceil(bySockets));
  }
  const crossingsOfPost = reached(processes, heardBy);
  const postgresCores =
    (postsPerS * measured.postPostgresUs + readiesPerS * measured.readyPostgresUs) / million;
  const redisCores = (postsPerS * crossingsOfPost * measured.crossingRedisUs) / million;
  const postsPerDay = postsPerS * habits.busyHours * 3600;
  const messagesGibPerYear = (postsPerDay * 365 * measured.messageBytes) / 1024 ** 3;
  return {
    people,
    connected,
    postsPerS,
    deliveriesPerS,
    cores: { ...alone, crossings: crossingCores(processes) },
    processes,
    crossingsOfPost,
    memoryOfProcessMib: measured.processMib + ((connected / processes) * measured.socketKib) / 1024,
    postgresCores,
    postgresNodes: Math.ceil(
      Math.max(
        postgresCores / (bounds.postgresCores * bounds.busy),
        messagesGibPerYear / 1024 / bounds.postgresTib,
      ),
    ),
    walMibPerS: (postsPerS * measured.walBytes) / 1024 ** 2,
    messagesGibPerYear,
    livekitNodes: Math.ceil((connected * habits.inCalls) / bounds.callersOfLivekit),
    filesTibPerYear: (postsPerDay * 365 * habits.withFile * habits.fileMib) / 1024 ** 2,
    logGib: (postsPerDay * measured.logBytes) / 1024 ** 3,
    redisCores,
    redisShards: processes === 1 ? 0 : Math.ceil(redisCores / bounds.busy),
  };
}

/** Returns the expected number of further processes with any of `sockets`, which are spread at random. */
function reached(processes: number, sockets: number): number {
  return (processes - 1) * (1 - (1 - 1 / processes) ** sockets);
}

interface Largest {
  members: number;
  connected: number;
  processes: number;
  /** Core-seconds that one event costs all processes together, and how long each is busy with it. */
  coreSecondsOfEvent: number;
  secondsOfEachProcess: number;
}

/** Returns the needs of one server with `members`, whose sockets are spread over the processes. */
export function largestServer(members: number, measured: Coefficients): Largest {
  const connected = members * habits.connected;
  const processes = Math.max(1, Math.ceil(connected / bounds.socketsOfProcess));
  const coreSecondsOfEvent =
    (connected * measured.deliveryUs + (processes - 1) * measured.crossingUs) / million;
  return {
    members,
    connected,
    processes,
    coreSecondsOfEvent,
    secondsOfEachProcess: coreSecondsOfEvent / processes,
  };
}
