// Runs the load generator on its own core: one process per job, so that no job inherits another's garbage.
import { join } from "node:path";
import type {
  AttackJob,
  AttackReport,
  BystanderJob,
  BystanderReport,
  FanOutJob,
  FanOutResult,
  HoldJob,
  HoldReport,
  Job,
  ReadersJob,
  ReadersResult,
  ReadyJob,
  ReadyResult,
  RequestJob,
  RequestResult,
} from "./load/jobs.ts";
import { type Core, type Program, readLines, start } from "./processes.ts";

const preparedWithinMs = 30_000;

interface HeldSockets {
  open: number;
  /** Closes the sockets. Returns how many had been lost by then. */
  release(): Promise<number>;
}

export async function requests(job: Omit<RequestJob, "kind">, core: Core = 1): Promise<RequestResult> {
  return (await runJob({ kind: "requests", ...job }, core)) as RequestResult;
}

export async function fanOut(job: Omit<FanOutJob, "kind">): Promise<FanOutResult> {
  return (await runJob({ kind: "fan-out", ...job }, 1)) as FanOutResult;
}

export async function readers(job: Omit<ReadersJob, "kind">): Promise<ReadersResult> {
  return (await runJob({ kind: "readers", ...job }, 1)) as ReadersResult;
}

export async function signIns(job: Omit<ReadyJob, "kind">): Promise<ReadyResult> {
  return (await runJob({ kind: "ready", ...job }, 1)) as ReadyResult;
}

export async function holdSockets(job: Omit<HoldJob, "kind">): Promise<HeldSockets> {
  const program = startJob({ kind: "hold", ...job }, 1);
  const lines = readLines(program);
  const first = (await lines.next()).value;
  if (!first) throw new Error("the load generator could not open its sockets");
  return {
    open: (JSON.parse(first) as HoldReport).open,
    release: async () => {
      await program.stdin.end();
      const last = (await lines.next()).value;
      if (!last) throw new Error("the load generator failed while it held its sockets");
      return (JSON.parse(last) as HoldReport).lost;
    },
  };
}

/** A prepared job that waits for `begin`. */
interface Prepared<Report> {
  /** Resolves when the job is over. Rejects when it fails, or takes longer than `patienceMs`. */
  begin(patienceMs: number): Promise<Report>;
  [Symbol.dispose](): void;
}

export function prepareBystander(job: Omit<BystanderJob, "kind">): Promise<Prepared<BystanderReport>> {
  return prepare({ kind: "bystander", ...job }, false);
}

/** The attacker gives way to the bystanders, whose waits are measured. */
export function prepareAttack(job: Omit<AttackJob, "kind">): Promise<Prepared<AttackReport>> {
  return prepare({ kind: "attack", ...job }, true);
}

async function prepare<Report>(job: Job, givesWay: boolean): Promise<Prepared<Report>> {
  const program = startJob(job, 1, givesWay);
  const lines = readLines(program);
  const preparing = setTimeout(() => program.kill("SIGKILL"), preparedWithinMs);
  const { done } = await lines.next();
  clearTimeout(preparing);
  if (done) throw new Error("the load generator failed (its reason is above)");
  return {
    begin: async (patienceMs) => {
      program.stdin.write("go\n");
      program.stdin.flush();
      const late = setTimeout(() => program.kill("SIGKILL"), patienceMs);
      const { value } = await lines.next();
      clearTimeout(late);
      if (!value) throw new Error("the load generator failed (its reason is above, or it took too long)");
      return JSON.parse(value) as Report;
    },
    [Symbol.dispose]: () => program.kill("SIGKILL"),
  };
}

async function runJob(job: Job, core: Core): Promise<unknown> {
  const program = startJob(job, core);
  const line = (await readLines(program).next()).value;
  await program.exited;
  if (!line || program.exitCode !== 0) throw new Error("the load generator failed (its reason is above)");
  return JSON.parse(line);
}

function startJob(job: Job, core: Core, givesWay = false): Program {
  const program = start([process.execPath, join(import.meta.dir, "load", "main.ts")], { core, givesWay });
  program.stdin.write(`${JSON.stringify(job)}\n`);
  program.stdin.flush();
  return program;
}
