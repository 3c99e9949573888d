// Durable posts into one hot channel on PostgreSQL, which shares the machine's two cores with everything else.
import { startPostgres } from "../../tests/house/servers/postgres.ts";
import type { Machine } from "../machine.ts";
import { medianOf } from "../medians.ts";
import type { Scale } from "../options.ts";
import { setStage } from "../people.ts";
import type { Findings } from "../report.ts";
import { startHearth } from "../servers.ts";
import { checkNewest, peopleOfPosts, postAndListen, roundOf } from "./posts.ts";

export async function measurePostgres(
  scale: Scale,
  machine: Machine,
  logLevel?: string,
): Promise<Findings | undefined> {
  await using postgres = await startPostgres(true);
  if (!postgres) return undefined;
  await using hearth = await startHearth({ databaseUrl: postgres.url, core: "any", logLevel });
  const stage = await setStage(hearth.origin, peopleOfPosts);
  const turns = [];
  for (let round = 0; round < scale.rounds; round++) {
    turns.push(await postAndListen(hearth, stage, { ...roundOf(scale), core: "any" }));
  }
  await checkNewest(stage);
  const workload = "postgres";
  return {
    rows: [
      {
        workload,
        figure: `durable posts into one channel, ${machine.cores} cores for everything`,
        value: medianOf(turns, (turn) => turn.perSecond),
        unit: "/s",
        target: { atLeast: 5000 },
      },
      {
        workload,
        figure: "p99, request to answer",
        value: medianOf(turns, (turn) => turn.p99Ms),
        unit: "ms",
      },
    ],
    raw: { workload, turns },
  };
}
