// Workload of the generator: one attack, from the word `go` until its time is over.
import { attackNamed } from "../bystander/attacks.ts";
import { processorMs } from "../process-stats.ts";
import type { AttackJob, AttackReport, Go } from "./jobs.ts";

/** How long running calls may take after the time is over, in milliseconds. */
const graceMs = 5000;

export async function runAttack(job: AttackJob, go: Go): Promise<AttackReport> {
  const answers: Record<string, number> = {};
  const over = Promise.withResolvers<void>();
  let made = 0;
  let begun = Number.POSITIVE_INFINITY;
  let loadMs = 0;
  const ms = job.seconds * 1000;
  const work = attackNamed(job.name).run({
    target: job.target,
    origin: `http://${job.target.host}:${job.target.port}`,
    hearth: job.hearth,
    stage: job.stage,
    facts: job.facts,
    some: (count) => Math.max(1, Math.round(count * job.share)),
    made: () => {
      made++;
    },
    answered: (how) => {
      answers[how] = (answers[how] ?? 0) + 1;
    },
    go: async () => {
      await go();
      begun = performance.now();
      loadMs = processorMs(process.pid);
      setTimeout(over.resolve, ms);
    },
    isOver: () => performance.now() - begun >= ms,
    over: over.promise,
  });
  const late = over.promise.then(() => Bun.sleep(graceMs));
  await Promise.race([Promise.all([work, over.promise]), late]);
  return { made, answers, loadMs: processorMs(process.pid) - loadMs };
}
