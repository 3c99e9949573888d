// The latency targets of the bystanders, and the table of all attacks.
import type { Waits } from "../load/waits.ts";
import { inColumns, type Row, short } from "../report.ts";
import type { Round } from "./round.ts";

const postsTargetMs = 100;
const signInsTargetMs = 1000;
const workload = "bystander";
const mib = 1024 * 1024;

/** On a slow or busy machine, waits may be up to this many times those without the attack. */
const timesCalm = 3;

/** True if nothing failed, every event was delivered, and latencies met their targets. */
function isMet(round: Round): boolean {
  const { calm, posts, pages, signIns, health, lost, unheard, postsMayWait } = round;
  if (Object.keys(lost).length > 0 || unheard > 0) return false;
  // Sign-ins are always judged, because they write nothing. A healthy server answers /healthz at once.
  const needed = postsMayWait
    ? ([
        [pages, calm?.pages],
        [health, calm?.health],
      ] as const)
    : ([
        [posts, calm?.posts],
        [pages, calm?.pages],
      ] as const);
  const isSoon = ({ p99Ms }: Waits, before: Waits | undefined) =>
    p99Ms <= Math.max(postsTargetMs, timesCalm * (before?.p99Ms ?? 0));
  return needed.every(([waits, before]) => isSoon(waits, before)) && signIns.p99Ms <= signInsTargetMs;
}

/** `attempted` counts all attacks, including those whose round failed. */
export function rowsAbout(rounds: Round[], attempted: number): Row[] {
  const judged = rounds.filter(({ postsMayWait }) => !postsMayWait);
  const most = (figure: (round: Round) => number) => Math.max(0, ...judged.map(figure));
  return [
    {
      workload,
      figure: `attacks that a bystander does not feel, of ${attempted}`,
      unit: "",
      value: rounds.filter(isMet).length,
      target: { atLeast: attempted },
    },
    {
      workload,
      figure: "a bystander's posts, the worst p99",
      unit: "ms",
      value: most(({ posts }) => posts.p99Ms),
      target: { atMost: postsTargetMs },
    },
    {
      workload,
      figure: "a bystander's sign-ins, the worst p99",
      unit: "ms",
      value: most(({ signIns }) => signIns.p99Ms),
      target: { atMost: signInsTargetMs },
    },
    ...rounds.flatMap(({ name, meets, calm, posts }) =>
      meets && calm
        ? [
            {
              workload,
              figure: `p99 of posts beside ${name}, times that just before`,
              unit: "",
              value: posts.p99Ms / calm.posts.p99Ms,
              target: { atMost: timesCalm },
            },
          ]
        : [],
    ),
  ];
}

export function tableOf(rounds: Round[], judged: boolean): string {
  const header = [
    "attack",
    "calls/s",
    "answered",
    "posts, ms: median, p99, most",
    "p99 just before",
    "sign-ins, ms",
    "pages, p99 ms",
    "/healthz, most ms",
    "server busy",
    "memory, MiB",
    "others busy",
    "not done",
    ...(judged ? ["target"] : []),
  ];
  const cells = rounds.map((round) => [
    `${round.what} (\`${round.name}\`)`,
    short(round.made / round.seconds),
    listed(round.answers),
    waited(round.posts),
    round.calm ? short(round.calm.posts.p99Ms) : "",
    waited(round.signIns),
    short(round.pages.p99Ms),
    short(round.health.maxMs),
    `${Math.round(round.serverBusy * 100)} %`,
    short(round.peakMemory / mib),
    `${Math.round(round.othersBusy * 100)} %`,
    listed({ ...round.lost, ...(round.unheard > 0 ? { unheard: round.unheard } : {}) }),
    ...(judged ? [isMet(round) ? "met" : "missed"] : []),
  ]);
  return inColumns(header, cells, " | ");
}

function waited({ p50Ms, p99Ms, maxMs }: Waits): string {
  return [p50Ms, p99Ms, maxMs].map(short).join(", ");
}

const longestReason = 48;

function listed(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([how, count]) => `${short(count)} × ${how.replace(/\s+/g, " ").slice(0, longestReason)}`)
    .join(", ");
}
