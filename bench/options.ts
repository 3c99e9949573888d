// What the command line asks for, and how large a run that makes.
import { parseArgs } from "node:util";

const workloadNames = [
  "posts",
  "mentions",
  "fan-out",
  "pages",
  "growth",
  "idle",
  "logins",
  "uploads",
  "postgres",
  "against",
] as const;
export type WorkloadName = (typeof workloadNames)[number];

/** How large a run is: the real one gives figures, the smoke run only proves that every workload works. */
export interface Scale {
  smoke: boolean;
  /** Hearth and its reference take turns this often; medians of the turns are reported. */
  rounds: number;
  warmupSeconds: number;
  seconds: number;
  fanOutSockets: number;
  postsBeforeFanOut: number;
  idleSockets: number;
  settleSeconds: number;
  starts: number;
  fewMessages: number;
  manyMessages: number;
  /** Requests a round when few messages are compared with many. */
  growthRequests: number;
  /** Members of the server in which everybody is called. */
  crowd: number;
  logins: number;
  uploads: number;
  uploadMib: number;
}

export interface Options {
  workloads: WorkloadName[];
  scale: Scale;
  logLevel: string | undefined;
  /** The folder of another checkout to be compared with. */
  against: string | undefined;
}

export const usage = `npm run bench -- [--smoke] [--only NAME] [--postgres] [--against FOLDER] [--seconds N] [--log-level LEVEL]
  --smoke       everything tiny: does each workload run, and are the answers right?
  --only NAME   one workload: ${workloadNames.filter((name) => name !== "against").join(", ")}
  --postgres    the PostgreSQL workload too; it starts a private PostgreSQL
  --against     another checkout, its packages installed: what this one costs against that one
  --seconds N   length of a measured round, 4 by default
  --log-level   the server's LOG_LEVEL; its own default when left out`;

const realScale: Scale = {
  smoke: false,
  rounds: 5,
  warmupSeconds: 2,
  seconds: 4,
  fanOutSockets: 1000,
  postsBeforeFanOut: 30_000,
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
};

const smokeScale: Scale = {
  smoke: true,
  rounds: 1,
  warmupSeconds: 0.2,
  seconds: 0.5,
  fanOutSockets: 100,
  postsBeforeFanOut: 500,
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
};

export function readOptions(words: string[]): Options {
  const { values } = parseArgs({
    args: words,
    options: {
      smoke: { type: "boolean", default: false },
      only: { type: "string" },
      postgres: { type: "boolean", default: false },
      against: { type: "string" },
      seconds: { type: "string" },
      "log-level": { type: "string" },
    },
  });
  const scale = values.smoke ? smokeScale : realScale;
  const seconds = values.seconds === undefined ? scale.seconds : Number(values.seconds);
  if (!(seconds > 0 && seconds <= 600)) throw new Error("--seconds takes a number from 0 to 600");
  return {
    workloads: values.against === undefined ? chosen(values.only, values.postgres) : ["against"],
    scale: { ...scale, seconds },
    logLevel: values["log-level"],
    against: values.against,
  };
}

function chosen(only: string | undefined, postgres: boolean): WorkloadName[] {
  const alone = workloadNames.filter((name) => name !== "against");
  if (only === undefined) return alone.filter((name) => name !== "postgres" || postgres);
  const found = alone.filter((name) => name === only);
  if (found.length === 0) throw new Error(`--only takes one of: ${alone.join(", ")}`);
  return found;
}
