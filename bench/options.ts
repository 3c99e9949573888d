// The command line options, and the sizes of a run.
import { parseArgs } from "node:util";
import type { Choice } from "./workloads/bystander.ts";

const workloadNames = [
  "posts",
  "mentions",
  "fan-out",
  "readers",
  "ready",
  "private",
  "direct",
  "pages",
  "growth",
  "idle",
  "logins",
  "uploads",
  "images",
  "web",
  "hostile",
  "costs",
  "bystander",
  "postgres",
  "cluster",
  "capacity",
  "against",
] as const;
export type WorkloadName = (typeof workloadNames)[number];

/** The sizes of a run: a full run gives figures, a smoke run only proves that every workload works. */
export interface Scale {
  smoke: boolean;
  /** Rounds that Hearth and its reference take in turn; the medians are reported. */
  rounds: number;
  /** Rounds against another checkout: small differences need more of them. */
  roundsAgainst: number;
  warmupSeconds: number;
  seconds: number;
  /** Sockets that receive each post: in a large room, and in one of usual size. */
  fanOutSockets: number;
  roomSockets: number;
  postsBeforeFanOut: number;
  /** People who read one channel at the same time. */
  readers: number;
  /** Servers of the person whose READY is measured, and text channels in each. */
  readyServers: number;
  readyChannels: number;
  /** Channels and roles of the server with private channels, and how many of the channels have overrides. */
  privateServerChannels: number;
  privateChannels: number;
  privateRoles: number;
  /** Conversations of the person whose READY is measured. */
  conversations: number;
  idleSockets: number;
  settleSeconds: number;
  starts: number;
  fewMessages: number;
  manyMessages: number;
  /** Requests per round when few messages are compared with many. */
  growthRequests: number;
  /** Members of the server in which everybody is mentioned. */
  crowd: number;
  logins: number;
  uploads: number;
  uploadMib: number;
  pictures: number;
  /** Messages that the page holds, and the channels that they are spread over. */
  webMessages: number;
  webChannels: number;
  /** How long the page stays open in a busy channel. */
  soakSeconds: number;
  /** How long each attack lasts. */
  attackSeconds: number;
}

export interface Options {
  workloads: WorkloadName[];
  scale: Scale;
  logLevel: string | undefined;
  /** The folder of another checkout to compare with. */
  against: string | undefined;
  /** True if workloads that can run on either engine run on PostgreSQL. */
  postgres: boolean;
  bystander: Choice;
}

/** Workloads that take minutes. A full run skips them unless they are named. */
const byItself: readonly WorkloadName[] = ["hostile", "costs", "bystander", "cluster", "capacity"];
const named = workloadNames.filter((name) => name !== "against");

export const usage = `npm run bench -- [NAME …] [--smoke] [--postgres] [--against FOLDER] [--seconds N] [--soak N] [--log-level LEVEL]
  NAME          a workload, also as --only NAME: ${named.join(", ")};
                without any all but postgres, and hostile, costs, bystander, cluster and capacity, which take minutes
  --smoke       everything tiny, those that take minutes, too: does each workload run, and are the answers right?
  --postgres    the PostgreSQL workload too, it starts a private PostgreSQL; with bystander: attacks on PostgreSQL,
                with costs: of calls there
  --against     another checkout, its packages installed: what this one costs against that one;
                with web: the pages of both, in turns
  --seconds N   length of a measured round, and of an attack, 4 by default
  --soak N      seconds that the page stands open in a busy channel, 60 by default (web)
  --log-level   the server's LOG_LEVEL; its own default when left out
of bystander alone:
  --only-attack NAME   one attack; may be given several times
  --checkout FOLDER    another checkout's Hearth is attacked, its packages installed`;

const realScale: Scale = {
  smoke: false,
  rounds: 5,
  roundsAgainst: 7,
  warmupSeconds: 2,
  seconds: 4,
  fanOutSockets: 1000,
  roomSockets: 100,
  postsBeforeFanOut: 30_000,
  readers: 1000,
  readyServers: 100,
  readyChannels: 50,
  privateServerChannels: 500,
  privateChannels: 100,
  privateRoles: 20,
  conversations: 1000,
  idleSockets: 5000,
  settleSeconds: 20,
  starts: 5,
  fewMessages: 10_000,
  manyMessages: 1_000_000,
  growthRequests: 4000,
  crowd: 10_000,
  logins: 200,
  uploads: 20,
  uploadMib: 25,
  pictures: 30,
  webMessages: 10_000,
  webChannels: 50,
  soakSeconds: 60,
  attackSeconds: 4,
};

const smokeScale: Scale = {
  smoke: true,
  rounds: 1,
  roundsAgainst: 1,
  warmupSeconds: 0.2,
  seconds: 0.5,
  fanOutSockets: 100,
  roomSockets: 10,
  postsBeforeFanOut: 500,
  readers: 100,
  readyServers: 10,
  readyChannels: 10,
  privateServerChannels: 12,
  privateChannels: 4,
  privateRoles: 3,
  conversations: 20,
  idleSockets: 200,
  settleSeconds: 1,
  starts: 2,
  fewMessages: 1000,
  manyMessages: 10_000,
  growthRequests: 300,
  crowd: 300,
  logins: 20,
  uploads: 4,
  uploadMib: 5,
  pictures: 2,
  webMessages: 400,
  webChannels: 4,
  soakSeconds: 2,
  attackSeconds: 0.2,
};

export function readOptions(words: string[]): Options {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      smoke: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      "only-attack": { type: "string", multiple: true, default: [] },
      checkout: { type: "string" },
      postgres: { type: "boolean", default: false },
      against: { type: "string" },
      seconds: { type: "string" },
      soak: { type: "string" },
      "log-level": { type: "string" },
    },
  });
  const scale = values.smoke ? smokeScale : realScale;
  const names = [...positionals, ...values.only];
  const { "only-attack": only, checkout, against, postgres, smoke } = values;
  if ((only.length > 0 || checkout !== undefined) && names.join() !== "bystander")
    throw new Error("--only-attack and --checkout go with the workload bystander alone");
  const ofAgainst: WorkloadName[] = names.join() === "web" ? ["web"] : ["against"];
  if (against !== undefined && names.length > 0 && names.join() !== "web")
    throw new Error("--against has workloads of its own, or goes with the workload web alone");
  return {
    workloads: against === undefined ? chosen(names, smoke, postgres) : ofAgainst,
    scale: { ...scale, ...secondsOf(values.seconds), ...soakOf(values.soak) },
    logLevel: values["log-level"],
    ...{ against, postgres },
    bystander: { checkout, only, postgres: postgres && names.includes("bystander") },
  };
}

function secondsOf(word: string | undefined): Partial<Scale> {
  if (word === undefined) return {};
  const seconds = Number(word);
  if (!(seconds > 0 && seconds <= 600)) throw new Error("--seconds takes a number from 0 to 600");
  return { seconds, attackSeconds: seconds };
}

function soakOf(word: string | undefined): Partial<Scale> {
  if (word === undefined) return {};
  const soakSeconds = Number(word);
  if (!(soakSeconds > 0 && soakSeconds <= 7200)) throw new Error("--soak takes a number from 0 to 7200");
  return { soakSeconds };
}

function chosen(names: string[], smoke: boolean, postgres: boolean): WorkloadName[] {
  const unknown = names.find((name) => !named.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`There is no workload ${unknown}: ${named.join(", ")}.`);
  if (names.length > 0) return named.filter((name) => names.includes(name));
  return named.filter((name) => (name === "postgres" ? postgres : smoke || !byItself.includes(name)));
}
