// The load generator: reads one job from standard input, runs it, prints the result as one line.
import { runBystander } from "./bystander.ts";
import { runFanOut } from "./fan-out.ts";
import { runHold } from "./hold.ts";
import type { Job } from "./jobs.ts";
import { runReaders } from "./readers.ts";
import { runReady } from "./ready.ts";
import { runRequests } from "./requests.ts";

const input = console[Symbol.asyncIterator]();

async function run(job: Job): Promise<unknown> {
  if (job.kind === "requests") return runRequests(job);
  if (job.kind === "fan-out") return runFanOut(job);
  if (job.kind === "readers") return runReaders(job);
  if (job.kind === "ready") return runReady(job);
  if (job.kind === "hold") return runHold(job, endOfInput());
  if (job.kind === "bystander") return runBystander(job, wordToBegin);
  return (await import("./attack.ts")).runAttack(job, wordToBegin);
}

async function wordToBegin(): Promise<void> {
  console.log("{}");
  await input.next();
}

async function endOfInput(): Promise<void> {
  while (!(await input.next()).done);
}

try {
  const job = JSON.parse((await input.next()).value ?? "") as Job;
  console.log(JSON.stringify(await run(job)));
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
