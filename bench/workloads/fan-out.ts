// One poster and a room of a thousand or a hundred sockets, every delivery checked by number, against bare publish.
import type { FanOutResult, Listeners } from "../load/jobs.ts";
import { numberMark } from "../load/jobs.ts";
import { fanOut, requests } from "../load-generator.ts";
import { compare, othersBusy, takeTurns } from "../medians.ts";
import type { Scale } from "../options.ts";
import { setStage } from "../people.ts";
import { posts, rawRequest } from "../raw-requests.ts";
import type { Findings, Row } from "../report.ts";
import { type RunningServer, startHearth, startReference } from "../servers.ts";
import { postOnly } from "./posts.ts";

const workload = "fan-out";
const people = 20;

export async function measureFanOut(scale: Scale, logLevel?: string): Promise<Findings> {
  const large = await measureRoom(scale.fanOutSockets, 1.2, scale, logLevel);
  const room = await measureRoom(scale.roomSockets, 1.5, scale, logLevel);
  return {
    rows: [...large.rows, ...room.rows],
    othersBusy: Math.max(large.othersBusy, room.othersBusy),
    raw: { workload, large: large.turns, room: room.turns },
  };
}

/** Measures Hearth and bare publish in turn, with the same number of sockets. */
async function measureRoom(sockets: number, mostRatio: number, scale: Scale, logLevel?: string) {
  await using hearth = await startHearth({ logLevel });
  await using reference = await startReference("publish");
  const postToAll = await setFanOut(hearth, scale, sockets);
  await postBare(reference, scale.postsBeforeFanOut);
  const turns = await takeTurns(scale.rounds, postToAll, ({ frame }) => {
    const numbered = frame.replace(/"seq":\d+/, `"seq":${numberMark}`);
    const request = rawRequest(reference.origin, "POST", "/", undefined, numbered);
    const listeners = { path: "/", serverId: "reference", tokens: [""], sockets };
    return round(reference, scale, [request], 204, listeners);
  });
  const row = (figure: string, unit: string, value: (turn: FanOutResult) => number): Row => ({
    workload,
    figure: `${figure}, ${sockets} sockets`,
    unit,
    ...compare(turns, value),
  });
  const rows: Row[] = [
    {
      ...row("server processor time per delivery", "µs", cpuPerDeliveryUs),
      target: { atMost: mostRatio },
      targetIsRatio: true,
    },
    row("deliveries, none missing", "/s", (turn) => turn.deliveries / turn.seconds),
    row("p99, post to last listener", "ms", (turn) => turn.p99Ms),
  ];
  return { rows, turns, othersBusy: othersBusy(turns) };
}

/** Prepares a server. Returns a function that runs one round of sequential posts to that many sockets. */
export async function setFanOut(
  hearth: RunningServer,
  scale: Scale,
  sockets: number,
): Promise<() => Promise<FanOutResult>> {
  const stage = await setStage(hearth.origin, people);
  const [poster, ...listening] = stage.people;
  const tokens = listening.map((person) => person.token);
  const listeners = { path: "/ws", serverId: stage.serverId, tokens, sockets };
  // Warm-up: at a few posts a second the runtime would take minutes to compile what a busy server has long compiled.
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
    // Twice the usual warm-up: signing in a thousand sockets leaves garbage and half-compiled code behind.
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
