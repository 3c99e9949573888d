// The largest server: whether READY and a page of its members cost more with a million members than with two.
import { join } from "node:path";
import { Filler } from "../filler.ts";
import { requests, signIns } from "../load-generator.ts";
import type { Scale } from "../options.ts";
import { type Stage, setStage } from "../people.ts";
import { rawRequest } from "../raw-requests.ts";
import { scratchFolder } from "../scratch.ts";
import { type HearthOptions, startHearth } from "../servers.ts";

export interface LargestFigures {
  largestMembers: number;
  /** Processor time of READY, and of the first hundred members. */
  readyOfTwoUs: number;
  readyOfLargestUs: number;
  membersOfTwoUs: number;
  membersOfLargestUs: number;
}

const inFlight = 16;
/** How many people are written at a time, so that not all of them are in memory. */
const piece = 50_000;

/** Measures on the embedded engine, where a million people can be written within a minute. */
export async function measureLargest(scale: Scale, logLevel?: string): Promise<LargestFigures> {
  using scratch = scratchFolder();
  const options = { dataDir: join(scratch.path, "data"), logLevel };
  const stage = await openStage(options);
  const two = await ask(options, stage, scale);
  const largestMembers = scale.smoke ? 1000 : 1_000_000;
  fill(options.dataDir, stage.serverId, largestMembers);
  const many = await ask(options, stage, scale);
  return {
    largestMembers,
    readyOfTwoUs: two.readyUs,
    readyOfLargestUs: many.readyUs,
    membersOfTwoUs: two.membersUs,
    membersOfLargestUs: many.membersUs,
  };
}

async function openStage(options: HearthOptions): Promise<Stage> {
  await using hearth = await startHearth(options);
  return await setStage(hearth.origin, 2);
}

function fill(dataDir: string, serverId: string, members: number): void {
  using filler = new Filler(dataDir);
  for (let made = 0; made < members; made += piece) {
    const count = Math.min(piece, members - made);
    filler.join(serverId, filler.people(`m${made / piece}x`, count));
  }
}

async function ask(options: HearthOptions, { serverId, people }: Stage, scale: Scale) {
  await using hearth = await startHearth(options);
  const round = { warmup: { seconds: scale.warmupSeconds }, measured: { seconds: scale.seconds } };
  const { target, origin } = hearth;
  const [, reader] = people;
  const ready = await signIns({ ...round, target, token: reader!.token });
  const path = `/api/v1/servers/${serverId}/members?limit=100`;
  const members = await requests({
    ...round,
    target,
    requests: [[rawRequest(origin, "GET", path, reader)]],
    inFlight,
    expectedStatus: 200,
  });
  return {
    readyUs: (ready.serverCpuMs * 1000) / ready.answers,
    membersUs: (members.serverCpuMs * 1000) / members.answers,
  };
}
