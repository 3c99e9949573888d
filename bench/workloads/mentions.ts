// Posts that mention a hundred people and everyone in a large server, while the pushes are sent.
import { join } from "node:path";
import { gatherCrowd } from "../crowd.ts";
import type { RequestResult } from "../load/jobs.ts";
import { requests } from "../load-generator.ts";
import { medianOf } from "../medians.ts";
import type { Scale } from "../options.ts";
import { setStage } from "../people.ts";
import { openPushSink } from "../push-sink.ts";
import { rawRequest } from "../raw-requests.ts";
import type { Findings } from "../report.ts";
import { scratchFolder } from "../scratch.ts";
import { startHearth } from "../servers.ts";

const inFlight = 8;
const called = 100;

export async function measureMentions(scale: Scale, logLevel?: string): Promise<Findings> {
  using scratch = scratchFolder();
  using sink = openPushSink();
  const dataDir = join(scratch.path, "data");
  const stage = await founded(dataDir);
  const crowd = gatherCrowd(dataDir, stage.serverId, scale.crowd - stage.people.length);

  await using hearth = await startHearth({ dataDir, logLevel, pushPort: sink.port });
  const [owner] = stage.people;
  const names = crowd.slice(0, called).map((id) => `<@${id}>`);
  const post = (content: string) =>
    rawRequest(hearth.origin, "POST", `/api/v1/channels/${stage.channelId}/messages`, owner, { content });
  const round = () =>
    requests({
      target: hearth.target,
      requests: [[post(`@everyone ${names.join("")}`)]],
      inFlight,
      expectedStatus: 201,
      warmup: { seconds: scale.warmupSeconds },
      measured: { seconds: scale.seconds },
    });
  const results: RequestResult[] = [];
  const before = sink.taken();
  for (let i = 0; i < scale.rounds; i++) results.push(await round());
  // On a busy machine a short run may be over before the first push is sent.
  for (let waitedMs = 0; sink.taken() === before && waitedMs < 10_000; waitedMs += 100) await Bun.sleep(100);
  const pushed = sink.taken() - before;
  if (pushed === 0) throw new Error("no push went out");
  const workload = "mentions";
  return {
    rows: [
      {
        workload,
        figure: `p99 of a post that calls ${called} people and everybody of ${scale.crowd.toLocaleString("en-US")}`,
        value: medianOf(results, (result) => result.p99Ms),
        unit: "ms",
        target: { below: 100 },
      },
      { workload, figure: "such posts", value: medianOf(results, (result) => result.perSecond), unit: "/s" },
      { workload, figure: "pushes that went out meanwhile", value: pushed, unit: "" },
    ],
    raw: { workload, results, pushed },
  };
}

async function founded(dataDir: string) {
  await using hearth = await startHearth({ dataDir });
  return await setStage(hearth.origin, 2);
}
