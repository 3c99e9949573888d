// Replays IRC logs through the public API of a real server, with listeners that check that they receive everything.

import type { Person } from "../client/person.ts";
import { openRoom, type Room } from "../client/room.ts";
import { type Arguments, readArguments, USAGE } from "./arguments.ts";
import { seatAudience } from "./audience.ts";
import { compareHistory } from "./keeping.ts";
import { readLogs } from "./logs.ts";
import { startProgress } from "./progress.ts";
import { isClean, type Run, report } from "./report.ts";
import { type Script, writeScript } from "./script.ts";
import { replayServer } from "./server.ts";
import { type Speech, speak } from "./speaking.ts";
import { Timing } from "./timing.ts";

const OWNER = "replay-owner";

process.exitCode = await main();

async function main(): Promise<number> {
  try {
    const args = readArguments(Bun.argv.slice(2));
    const run = await replay(args);
    console.log(report(run));
    return isClean(run) ? 0 : 1;
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    return 2;
  }
}

async function replay(args: Arguments): Promise<Run> {
  const listenerNames = Array.from({ length: args.listeners }, (_, index) => `listener-${index + 1}`);
  const logs = readLogs(args.folder);
  const script = writeScript(logs, [OWNER, ...listenerNames]);
  const server = await replayServer(args);
  const progress = startProgress();
  try {
    const everybody = [...script.usernames, ...listenerNames];
    let entered = 0;
    progress.describe = () => `registered and joined ${entered} of ${everybody.length}`;
    const room = await openRoom(server.url, {
      owner: OWNER,
      channels: logs.map((log) => log.name),
      members: everybody,
      entered: () => {
        entered += 1;
      },
    });
    const listeners = listenerNames.map((name) => room.members.get(name) as Person);
    return await perform(args, script, room, listeners, progress);
  } finally {
    progress.stop();
    await server.end();
  }
}

async function perform(
  args: Arguments,
  script: Script,
  room: Room,
  listeners: Person[],
  progress: { describe: () => string },
): Promise<Run> {
  const timing = new Timing();
  const speech: Speech = { acknowledged: new Map(), failures: [], mentions: { meant: 0, understood: 0 } };
  const audience = await seatAudience(listeners, script.posts.length, args.cut, timing);
  const begun = performance.now();
  progress.describe = () => {
    const rate = Math.round((speech.acknowledged.size / (performance.now() - begun)) * 1_000);
    const cuts = audience.seats.reduce((sum, { listener }) => sum + listener.counts.cuts, 0);
    return `posted ${speech.acknowledged.size} of ${script.posts.length}, ${rate}/s, heard ${timing.deliveries}, cuts ${cuts}`;
  };
  await speak(script, room, speech, args.atOnce, (message, sentAt) => {
    timing.posted(message.id, sentAt);
    audience.advance(speech.acknowledged.size);
  });
  const ended = performance.now();
  await audience.untilAllHeard(speech.acknowledged.size);
  audience.leave();
  progress.describe = () => "reading every channel back";
  const kept = await compareHistory(room, speech.acknowledged);
  return {
    script,
    channels: room.channels.size,
    seats: audience.seats,
    speech,
    timing,
    kept,
    begun,
    ended,
  };
}
