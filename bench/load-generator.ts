// Runs the load generator on its own core: one process a job, so that no job inherits another's garbage.
import { join } from "node:path";
import type {
  FanOutJob,
  FanOutResult,
  HoldJob,
  HoldReport,
  Job,
  RequestJob,
  RequestResult,
} from "./load/jobs.ts";
import { type Core, type Program, start } from "./processes.ts";

export interface HeldSockets {
  open: number;
  /** Lets go of the sockets; says how many had been lost by then. */
  release(): Promise<number>;
}

export async function requests(job: Omit<RequestJob, "kind">, core: Core = 1): Promise<RequestResult> {
  return (await runJob({ kind: "requests", ...job }, core)) as RequestResult;
}

export async function fanOut(job: Omit<FanOutJob, "kind">): Promise<FanOutResult> {
  return (await runJob({ kind: "fan-out", ...job }, 1)) as FanOutResult;
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

async function runJob(job: Job, core: Core): Promise<unknown> {
  const program = startJob(job, core);
  const line = (await readLines(program).next()).value;
  await program.exited;
  if (!line || program.exitCode !== 0) throw new Error("the load generator failed (its reason is above)");
  return JSON.parse(line);
}

function startJob(job: Job, core: Core): Program {
  const program = start([process.execPath, join(import.meta.dir, "load", "main.ts")], { core });
  program.stdin.write(`${JSON.stringify(job)}\n`);
  program.stdin.flush();
  return program;
}

async function* readLines(program: Program): AsyncGenerator<string, undefined> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of program.stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
