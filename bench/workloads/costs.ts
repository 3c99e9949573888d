// Measures the most expensive call of each operation: its processor time, and its longest event loop turn.

import { mostCost } from "../../protocol/cost.ts";
import { rateClasses } from "../../protocol/operation.ts";
import { costOf } from "../../server/caller/dear.ts";
import { startPostgres } from "../../tests/house/servers/postgres.ts";
import { Scenery } from "../bystander/scenery.ts";
import { type City, city } from "../bystander/scenes/city.ts";
import { dearestCalls, varied } from "../costs/dearest.ts";
import { operationsByName } from "../costs/declared.ts";
import { type Means, others, type PreparedCall } from "../costs/others.ts";
import { moveToPostgres } from "../costs/postgres.ts";
import { homeOfPerson } from "../load/addresses.ts";
import type { Target } from "../load/jobs.ts";
import { signIn } from "../load/signing-in.ts";
import { median } from "../medians.ts";
import type { Scale } from "../options.ts";
import { call, type Person, type Stage } from "../people.ts";
import { type Findings, inColumns, short } from "../report.ts";
import { startHearth } from "../servers.ts";

const workload = "costs";
const longestTurnMs = 5;
const msForOne = 2;
/**
 * Unmeasured calls before the measured ones. Rate limits are meant for floods, so the cost of a call is its cost when
 * repeated: the first ones run in the runtime's interpreter, at many times that, and after a pause the processor's
 * caches hold the data of other programs.
 */
const callsBefore = 20;
const triesOf = { work: 13, turns: 9 };
/** How long the work that follows an answer may take, in milliseconds. */
const afterwardsMs = 3;

interface Turns {
  longestMs: number;
  workMs: number;
}

interface Measured extends Turns {
  title: string;
  /** The cost that the operation declares, in calls; undefined for calls that are limited separately, by address. */
  declared: number | undefined;
}

/** Resolves to undefined when PostgreSQL is requested and not installed. */
export async function measureCosts(
  scale: Scale,
  onPostgres: boolean,
  logLevel?: string,
): Promise<Findings | undefined> {
  const turnsPort = 21_000 + (process.pid % 10_000);
  using scenery = new Scenery({ logLevel }, scale.smoke ? 0.005 : 1);
  const { dataDir, stage: built, facts } = await scenery.set(city);
  await using postgres = onPostgres ? await startPostgres(true) : undefined;
  if (onPostgres && !postgres) return undefined;
  if (postgres) await moveToPostgres(dataDir, postgres.url);
  const databaseUrl = postgres ? { databaseUrl: postgres.url } : {};
  await using hearth = await startHearth({ logLevel, dataDir, turnsPort, ...databaseUrl });
  const stage = { ...built, origin: hearth.origin };
  const told = async (path: string) =>
    (await (await fetch(`http://127.0.0.1:${turnsPort}/${path}`)).json()) as Turns;
  const measured: Measured[] = [];
  const times = scale.smoke ? { before: 1, work: 1, turns: 1 } : { before: callsBefore, ...triesOf };
  const nothing = await medianTurns(told, { ...times, before: 0 }, async () => async () => {});
  for (const { title, declared, work } of candidates(stage, facts as City, hearth.target)) {
    const spent = await medianTurns(told, times, work);
    const workMs = Math.max(0, spent.workMs - nothing.workMs);
    measured.push({ title, declared: declared(), ...spent, workMs });
  }
  measured.sort((one, other) => other.longestMs - one.longestMs);
  return findingsOf(measured, onPostgres ? ", PostgreSQL" : "");
}

interface Candidate {
  title: string;
  declared(): number | undefined;
  work: Work;
}

/** Prepares a call. Returns a function that makes it. */
type Work = () => Promise<() => Promise<unknown>>;

function* candidates(stage: Stage, facts: City, target: Target): Iterable<Candidate> {
  const [owner] = stage.people as [Person];
  for (const { name, ...dear } of dearestCalls(stage, facts)) {
    const work = async () => () => make(stage.origin, owner, dear);
    yield { title: titleOf(name, dear), declared: () => declaredCost(name, dear), work };
  }
  for (const [name, prepare] of Object.entries(others)) {
    if (typeof prepare === "string") continue;
    let number = 0;
    let prepared: PreparedCall;
    const work = async () => {
      prepared = await prepare(meansOf(stage, facts, number++));
      return () => make(stage.origin, owner, prepared);
    };
    yield { title: name, declared: () => declaredCost(name, prepared), work };
  }
  const sent = async () => () => upload(stage.origin, owner);
  yield {
    title: "uploadFile: 200 kB",
    declared: () => declaredCost("uploadFile", { path: "/upload" }),
    work: sent,
  };
  yield { title: "READY", declared: () => undefined, work: async () => () => ready(target, owner) };
}

function findingsOf(measured: readonly Measured[], where: string): Findings {
  return {
    rows: [
      {
        workload,
        figure: `the longest turn of the event loop${where} (${measured[0]?.title})`,
        unit: "ms",
        value: measured[0]?.longestMs ?? 0,
        target: { atMost: longestTurnMs },
      },
      {
        workload,
        figure: `operations that cost more than they draw${where}`,
        unit: "",
        value: measured.filter(costsMore).length,
        target: { atMost: 0 },
      },
    ],
    table: inColumns(
      ["call", "longest turn, ms", "in all, ms", "counts as", ""],
      measured.map((each) => [
        each.title,
        short(each.longestMs),
        short(each.workMs),
        String(each.declared ?? ""),
        costsMore(each) ? "costs more" : "",
      ]),
      " | ",
    ),
    raw: { workload, measured },
  };
}

function costsMore({ workMs, declared }: Measured): boolean {
  return declared !== undefined && declared < mostCost && workMs > declared * msForOne;
}

function titleOf(name: string, { method, path, body }: PreparedCall): string {
  const { content = "" } = (body ?? {}) as { content?: string };
  const shown = [method, path, content.slice(0, 50)].join(" ").trim();
  return `${name}: ${shown.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…").slice(0, 70)}`;
}

function meansOf(stage: Stage, facts: City, number: number): Means {
  const [owner] = stage.people as [Person];
  return {
    ...{ stage, facts, number },
    ask: (method, path, body, token = owner.token) =>
      call(stage.origin, { ...owner, token }, method, path, body),
  };
}

function declaredCost(name: string, { path, body }: Pick<PreparedCall, "path" | "body">): number | undefined {
  const operation = operationsByName.get(name)!;
  const isCountedByAddress = operation.rate !== undefined && rateClasses[operation.rate].per === "address";
  if (operation.caller === "public" || isCountedByAddress) return undefined;
  const query = Object.fromEntries(new URL(path, "http://localhost").searchParams);
  return costOf(operation, query, body);
}

/**
 * Returns medians of several tries: a job that runs in between is no cost of the call. Measuring turns keeps the event
 * loop busy, so the processor time is measured separately.
 */
async function medianTurns(
  told: (path: string) => Promise<Turns>,
  times: { before: number; work: number; turns: number },
  work: Work,
): Promise<Turns> {
  for (let i = 0; i < times.before; i++) await (await work())();
  const figuresOf = async (path: "" | "turns", tries: number) => {
    const all: Turns[] = [];
    for (let i = 0; i < tries; i++) {
      const begin = await work();
      await told(path);
      await begin();
      await Bun.sleep(afterwardsMs);
      all.push(await told(""));
    }
    return all;
  };
  const spent = await figuresOf("", times.work);
  const turned = await figuresOf("turns", times.turns);
  return {
    workMs: median(spent.map(({ workMs }) => workMs)),
    longestMs: median(turned.map(({ longestMs }) => longestMs)),
  };
}

async function make(
  origin: string,
  owner: Person,
  { method, path, body, token = owner.token }: PreparedCall,
): Promise<void> {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: {
      "Content-Type": "application/json",
      ...(token !== null && { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(varied(body, made++)) }),
  });
  const text = await answer.text();
  // A 409 is accepted: a server that is full answers it after the work of a lookup.
  if (!answer.ok && answer.status !== 409)
    throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
}

let made = 0;

async function upload(origin: string, { token }: Person): Promise<void> {
  const form = new FormData();
  form.set("file", new Blob(["What everybody wants to have a part of. ".repeat(5000)]), "parts.txt");
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${origin}/api/v1/upload`, { method: "POST", headers, body: form });
  if (answer.status !== 201) throw new Error(`an upload answered ${answer.status}`);
}

async function ready(target: Target, { token }: Person): Promise<void> {
  (await signIn(target, { token, from: homeOfPerson(0) })).close();
}
