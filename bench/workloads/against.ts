// This checkout's Hearth against another checkout's: what a change costs.
import { startPostgres } from "../../tests/house/postgres.ts";
import { compare, othersBusy, type Turns, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { setStage } from "../people.ts";
import type { Findings, Row } from "../report.ts";
import { type HearthOptions, type RunningServer, startHearth } from "../servers.ts";
import { cpuPerDeliveryUs, setFanOut } from "./fan-out.ts";
import { weighHearth } from "./idle.ts";
import { read, setReading } from "./pages.ts";
import { cpuPerAnswerUs, peopleOfPosts, postAndListen } from "./posts.ts";

const workload = "against";

export async function measureAgainst(checkout: string, scale: Scale, logLevel?: string): Promise<Findings> {
  const here: HearthOptions = { logLevel };
  const there: HearthOptions = { logLevel, checkout };
  const both = <Item>(work: (options: HearthOptions) => Promise<Item>) =>
    takeTurns(
      scale.roundsAgainst,
      () => work(here),
      () => work(there),
    );
  const starts = await both(startMs);
  const weights = await both((options) => weighHearth(scale, options));
  // In fresh processes each time: what a runtime makes of the same code differs from one process to the next.
  const running = <Item>(prepare: (hearth: RunningServer) => Promise<() => Promise<Item>>) =>
    both(async (options) => {
      await using hearth = await startHearth(options);
      return await (await prepare(hearth))();
    });
  const posts = await running((hearth) => posting(hearth, scale));
  const pages = await running((hearth) => reading(hearth, scale));
  const fanOut = await running((hearth) => setFanOut(hearth, scale));
  const postgres = await onPostgres(here, there, scale);
  const row = <Item>(
    figure: string,
    unit: string,
    turns: Turns<Item>,
    value: (item: Item) => number,
  ): Row => ({
    workload,
    figure,
    unit,
    ...compare(turns, value),
  });
  const rows = [
    row("start to ready", "ms", starts, (ms) => ms),
    row("empty server", "MiB", weights, ({ empty }) => empty / 1024 ** 2),
    row("memory per idle socket", "KiB", weights, ({ perSocket }) => perSocket / 1024),
    row("posts", "/s", posts, (turn) => turn.perSecond),
    row("p99 of a post", "ms", posts, (turn) => turn.p99Ms),
    row("processor time per post", "µs", posts, cpuPerAnswerUs),
    row("pages", "/s", pages, (turn) => turn.perSecond),
    row("p99 of a page", "ms", pages, (turn) => turn.p99Ms),
    row("processor time per page", "µs", pages, cpuPerAnswerUs),
    row("processor time per delivery", "µs", fanOut, cpuPerDeliveryUs),
    row("p99, post to last listener", "ms", fanOut, (turn) => turn.p99Ms),
  ];
  if (postgres) {
    rows.push(
      row("posts, PostgreSQL", "/s", postgres, (turn) => turn.perSecond),
      row("p99 of a post, PostgreSQL", "ms", postgres, (turn) => turn.p99Ms),
    );
  }
  const busy = Math.max(othersBusy(posts), othersBusy(pages), othersBusy(fanOut));
  return { rows, othersBusy: busy, raw: { workload, starts, weights, posts, pages, fanOut, postgres } };
}

async function startMs(options: HearthOptions): Promise<number> {
  await using hearth = await startHearth(options);
  return hearth.startMs;
}

/** Each has its own PostgreSQL; whoever does not have its turn rests. Undefined where none is installed. */
async function onPostgres(here: HearthOptions, there: HearthOptions, scale: Scale) {
  await using ours = await startPostgres(true);
  await using theirs = await startPostgres(true);
  if (!ours || !theirs) return undefined;
  await using hearth = await startHearth({ ...here, databaseUrl: ours.url, core: "any" });
  await using other = await startHearth({ ...there, databaseUrl: theirs.url, core: "any" });
  return await takeTurns(
    scale.roundsAgainst,
    await posting(hearth, scale, "any"),
    await posting(other, scale, "any"),
  );
}

async function posting(hearth: RunningServer, scale: Scale, core?: "any") {
  const stage = await setStage(hearth.origin, peopleOfPosts);
  return () =>
    postAndListen(hearth, stage, { seconds: scale.warmupSeconds }, { seconds: scale.seconds }, core);
}

async function reading(hearth: RunningServer, scale: Scale) {
  const asked = await setReading(hearth);
  return () => read(hearth, asked, scale);
}
