// One poster and a thousand sockets, every delivery checked by number, against Bun's bare publish.
import type { FanOutResult, Listeners } from "../load/jobs.ts";
import { numberMark } from "../load/jobs.ts";
import { fanOut, requests } from "../load-generator.ts";
import { compare, othersBusy, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { setStage } from "../people.ts";
import { posts, rawRequest } from "../raw-requests.ts";
import type { Findings } from "../report.ts";
import { type RunningServer, startHearth, startReference } from "../servers.ts";
import { postOnly } from "./posts.ts";

const people = 20;

export async function measureFanOut(scale: Scale, logLevel?: string): Promise<Findings> {
  await using hearth = await startHearth({ logLevel });
  await using reference = await startReference("publish");
  const sockets = scale.fanOutSockets;
  const postToAll = await setFanOut(hearth, scale);
  await postBare(reference, scale.postsBeforeFanOut);
  const turns = await takeTurns(scale.rounds, postToAll, ({ frame }) => {
    const numbered = frame.replace(/"seq":\d+/, `"seq":${numberMark}`);
    const request = rawRequest(reference.origin, "POST", "/", undefined, numbered);
    const listeners = { path: "/", serverId: "reference", tokens: [""], sockets };
    return round(reference, scale, [request], 204, listeners);
  });

  const workload = "fan-out";
  return {
    rows: [
      {
        workload,
        figure: `server processor time per delivery, ${sockets} sockets`,
        unit: "µs",
        ...compare(turns, cpuPerDeliveryUs),
        target: { atMost: 1.2 },
        targetIsRatio: true,
      },
      {
        workload,
        figure: "deliveries, none missing",
        unit: "/s",
        ...compare(turns, (turn) => turn.deliveries / turn.seconds),
      },
      { workload, figure: "p99, post to last listener", unit: "ms", ...compare(turns, (turn) => turn.p99Ms) },
    ],
    othersBusy: othersBusy(turns),
    raw: { workload, ...turns },
  };
}

/** A round of posts to a thousand sockets, to be repeated. */
export async function setFanOut(hearth: RunningServer, scale: Scale): Promise<() => Promise<FanOutResult>> {
  const stage = await setStage(hearth.origin, people);
  const [poster, ...listening] = stage.people;
  const tokens = listening.map((person) => person.token);
  const listeners = { path: "/ws", serverId: stage.serverId, tokens, sockets: scale.fanOutSockets };
  // At a few posts a second a runtime would take minutes to compile what a busy server has compiled long ago.
  await postOnly(hearth, stage, scale.postsBeforeFanOut);
  return () => round(hearth, scale, posts(stage, poster!), 201, listeners);
}

function round(
  { target }: RunningServer,
  scale: Scale,
  lines: string[],
  expectedStatus: number,
  listeners: Listeners,
): Promise<FanOutResult> {
  return fanOut({
    target,
    listeners,
    requests: lines,
    expectedStatus,
    // Longer than elsewhere: signing in a thousand sockets leaves garbage and half-compiled code behind.
    warmup: { seconds: 2 * scale.warmupSeconds },
    measured: { seconds: scale.seconds },
  });
}

async function postBare({ origin, target }: RunningServer, count: number): Promise<void> {
  await requests({
    target,
    requests: [[rawRequest(origin, "POST", "/", undefined, "a message")]],
    inFlight: 64,
    expectedStatus: 204,
    warmup: { answers: 1 },
    measured: { answers: count },
  });
}

export function cpuPerDeliveryUs(result: FanOutResult): number {
  return (result.serverCpuMs * 1000) / result.deliveries;
}
