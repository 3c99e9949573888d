// Computes the tables of docs/scaling.md. Run as a program, it writes them into the document.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inColumns } from "../report.ts";
import { type Coefficients, readCoefficients } from "./coefficients.ts";
import { bounds, habits, largestServer, type Need, needOf } from "./model.ts";

export const scalingDocument = join(import.meta.dir, "../../docs/scaling.md");

const steps = [100, 10_000, 1_000_000, 100_000_000];
const largest = [1000, 100_000, 1_000_000];

/** The tables by the name in the document's markers. */
export function scalingTables(measured: Coefficients): Record<string, string> {
  return {
    coefficients: coefficientTable(measured),
    needs: needTable(measured),
    largest: largestTable(measured),
  };
}

/** Returns the document with the tables between its markers replaced. */
export function withTables(document: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
    const at = text.indexOf(begin) + begin.length;
    if (at < begin.length) throw new Error(`${scalingDocument} has no place for the table ${name}`);
    return text.slice(0, at) + table + text.slice(text.indexOf(end, at - 1));
  }, document);
}

const explained: [what: string, name: Exclude<keyof Coefficients, "machine">, unit: string][] = [
  ["a process with PostgreSQL and Redis, without sockets", "processMib", "MiB"],
  ["an idle socket", "socketKib", "KiB"],
  ["a post, heard by ten sockets of its process", "postUs", "µs"],
  ["the same, PostgreSQL", "postPostgresUs", "µs"],
  ["an event for one socket more", "deliveryUs", "µs"],
  ["an event on one process more", "crossingUs", "µs"],
  ["the same, Redis", "crossingRedisUs", "µs"],
  ["the newest page of a channel, or another call", "pageUs", "µs"],
  ["READY of a person in 10 servers of 20 channels", "readyUs", "µs"],
  ["the same, PostgreSQL", "readyPostgresUs", "µs"],
  ["READY in one server of two members, on SQLite", "readyOfTwoUs", "µs"],
  ["the same in one of a million", "readyOfLargestUs", "µs"],
  ["a message in the database, with its indexes", "messageBytes", "bytes"],
  ["its event in the log, kept for a day", "logBytes", "bytes"],
  ["what PostgreSQL writes ahead for it", "walBytes", "bytes"],
];

function coefficientTable(measured: Coefficients): string {
  const lines = explained.map(([what, name, unit]) => [
    what,
    `\`${name}\``,
    `${short(measured[name])} ${unit}`,
  ]);
  return inColumns(["what", "name", "measured"], lines, " | ");
}

function needTable(measured: Coefficients): string {
  const needs = steps.map((people) => needOf(people, measured));
  const line = (what: string, value: (need: Need) => string) => [what, ...needs.map(value)];
  const cores = (name: keyof Need["cores"]) => (need: Need) => short(need.cores[name]);
  return inColumns(
    ["people", ...steps.map((people) => people.toLocaleString("en-US"))],
    [
      line("connected in the busiest hour", (need) => short(need.connected)),
      line("posts/s", (need) => short(need.postsPerS)),
      line("deliveries/s", (need) => short(need.deliveriesPerS)),
      line("cores: posts", cores("posts")),
      line("cores: deliveries", cores("deliveries")),
      line("cores: events from other processes", cores("crossings")),
      line("cores: pages and other calls", cores("calls")),
      line("cores: READY", cores("readies")),
      line(
        `**processes**, each at ${bounds.busy * 100} % of a core`,
        (need) => `**${short(need.processes)}**`,
      ),
      line("further processes that hear a post", (need) => short(need.crossingsOfPost)),
      line("memory of a process (MiB)", (need) => short(need.memoryOfProcessMib)),
      line("cores of PostgreSQL", (need) => short(need.postgresCores)),
      line(
        `**PostgreSQL nodes** of ${bounds.postgresCores} cores and ${bounds.postgresTib} TiB`,
        (need) => `**${short(need.postgresNodes)}**`,
      ),
      line("written ahead (MiB/s)", (need) => short(need.walMibPerS)),
      line("messages of a year (GiB)", (need) => short(need.messagesGibPerYear)),
      line("log of a day (GiB)", (need) => short(need.logGib)),
      line("cores of Redis", (need) => short(need.redisCores)),
      line("**LiveKit nodes** of 16 cores", (need) => `**${short(need.livekitNodes)}**`),
      line("files of a year in S3 (TiB)", (need) => short(need.filesTibPerYear)),
      line("**Redis shards**", (need) => `**${short(need.redisShards)}**`),
    ],
    " | ",
  );
}

function largestTable(measured: Coefficients): string {
  const lines = largest.map((members) => {
    const one = largestServer(members, measured);
    return [
      members.toLocaleString("en-US"),
      short(one.connected),
      short(one.processes),
      short(one.coreSecondsOfEvent),
      short(one.secondsOfEachProcess),
    ];
  });
  const header = ["members", `connected (${habits.connected * 100} %)`, "processes"];
  return inColumns([...header, "core-seconds of an event", "seconds of each process"], lines, " | ");
}

/** Three significant digits: more are noise. */
function short(value: number): string {
  if (value > 0 && value < 0.001) return "< 0.001";
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 4 });
}

if (import.meta.main) {
  const text = readFileSync(scalingDocument, "utf8");
  writeFileSync(scalingDocument, withTables(text, scalingTables(readCoefficients())));
}
