// The newest 50 messages of a channel, against a static response of the same bytes.
import type { RequestResult } from "../load/jobs.ts";
import { requests } from "../load-generator.ts";
import { compare, othersBusy, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { call, type Stage, setStage } from "../people.ts";
import { newestPage, pages, rawRequest } from "../raw-requests.ts";
import type { Findings } from "../report.ts";
import { type RunningServer, startHearth, startReference } from "../servers.ts";
import { checkNewest, cpuPerAnswerUs, postOnly } from "./posts.ts";

const people = 10;
const readers = 8;
const inFlight = 64;
const posted = 200;

export async function measurePages(scale: Scale, logLevel?: string): Promise<Findings> {
  await using hearth = await startHearth({ logLevel });
  await using reference = await startReference("static");
  const reading = await setReading(hearth);
  const { page } = reading;
  await fetch(reference.origin, { method: "POST", body: page });
  const turns = await takeTurns(
    scale.rounds,
    () => read(hearth, reading, scale),
    () => read(reference, { page, requests: [[rawRequest(reference.origin, "GET", "/")]] }, scale),
  );

  const rate = compare(turns, (turn) => turn.perSecond);
  const workload = "pages";
  return {
    rows: [
      {
        workload,
        figure: `newest 50 messages, ${Math.round(Buffer.byteLength(page) / 1024)} KiB a page`,
        unit: "/s",
        value: rate.value,
        target: { atLeast: 5000 },
      },
      {
        workload,
        figure: "the same, against a fixed answer",
        unit: "/s",
        ...rate,
        target: { atLeast: 0.6 },
        targetIsRatio: true,
      },
      { workload, figure: "server processor time per page", unit: "µs", ...compare(turns, cpuPerAnswerUs) },
      { workload, figure: "p99, request to answer", unit: "ms", ...compare(turns, (turn) => turn.p99Ms) },
    ],
    othersBusy: othersBusy(turns),
    raw: { workload, ...turns },
  };
}

interface Reading {
  /** The response body that every reader must get. */
  page: string;
  /** Each reader's requests. */
  requests: string[][];
}

/** Creates a channel with messages and reactions, and the requests of people who read its newest page. */
export async function setReading(hearth: RunningServer): Promise<Reading> {
  const stage = await setStage(hearth.origin, people);
  await postOnly(hearth, stage, posted);
  await checkNewest(stage);
  await react(stage);
  const reading = stage.people.slice(-readers);
  const page = JSON.stringify(await call(stage.origin, reading[0]!, "GET", newestPage(stage)));
  return { page, requests: reading.map((reader) => pages(stage, reader)) };
}

export function read(server: RunningServer, reading: Reading, scale: Scale): Promise<RequestResult> {
  return requests({
    target: server.target,
    requests: reading.requests,
    inFlight,
    expectedStatus: 200,
    expectedBody: reading.page,
    warmup: { seconds: scale.warmupSeconds },
    measured: { seconds: scale.seconds },
  });
}

/** Adds reactions: a real page has some, and reading them is part of its cost. */
async function react(stage: Stage): Promise<void> {
  const page = await call<{ id: string }[]>(stage.origin, stage.people[0]!, "GET", newestPage(stage));
  for (const { id } of page.filter((_, index) => index % 10 === 3)) {
    // The readers do not react: a page marks one's own reactions, so their pages would differ.
    for (const person of stage.people.slice(0, people - readers)) {
      await call(stage.origin, person, "POST", `/messages/${id}/reactions`, { emoji: "👍" });
    }
  }
}
