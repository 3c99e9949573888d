// The guide to the gateway for authors of clients, used by the page for people and by the AsyncAPI description.
import { authLimitMs, heartbeatIntervalMs, resumeStreamsMax, silenceLimitS } from "../../protocol/frames.ts";
import { limits } from "../../protocol/limits.ts";
import { apiPrefix } from "../../protocol/operation.ts";
import { sessionCookie } from "../caller/authentication.ts";
import { socketsMax } from "../gateway/bounds.ts";

interface Chapter {
  title: string;
  /** Paragraphs, with protocol words in backticks. */
  text: readonly string[];
}

const kibibytes = limits.frame_bytes_max / 1024;

export const guide: readonly Chapter[] = [
  {
    title: "Connect",
    text: [
      `Open a WebSocket at \`/ws\` (or \`${apiPrefix}/ws\`). Both sides send text frames of JSON: a client \`{"type", "data"}\`, the gateway \`{"type", "data", "server_id" or "stream", "seq", "ts"}\`, where the three in the middle depend on the frame. Ignore types and fields that you do not know: further ones may come in any version.`,
      "Browsers are let in from trusted origins only, others get 403 in place of the upgrade. A token in the address is ignored.",
    ],
  },
  {
    title: "Sign in",
    text: [
      `The first frame is \`AUTH\`, within ${authLimitMs / 1000} seconds, with the \`token\` of a session or a bot; browsers leave it out, as their cookie \`${sessionCookie}\` counts. The answer is \`READY\`: who you are, your servers with all that is in them, the \`epoch\` of the log, and for each stream the number of its last event. Take your state from it; then every frame is a change of that state.`,
    ],
  },
  {
    title: "Stay",
    text: [
      `Send \`PING\` each ${heartbeatIntervalMs / 1000} seconds (\`heartbeat_interval_ms\`); \`PONG\` answers. A socket from which nothing comes for ${silenceLimitS} seconds is closed; pongs of the protocol count.`,
      `At most ${limits.frames_per_minute} frames in 60 seconds, pings and pongs of the protocol among them, each of at most ${kibibytes} KiB. A person has at most ${socketsMax} sockets: one more ends the oldest. What cannot be done is refused by \`ERROR\`, and the socket stays.`,
    ],
  },
  {
    title: "Streams and numbers",
    text: [
      "Each server has a stream of events, and each person has one of their own, named `@me`, with what concerns them alone; its frames have `stream` in place of `server_id`. An event that is kept has the next number of its stream, `seq`, the same for everybody who hears it. Numbers rise and may skip: events that you may not see are left out. An event leaves only after its change is committed.",
      "Live frames have no number and are not told again; `READY` shows what is so now.",
    ],
  },
  {
    title: "Come back",
    text: [
      `After a lost connection send \`AUTH\` with \`resume\`: the \`epoch\`, in \`streams\` the last number heard of every server that you are in (at most ${resumeStreamsMax}) and of \`@me\` (without it nothing of that stream is told again), in \`seen\` the \`ts\` of the frames that had these numbers, or of \`READY\` where none came since. Without \`seen\` a log that was set back, by an old copy of its data, goes unnoticed.`,
      "You get either every event that you missed, in its order, and then `RESUMED`; or a fresh `READY`, which replaces all you know: where the log does not reach back so far, it is another one, or your servers, roles or rights changed meanwhile. It is never half of both. This works across a restart of the server.",
      "Wait a random part of a time that doubles with each failure, from half a second to 30. What the close code asks for stands below.",
    ],
  },
];
