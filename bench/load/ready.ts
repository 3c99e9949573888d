// Workload of the generator: signs sockets in one after another, and measures READY.
import type { ReadyJob, ReadyResult } from "./jobs.ts";
import { createOutcome } from "./outcome.ts";
import { createStopwatch } from "./stopwatch.ts";
import { openWebSocket, type WebSocketConnection } from "./websocket-reader.ts";

interface Ready {
  servers: { channels: { id: string; last_message_id: string | null }[] }[];
  read_states?: { channel_id: string; last_read_id: string | null; mention_count: number }[];
}

export async function runReady(job: ReadyJob): Promise<ReadyResult> {
  const outcome = createOutcome();
  const watch = createStopwatch(job.target.pid, job);
  let signedIn = 0;
  let last = "";

  async function signInAgain(): Promise<void> {
    for (let goesOn = true; goesOn; signedIn++) {
      const begun = performance.now();
      last = await readyOf(job, outcome.fail);
      goesOn = watch.lap(performance.now() - begun);
    }
  }

  signInAgain().then(outcome.succeed, (error: unknown) => outcome.fail(String(error)));
  await outcome.settled(() => signedIn);
  outcome.check();
  return { ...watch.result(), ...weigh(last) };
}

/** Returns the first frame after AUTH as text. */
async function readyOf({ target, token }: ReadyJob, fail: (reason: string) => void): Promise<string> {
  const first = Promise.withResolvers<string>();
  const socket: WebSocketConnection = await openWebSocket(target.host, target.port, "/ws", {
    onText: (bytes, start, end) => first.resolve(bytes.toString("utf8", start, end)),
    onClose: fail,
  });
  socket.send(JSON.stringify({ type: "AUTH", data: { token } }));
  const text = await first.promise;
  socket.close();
  if (!text.startsWith('{"type":"READY"')) throw new Error(`the answer to AUTH was ${text.slice(0, 200)}`);
  return text;
}

function weigh(text: string): Pick<ReadyResult, "bytes" | "channels" | "readStates"> {
  const { data } = JSON.parse(text) as { data: Ready };
  const channels = data.servers.flatMap((server) => server.channels);
  const states = data.read_states;
  if (!states) return { bytes: Buffer.byteLength(text), channels: channels.length, readStates: undefined };
  const newest = new Map(channels.map((channel) => [channel.id, channel.last_message_id ?? ""]));
  return {
    bytes: Buffer.byteLength(text),
    channels: channels.length,
    readStates: {
      count: states.length,
      bytes: Buffer.byteLength(JSON.stringify(states)),
      unread: states.filter((state) => (newest.get(state.channel_id) ?? "") > (state.last_read_id ?? ""))
        .length,
      mentioning: states.filter((state) => state.mention_count > 0).length,
    },
  };
}
