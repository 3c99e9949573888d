// Workload of the generator: the people of a small server, who post, read and sign in during an attack.
import { processorMs } from "../process-stats.ts";
import { rawRequest } from "../raw-requests.ts";
import { homeOf } from "./addresses.ts";
import { openCaller } from "./caller.ts";
import type { BystanderJob, BystanderReport, Go } from "./jobs.ts";
import { signIn, startsWith } from "./signing-in.ts";
import { type Habit, Waiting } from "./waits.ts";

/** The interval of each habit in milliseconds; the rates are well below the default limits. */
const everyMs = { posts: 200, pages: 500, signIns: 2000, health: 100 };
type Deed = keyof typeof everyMs;

const warmupMs = 700;
const heardWithinMs = 2000;
const messageCreate = Buffer.from('{"type":"MESSAGE_CREATE"');

export async function runBystander(job: BystanderJob, go: Go): Promise<BystanderReport> {
  let posted = 0;
  let heard = 0;
  const lost: Record<string, number> = {};
  // The last person only listens, and so signs in once: signing in is rate limited, too.
  const listener = job.tokens.length - 1;
  const ear = await signIn(
    job.target,
    { token: job.tokens[listener]!, from: homeOf(listener) },
    {
      onText: (bytes, start) => {
        if (startsWith(bytes, start, messageCreate)) heard++;
      },
      onClose: (reason) => {
        lost[reason] = (lost[reason] ?? 0) + 1;
      },
    },
  );
  const people = job.tokens.map((token, index) => habitsOf(job, token, index, () => posted++));
  if (!job.atOnce) await live(people, warmupMs, {});
  await go();
  const before = processorMs(process.pid);
  const waited = await live(people, job.seconds * 1000, lost);
  const loadMs = processorMs(process.pid) - before;
  const late = performance.now() + heardWithinMs;
  while (heard < posted && performance.now() < late) await Bun.sleep(20);
  ear.close();
  return {
    posts: waited.posts.result(),
    pages: waited.pages.result(),
    signIns: waited.signIns.result(),
    health: waited.health.result(),
    lost,
    unheard: posted - heard,
    loadMs,
  };
}

/** The habits of one person. The first also requests /healthz; the last only listens. */
function habitsOf(job: BystanderJob, token: string, index: number, onPosted: () => void) {
  const { target } = job;
  const from = homeOf(index);
  const origin = `http://${target.host}:${target.port}`;
  const messages = `/api/v1/channels/${job.channelId}/messages`;
  const caller = { username: "", token };
  const post = Buffer.from(rawRequest(origin, "POST", messages, caller, { content: "Anybody here? I am." }));
  const page = Buffer.from(rawRequest(origin, "GET", `${messages}?limit=50`, caller));
  const look = Buffer.from(rawRequest(origin, "GET", "/healthz"));
  const writing = openCaller(target, from);
  const reading = openCaller(target, from);
  const looking = openCaller(target, from);
  const acts: Partial<Record<Deed, Habit["act"]>> = {
    posts: () => writing(post, 201).then(onPosted),
    pages: () => reading(page, 200),
    ...(index < job.tokens.length - 1
      ? { signIns: async () => (await signIn(target, { token, from })).close() }
      : {}),
    ...(index === 0 ? { health: () => looking(look, 200) } : {}),
  };
  return acts;
}

/** Runs all habits concurrently, with staggered starts. */
async function live(people: ReturnType<typeof habitsOf>[], ms: number, lost: Record<string, number>) {
  const waiting: Record<Deed, Waiting> = {
    posts: new Waiting(lost),
    pages: new Waiting(lost),
    signIns: new Waiting(lost),
    health: new Waiting(lost),
  };
  const begin = performance.now();
  await Promise.all(
    people.flatMap((acts, index) =>
      (Object.keys(acts) as Deed[]).map((deed) => {
        const every = everyMs[deed];
        const first = begin + (every * index) / people.length;
        return waiting[deed].keep({ everyMs: every, act: acts[deed]! }, first, begin + ms);
      }),
    ),
  );
  return waiting;
}
