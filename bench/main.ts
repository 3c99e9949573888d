// The benchmark: runs workloads against a real server and references, prints a table and writes a file.
import { describeMachine, type Machine } from "./machine.ts";
import { type Options, readOptions, usage, type WorkloadName } from "./options.ts";
import { killAll } from "./processes.ts";
import { type Findings, table, writeResults } from "./report.ts";
import { removeAllScratch } from "./scratch.ts";
import { measureAgainst } from "./workloads/against.ts";
import { measureBystander } from "./workloads/bystander.ts";
import { measureCapacity } from "./workloads/capacity.ts";
import { measureCluster } from "./workloads/cluster.ts";
import { measureCosts } from "./workloads/costs.ts";
import { measureDirect } from "./workloads/direct.ts";
import { measureFanOut } from "./workloads/fan-out.ts";
import { measureGrowth } from "./workloads/growth.ts";
import { measureHostile } from "./workloads/hostile.ts";
import { measureIdle } from "./workloads/idle.ts";
import { measureImages } from "./workloads/images.ts";
import { measureLogins } from "./workloads/logins.ts";
import { measureMentions } from "./workloads/mentions.ts";
import { measurePages } from "./workloads/pages.ts";
import { measurePostgres } from "./workloads/postgres.ts";
import { measurePosts } from "./workloads/posts.ts";
import { measurePrivate } from "./workloads/private.ts";
import { measureReaders } from "./workloads/readers.ts";
import { measureReady } from "./workloads/ready.ts";
import { measureUploads } from "./workloads/uploads.ts";
import { measureWeb, measureWebAgainst } from "./workloads/web.ts";

async function main(): Promise<number> {
  const options = optionsOrUsage();
  if (!options) return 2;
  const machine = describeMachine();
  console.log(introduce(machine));
  const findings: Findings[] = [];
  const broken: string[] = [];
  for (const name of options.workloads) {
    console.error(`${name} …`);
    try {
      const found = await measure(name, options, machine);
      if (found) findings.push(found);
      else console.log(`${name}: skipped, what it needs is not installed`);
    } catch (error) {
      broken.push(name);
      abandon();
      console.error(`${name} failed: ${error instanceof Error ? error.message : error}`);
    }
  }
  const rows = findings.flatMap((finding) => finding.rows);
  for (const finding of findings) if (finding.table) console.log(`\n${finding.table}`);
  console.log(`\n${table(rows, !options.scale.smoke)}\n`);
  console.log(`Kept in ${writeResults(machine, options.scale, findings)}`);
  if (options.scale.smoke)
    console.log("A smoke run: it shows that the bench works; its figures mean nothing.");
  // A slow figure is for people to judge; only a broken workload fails the run.
  if (broken.length > 0) console.log(`Broken: ${broken.join(", ")}`);
  return broken.length > 0 ? 1 : 0;
}

function measure(
  name: WorkloadName,
  { scale, logLevel, against, postgres, bystander }: Options,
  machine: Machine,
): Promise<Findings | undefined> {
  switch (name) {
    case "posts":
      return measurePosts(scale, machine, logLevel);
    case "mentions":
      return measureMentions(scale, logLevel);
    case "logins":
      return measureLogins(scale, logLevel);
    case "uploads":
      return measureUploads(scale, logLevel);
    case "images":
      return measureImages(scale, logLevel);
    case "web":
      return against === undefined
        ? measureWeb(scale, logLevel)
        : measureWebAgainst(against, scale, logLevel);
    case "fan-out":
      return measureFanOut(scale, logLevel);
    case "readers":
      return measureReaders(scale, logLevel);
    case "ready":
      return measureReady(scale, logLevel);
    case "private":
      return measurePrivate(scale, logLevel);
    case "direct":
      return measureDirect(scale, logLevel);
    case "pages":
      return measurePages(scale, logLevel);
    case "growth":
      return measureGrowth(scale, logLevel);
    case "idle":
      return measureIdle(scale, logLevel);
    case "hostile":
      return measureHostile(scale, logLevel);
    case "costs":
      return measureCosts(scale, postgres, logLevel);
    case "bystander":
      return measureBystander(scale, bystander, logLevel);
    case "postgres":
      return measurePostgres(scale, machine, logLevel);
    case "cluster":
      return measureCluster(scale, machine, logLevel);
    case "capacity":
      return measureCapacity(scale, machine, logLevel);
    case "against":
      return measureAgainst(against!, scale, logLevel);
  }
}

function optionsOrUsage(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    return undefined;
  }
}

function introduce(machine: Machine): string {
  const { processor, cores, statedMhz, clockGhz, memoryGb, bun } = machine;
  const lines = [
    `${processor}, ${cores} cores, ${statedMhz} MHz stated, ${clockGhz} GHz measured, ${memoryGb} GiB, Bun ${bun}`,
  ];
  if (!machine.pinned)
    lines.push("Not pinned: server and load generator share their cores; ratios are vague.");
  if (machine.temporaryFolderIsMemory) {
    lines.push("The temporary folder is only memory: durable figures mean nothing (set TMPDIR to a disk).");
  }
  return lines.join("\n");
}

/** Kills all processes of the run and deletes its temporary folders. */
function abandon(): void {
  killAll();
  removeAllScratch();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    abandon();
    process.exit(130);
  });
}
process.exit(await main());
