// Reckons from the measured coefficients and from what people do how much of each thing a community needs.
import type { Coefficients } from "./coefficients.ts";

/** What people do in the busiest hour. Whoever knows theirs better puts other numbers in. */
export const habits = {
  /** Of all people who have an account. */
  connected: 0.2,
  /** Of a connected person: seconds between two posts, two other calls (pages, markers), two sign-ins. */
  postEveryS: 300,
  callEveryS: 30,
  readyEveryS: 3600,
  /** Sockets that hear a post, and the hours of a day that are as busy. */
  heardBy: 100,
  busyHours: 8,
  /** Of those who are connected, in a call. */
  inCalls: 0.05,
  /** Of the posts, with a file of so many MiB. */
  withFile: 0.05,
  fileMib: 0.5,
} as const;

/** How much of a thing is used before another is added. */
export const bounds = {
  /** Of a core: above it, waits grow. */
  busy: 0.5,
  /** By their file limits and the time that a restart takes. */
  socketsOfProcess: 20_000,
  /** Of a machine for PostgreSQL, half of which is for what is not counted here (vacuum, checkpoints, backup). */
  postgresCores: 16,
  /** More takes hours to copy and to index anew. */
  postgresTib: 4,
  /** Listeners of a LiveKit node of 16 cores, half of what its makers publish: not measured here. */
  callersOfLivekit: 1500,
} as const;

export interface Need {
  people: number;
  connected: number;
  postsPerS: number;
  deliveriesPerS: number;
  /** Cores of processes at full use, by what they do. */
  cores: { posts: number; deliveries: number; crossings: number; calls: number; readies: number };
  processes: number;
  /** Processes that hear a post, beside the one that takes it. */
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

/** What so many people need. */
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

/** How many further processes have one of so many sockets, where sockets are spread by chance. */
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

/** One server with so many members, all of them spread over processes by their sockets. */
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
