// One attack on a running server, and what the people of a small server see of it.
import type { AttackReport, BystanderReport } from "../load/jobs.ts";
import { prepareAttack, prepareBystander } from "../load-generator.ts";
import { forgetPeakMemory, machineMs, peakMemory, processorMs } from "../process-stats.ts";
import type { RunningServer } from "../servers.ts";
import type { Attack } from "./attack.ts";
import type { Staged } from "./scenery.ts";

export interface Round extends AttackReport, BystanderReport {
  name: string;
  what: string;
  seconds: number;
  postsMayWait: boolean;
  /** Of one core, while the attack went on. */
  serverBusy: number;
  peakMemory: number;
  /** How much of a core everything else on the machine used meanwhile: above little, times are not to be trusted. */
  othersBusy: number;
}

export interface Extent {
  seconds: number;
  /** The part of the attack's numbers that is made use of. */
  share: number;
  /** Nobody warms up. */
  hurried: boolean;
}

/** Past the attack's time: whoever waits for an answer gives up by then. */
const patienceMs = 25_000;

export async function attackOnce(
  attack: Attack<unknown>,
  { target }: RunningServer,
  { dataDir, stage, neighbours, facts }: Staged,
  checkout: string,
  { seconds, share, hurried }: Extent,
): Promise<Round> {
  const living = prepareBystander({
    target,
    tokens: neighbours.people.map(({ token }) => token),
    channelId: neighbours.channelId,
    seconds,
    atOnce: hurried || attack.atStart === true,
  });
  // It may fail before anybody waits for it.
  living.catch(() => {});
  const hearth = { checkout, dataDir };
  const { name } = attack;
  using attacker = await prepareAttack({ name, target, hearth, stage, facts, seconds, share });
  using bystander = await living;
  forgetPeakMemory(target.pid);
  const patience = seconds * 1000 + patienceMs;
  const [seen, done, work] = await Promise.all([
    bystander.begin(patience),
    attacker.begin(patience),
    workIn(seconds, target.pid),
  ]);
  const othersMs = work.machineMs - work.serverMs - seen.loadMs - done.loadMs;
  return {
    name,
    what: attack.what,
    postsMayWait: attack.postsMayWait === true,
    seconds,
    ...done,
    ...seen,
    loadMs: seen.loadMs + done.loadMs,
    serverBusy: work.serverMs / work.elapsedMs,
    othersBusy: Math.max(0, othersMs) / work.elapsedMs,
    peakMemory: peakMemory(target.pid),
  };
}

/** What the server took, and what all programs together took, in milliseconds of processor time. */
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
