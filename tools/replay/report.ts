// The table at the end of a replay, and the verdict whether the run was clean.

import type { Seat } from "./audience.ts";
import type { Kept } from "./keeping.ts";
import type { Script } from "./script.ts";
import type { Speech } from "./speaking.ts";
import type { Percentiles, Timing } from "./timing.ts";

export interface Run {
  script: Script;
  channels: number;
  seats: Seat[];
  speech: Speech;
  timing: Timing;
  kept: Kept;
  begun: number;
  ended: number;
}

const FAILURES_SHOWN = 5;

export function isClean(run: Run): boolean {
  const acknowledged = new Set(run.speech.acknowledged.keys());
  const clean = run.seats.every(({ tally, listener }) => {
    const verdict = tally.judge(acknowledged, listener.counts.disorders);
    const faults = verdict.missing + verdict.duplicate + verdict.outOfOrder + verdict.unknown;
    return faults === 0 && listener.failure === undefined;
  });
  const { kept, speech, script } = run;
  const { meant, understood } = speech.mentions;
  const whole = speech.failures.length === 0 && speech.acknowledged.size === script.posts.length;
  return clean && whole && meant === understood && kept.missing + kept.altered + kept.unknown === 0;
}

export function report(run: Run): string {
  return [...summary(run), "", ...seatTable(run), "", verdictLine(run)].join("\n");
}

function summary({ script, channels, seats, speech, timing, kept, begun, ended }: Run): string[] {
  const seconds = (ended - begun) / 1_000;
  const hearing = (timing.lastDelivery - begun) / 1_000;
  const skipped = script.lines - script.said;
  const reasons = [...script.notices]
    .sort((a, b) => b[1] - a[1])
    .map(([notice, count]) => `${notice} ${number(count)}`);
  const sum = (pick: (seat: Seat) => number) => number(seats.reduce((total, seat) => total + pick(seat), 0));
  return [
    row("people, channels, listeners", `${number(script.usernames.length)}, ${channels}, ${seats.length}`),
    row("lines", number(script.lines)),
    row("  posted", `${number(script.said)} as ${number(script.posts.length)} messages`),
    row("  skipped", `${number(skipped)} (${reasons.join(", ")})`),
    row("  failed", number(speech.failures.length)),
    ...speech.failures.slice(0, FAILURES_SHOWN).map((failure) => `    ${failure}`),
    row("mentions understood", `${number(speech.mentions.understood)} of ${number(speech.mentions.meant)}`),
    row("kept in the history", `missing ${kept.missing}, altered ${kept.altered}, unknown ${kept.unknown}`),
    row("posts per second", number(speech.acknowledged.size / seconds)),
    row("deliveries per second", number(hearing > 0 ? timing.deliveries / hearing : 0)),
    row("post to last listener", `${percentiles(timing.toLastConnected())}, of those connected`),
    row("", `${percentiles(timing.toLastOfAll())}, with the time away of those cut`),
    row(
      "cuts",
      sum(({ listener }) => listener.counts.cuts),
    ),
    row(
      "  resumed",
      `${sum(({ listener }) => listener.counts.resumes)}, events replayed ${sum(({ listener }) => listener.counts.replayed)}`,
    ),
    row(
      "  began anew instead",
      sum(({ listener }) => listener.counts.readies - 1),
    ),
    row(
      "  lost uncut",
      sum(({ listener }) => listener.counts.losses),
    ),
  ];
}

function seatTable({ seats, speech }: Run): string[] {
  const acknowledged = new Set(speech.acknowledged.keys());
  const heading = ["listener", "heard", "cuts", "resumed", "missing", "duplicate", "out of order"];
  const rows = seats.map(({ listener, tally }) => {
    const { missing, duplicate, outOfOrder } = tally.judge(acknowledged, listener.counts.disorders);
    const { cuts, resumes } = listener.counts;
    return [
      listener.person.username,
      ...[tally.heard, cuts, resumes, missing, duplicate, outOfOrder].map(number),
    ];
  });
  return [heading, ...rows].map((cells) => cells.map((cell, index) => pad(cell, index)).join(""));
}

function verdictLine(run: Run): string {
  if (isClean(run)) return "Clean: every line is where it belongs.";
  return ["NOT clean.", ...run.seats.flatMap((seat) => troubles(seat, run.speech))].join("\n");
}

function troubles({ listener, tally }: Seat, { acknowledged }: Speech): string[] {
  const name = listener.person.username;
  const { disorders } = listener.counts;
  const { outOfOrder, unknown } = tally.judge(new Set(acknowledged.keys()), disorders);
  return [
    ...(outOfOrder > 0
      ? [`${name}: ${disorders} numbers and ${outOfOrder - disorders} message ids did not rise.`]
      : []),
    ...(unknown > 0 ? [`${name} heard ${unknown} messages that were never acknowledged.`] : []),
    ...(listener.failure === undefined ? [] : [listener.failure.message]),
  ];
}

function row(name: string, value: string): string {
  return `${name.padEnd(30)}${value}`;
}

function pad(cell: string, column: number): string {
  return column === 0 ? cell.padEnd(16) : cell.padStart(14);
}

function number(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function percentiles({ p50, p99 }: Percentiles): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
}
