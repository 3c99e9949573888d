// The gateway's part of the page of the description: frames, events, audiences and close codes.

import { authData, resumeData } from "../../protocol/client-frames.ts";
import type { EventDeclaration } from "../../protocol/event.ts";
import { authLimitMs, closeCode, heartbeatIntervalMs, silenceLimitS } from "../../protocol/frames.ts";
import { limits } from "../../protocol/limits.ts";
import { socketsMax } from "../gateway/bounds.ts";
import type { House } from "../house/house.ts";
import { schemaOf } from "./schemas.ts";
import { asText, code, fieldTable, withCode } from "./shapes.ts";

const heardBy = {
  server: "all members of the server",
  channel: "members of the server who see the channel",
  person: "the person alone, on all of their connections",
};

/** What the gateway says beside READY and the events of features. */
const spoken: readonly [type: string, meaning: string][] = [
  ["RESUMED", "The answer to AUTH with `resume`, after every missed event: `replayed`, how many there were."],
  ["PONG", "The answer to PING."],
  ["ERROR", "A frame was refused: `error` and `code`. The socket stays."],
  [
    "SERVER_CREATE",
    "To a person who just came into a server: its entry as READY would have it. Live, without `seq`.",
  ],
];

export function gatewaySections(house: House): string {
  const events = house.features.flatMap((feature) => feature.events ?? []);
  return [
    `<section id="gateway"><h2>The gateway</h2>${introduction()}${framesOfClients(house)}${framesOfGateway(house)}</section>`,
    `<section id="events"><h2>Events</h2><p>An event leaves only after its change is committed. Those with a <code>seq</code> are numbered by server and replayed to clients that resume.</p>${events.map(eventArticle).join("")}</section>`,
    `<section id="close-codes"><h2>Close codes</h2>${closeCodes()}</section>`,
  ].join("");
}

function introduction(): string {
  return `<p>A WebSocket at ${code("/ws")}, text frames of JSON. A client sends ${code('{"type", "data"}')}, the server ${code('{"type", "data", "server_id"? or "stream"?, "seq"?, "ts"}')}.</p>
<p>The first frame is AUTH, within ${authLimitMs / 1000} seconds. Browsers leave <code>token</code> out: their cookie counts. A client shows that it is alive at least every ${silenceLimitS} seconds, best by PING each ${heartbeatIntervalMs / 1000}. At most ${limits.frames_per_minute} frames a minute, pings and pongs of the protocol among them, each of at most ${limits.frame_bytes_max / 1024} KiB. At most ${socketsMax} sockets a person: one more ends the oldest, which does not come back by itself.</p>`;
}

function framesOfClients(house: House): string {
  const auth = authData.extend({ resume: resumeData.optional() });
  const frames: string[] = [
    article(
      "AUTH",
      "Who this is, and from where to go on: streams has the last number heard of each server, and of one's own stream under @me (without it nothing of that is replayed), seen the ts of the frame that had it, or of READY when none came since. Without seen a log that was set back goes unnoticed.",
      fieldTable(schemaOf(auth, "input")),
    ),
    article("PING", "Asks for a PONG.", ""),
  ];
  for (const { type, data } of house.features.flatMap((feature) => feature.frames ?? [])) {
    frames.push(article(type, "", fieldTable(schemaOf(data, "input"))));
  }
  return `<h3>What a client may say</h3>${frames.join("")}`;
}

function framesOfGateway(house: House): string {
  const fields = house.features.flatMap((feature) => feature.readyFields ?? []);
  const entry = [...new Set(["id", ...fields, "seq"])].map((field) => `\`${field}\``).join(", ");
  const ready = `The answer to AUTH: \`user\`, \`personal\` (the \`seq\` of one's own stream), \`session_id\`, \`epoch\`, \`heartbeat_interval_ms\` and \`servers\`, each with ${entry}.`;
  const rows = [["READY", ready] as const, ...spoken].map(
    ([type, meaning]) => `<tr><td>${code(type)}</td><td>${withCode(meaning)}</td></tr>`,
  );
  return `<h3>What the gateway says, besides the events</h3><table class="narrow"><tbody>${rows.join("")}</tbody></table>`;
}

function eventArticle({ type, data, happensIn, live }: EventDeclaration): string {
  const kept = live ? "Live only, without <code>seq</code>." : "With <code>seq</code>, replayed.";
  return `<article id="event-${type.toLowerCase()}"><h3>${code(type)}</h3><p>Heard by ${heardBy[happensIn]}. ${kept}</p>${fieldTable(schemaOf(data, "output"))}</article>`;
}

function closeCodes(): string {
  const codes = [
    ...Object.values(closeCode).map(({ code: number, reason }) => [number, reason] as const),
    [1009, "frame too big"] as const,
    [1001, "a proxy on the way stops or reloads; resume"] as const,
    [1006, "the connection is gone without a word; resume"] as const,
  ].sort(([a], [b]) => a - b);
  const rows = codes.map(
    ([number, reason]) => `<tr><td>${code(String(number))}</td><td>${asText(reason)}</td></tr>`,
  );
  return `<table class="narrow"><thead><tr><th>code</th><th>why</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function article(type: string, meaning: string, table: string): string {
  return `<article><h3>${code(type)}</h3>${meaning && `<p>${asText(meaning)}</p>`}${table}</article>`;
}
