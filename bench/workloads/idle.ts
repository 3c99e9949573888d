// The idle server: its start time, and its memory when empty and with thousands of idle sockets.
import { join } from "node:path";
import type { Listeners } from "../load/jobs.ts";
import { holdSockets } from "../load-generator.ts";
import { median } from "../medians.ts";
import type { Scale } from "../options.ts";
import { setStage } from "../people.ts";
import { residentMemory } from "../process-stats.ts";
import type { Findings } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { type HearthOptions, type RunningServer, startHearth, startReference } from "../servers.ts";

const people = 20;
const kib = 1024;
const mib = 1024 * 1024;

export async function measureIdle(scale: Scale, logLevel?: string): Promise<Findings> {
  const starts = await measureStarts(scale.starts, () => startMs({ logLevel }));
  const startsAgain = await measureStarts(scale.starts, () => startAgainMs({ logLevel }));
  const hearthWeight = await weighHearth(scale, { logLevel });
  await using reference = await startReference("publish");
  const bare = { path: "/", serverId: "reference", tokens: [""], sockets: scale.idleSockets };
  const referenceWeight = await weigh(reference, bare, scale.settleSeconds);

  const workload = "idle";
  return {
    rows: [
      {
        workload,
        figure: `memory per idle socket, ${scale.idleSockets} of them`,
        value: hearthWeight.perSocket / kib,
        unit: "KiB",
        reference: referenceWeight.perSocket / kib,
        ratio: hearthWeight.perSocket / referenceWeight.perSocket,
        target: { atMost: 8 },
      },
      {
        workload,
        figure: "empty server",
        value: hearthWeight.empty / mib,
        unit: "MiB",
        reference: referenceWeight.empty / mib,
        ratio: hearthWeight.empty / referenceWeight.empty,
        target: { below: 90 },
      },
      {
        workload,
        figure: `start to ready, median of ${scale.starts}, new data folder`,
        value: median(starts) / 1000,
        unit: "s",
        target: { below: 1 },
      },
      {
        workload,
        figure: "the same, a data folder that is there",
        value: median(startsAgain) / 1000,
        unit: "s",
        target: { atMost: 0.2 },
      },
    ],
    raw: { workload, starts, startsAgain, hearthWeight, referenceWeight },
  };
}

async function measureStarts(count: number, startOnce: () => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) times.push(await startOnce());
  return times;
}

export async function startMs(options: HearthOptions): Promise<number> {
  await using hearth = await startHearth(options);
  return hearth.startMs;
}

/** Measures a start in a folder with a database, as every start but the first has. */
export async function startAgainMs(options: HearthOptions): Promise<number> {
  using scratch = scratchFolder();
  const own = { ...options, dataDir: join(scratch.path, "data") };
  await startMs(own);
  return await startMs(own);
}

/**
 * Measures a process whose people were registered by an earlier one, so that it has hashed no password: the memory
 * that it gains is that of the sockets.
 */
export async function weighHearth(scale: Scale, options: HearthOptions) {
  using scratch = scratchFolder();
  const own = { ...options, dataDir: join(scratch.path, "data") };
  const { serverId, tokens } = await registerPeople(own);
  await using hearth = await startHearth(own);
  const listeners = { path: "/ws", serverId, tokens, sockets: scale.idleSockets };
  return await weigh(hearth, listeners, scale.settleSeconds);
}

async function registerPeople(options: HearthOptions): Promise<{ serverId: string; tokens: string[] }> {
  await using hearth = await startHearth(options);
  const stage = await setStage(hearth.origin, people);
  return { serverId: stage.serverId, tokens: stage.people.map((person) => person.token) };
}

async function weigh({ target }: RunningServer, listeners: Listeners, settleSeconds: number) {
  await Bun.sleep(Math.min(settleSeconds, 5) * 1000);
  const empty = residentMemory(target.pid).all;
  const held = await holdSockets({ target, listeners });
  const samples: number[] = [];
  for (let second = 0; second < settleSeconds; second++) {
    await Bun.sleep(1000);
    samples.push(residentMemory(target.pid).all);
  }
  const lost = await held.release();
  if (lost > 0 || held.open !== listeners.sockets) throw new Error(`${lost} idle sockets were lost`);
  // The last samples are taken after the garbage of signing in was collected.
  const settled = median(samples.slice(-5));
  return { empty, settled, samples, perSocket: (settled - empty) / held.open };
}
