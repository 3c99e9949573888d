// One attack on a running server, and the latency that the people of a small server see meanwhile.
import type { AttackReport, BystanderReport } from "../load/jobs.ts";
import { prepareAttack, prepareBystander } from "../load-generator.ts";
import { forgetPeakMemory, machineMs, peakMemory, processorMs } from "../process-stats.ts";
import type { RunningServer } from "../servers.ts";
import type { Attack } from "./attack.ts";
import type { Staged } from "./scenery.ts";

/** The latency of the bystanders on the same server before the attack; undefined when it was not measured. */
type Calm = Pick<BystanderReport, "posts" | "pages" | "health"> | undefined;

export interface Round extends AttackReport, BystanderReport {
  calm: Calm;
  name: string;
  what: string;
  seconds: number;
  postsMayWait: boolean;
  meets: Attack<unknown>["meets"];
  /** The share of one core that the server used during the attack. */
  serverBusy: number;
  peakMemory: number;
  /** The share of a core that other programs used meanwhile; unless it is small, the times cannot be trusted. */
  othersBusy: number;
}

export interface Extent {
  seconds: number;
  /** The fraction of the attack's numbers that is used. */
  share: number;
  /** Skips the warm-up. */
  hurried: boolean;
}

/** How long the jobs may take beyond the attack's time, in milliseconds. */
const patienceMs = 25_000;

export async function attackOnce(
  attack: Attack<unknown>,
  { target }: RunningServer,
  { dataDir, stage, neighbours, facts }: Staged,
  checkout: string,
  { seconds, share, hurried }: Extent,
): Promise<Round> {
  const patience = seconds * 1000 + patienceMs;
  const life = {
    target,
    tokens: neighbours.people.map(({ token }) => token),
    channelId: neighbours.channelId,
    seconds,
    atOnce: hurried || attack.atStart === true,
  };
  const calm = life.atOnce ? undefined : await lived(life, patience);
  const living = prepareBystander(life);
  // May reject before anything awaits it.
  living.catch(() => {});
  const hearth = { checkout, dataDir };
  const { name } = attack;
  using attacker = await prepareAttack({ name, target, hearth, stage, facts, seconds, share });
  using bystander = await living;
  forgetPeakMemory(target.pid);
  const [seen, done, work] = await Promise.all([
    bystander.begin(patience),
    attacker.begin(patience),
    workIn(seconds, target.pid),
  ]);
  const othersMs = work.machineMs - work.serverMs - seen.loadMs - done.loadMs;
  return {
    name,
    calm,
    what: attack.what,
    postsMayWait: attack.postsMayWait === true,
    meets: attack.meets,
    seconds,
    ...done,
    ...seen,
    loadMs: seen.loadMs + done.loadMs,
    serverBusy: work.serverMs / work.elapsedMs,
    othersBusy: Math.max(0, othersMs) / work.elapsedMs,
    peakMemory: peakMemory(target.pid),
  };
}

async function lived(life: Parameters<typeof prepareBystander>[0], patience: number): Promise<Calm> {
  using bystander = await prepareBystander(life);
  const { posts, pages, health } = await bystander.begin(patience);
  return { posts, pages, health };
}

/** Milliseconds of processor time that the server used, and that all programs together used. */
async function workIn(seconds: number, server: number) {
  const reading = () => ({ at: performance.now(), serverMs: processorMs(server), machineMs: machineMs() });
  const begin = reading();
  await Bun.sleep(seconds * 1000);
  const end = reading();
  return {
    elapsedMs: end.at - begin.at,
    serverMs: end.serverMs - begin.serverMs,
    machineMs: end.machineMs - begin.machineMs,
  };
}
