// This checkout's Hearth against another checkout's: what a change costs those who only post and read.
import { compare, othersBusy, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { setStage } from "../people.ts";
import type { Findings, Row } from "../report.ts";
import { type RunningServer, startHearth } from "../servers.ts";
import { read, setReading } from "./pages.ts";
import { cpuPerAnswerUs, peopleOfPosts, postAndListen } from "./posts.ts";

const workload = "against";

export async function measureAgainst(checkout: string, scale: Scale, logLevel?: string): Promise<Findings> {
  const starts = await inTurns(scale.starts, checkout, logLevel);
  const posts = await onBoth(checkout, scale, logLevel, posting);
  const pages = await onBoth(checkout, scale, logLevel, reading);
  const rows: Row[] = [
    { workload, figure: "start to ready", unit: "ms", ...compare(starts, (ms) => ms) },
    { workload, figure: "posts", unit: "/s", ...compare(posts, (turn) => turn.perSecond) },
    { workload, figure: "p99 of a post", unit: "ms", ...compare(posts, (turn) => turn.p99Ms) },
    { workload, figure: "processor time per post", unit: "µs", ...compare(posts, cpuPerAnswerUs) },
    { workload, figure: "pages", unit: "/s", ...compare(pages, (turn) => turn.perSecond) },
    { workload, figure: "p99 of a page", unit: "ms", ...compare(pages, (turn) => turn.p99Ms) },
    { workload, figure: "processor time per page", unit: "µs", ...compare(pages, cpuPerAnswerUs) },
  ];
  const busy = Math.max(othersBusy(posts), othersBusy(pages));
  return { rows, othersBusy: busy, raw: { workload, starts, posts, pages } };
}

function inTurns(times: number, checkout: string, logLevel?: string) {
  const start = async (folder?: string) => {
    await using hearth = await startHearth({ logLevel, checkout: folder });
    return hearth.startMs;
  };
  return takeTurns(
    times,
    () => start(),
    () => start(checkout),
  );
}

async function onBoth<Result>(
  checkout: string,
  scale: Scale,
  logLevel: string | undefined,
  prepare: (hearth: RunningServer, scale: Scale) => Promise<() => Promise<Result>>,
) {
  await using here = await startHearth({ logLevel });
  await using there = await startHearth({ logLevel, checkout });
  return await takeTurns(scale.rounds, await prepare(here, scale), await prepare(there, scale));
}

async function posting(hearth: RunningServer, scale: Scale) {
  const stage = await setStage(hearth.origin, peopleOfPosts);
  return () => postAndListen(hearth, stage, { seconds: scale.warmupSeconds }, { seconds: scale.seconds });
}

async function reading(hearth: RunningServer, scale: Scale) {
  const asked = await setReading(hearth);
  return () => read(hearth, asked, scale);
}
