// The state that a socket starts from: READY, assembled from each feature's part, all of one moment.
import { timeText } from "../../protocol/clock.ts";
import { heartbeatIntervalMs } from "../../protocol/frames.ts";
import type { Caller, ReadyEntry } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import { eventTimes, headOf } from "../house/log-table.ts";
import { Pace } from "../house/pieces.ts";
import { question } from "../house/question.ts";
import { standingsOf } from "../house/standing.ts";
import { streamHeads } from "../house/streams.ts";
import { UnitOfWork } from "../house/unit.ts";
import { idOf, personStream, type StreamKey, serverStream } from "../place.ts";
import { type Held, heldBy, leastHeld, personalAudiences } from "./audience.ts";
import { ReadyLists } from "./ready-lists.ts";
import { weightOfRow } from "./turns.ts";

/** The part of a stream that a person receives, as of one moment, and the number of the last event in their state. */
export interface StreamView {
  stream: StreamKey;
  seq: number;
  /** The `ts` of that event in milliseconds since 1970; 0 without one. */
  at: number;
  held: Held;
  roleIds: readonly string[];
}

/** One server as a person sees it, as of one moment. */
export interface ServerView extends StreamView {
  id: string;
  /** Its entry in READY, as JSON. */
  json: string;
}

/** The contents of READY, as of one moment. */
export interface ReadyView {
  /** The features' fields about the person. */
  ofCaller: Readonly<Record<string, unknown>>;
  /** The features' lists beside the servers. */
  lists: ReadyLists;
  /** The person's own stream. */
  personal: StreamView;
  servers: readonly ServerView[];
}

/** Servers that each feature is asked about at once, in one query; after them other work has its turn. */
const serversAtOnce = 100;

/** A server that a person has just joined. */
export interface GainedServer extends ServerView {
  /** Returns frames for what the entry leaves out, except what other frames have told since its moment. */
  news(): readonly string[];
}

/** Asks for a function that makes the frames which follow this entry of a server that the caller has just joined. */
export const serverEntered = question<[caller: Caller, entry: ReadyEntry], () => readonly string[]>(
  "gateway.serverEntered",
);

/** Loads one of the caller's servers; undefined when they are not a member. */
export function loadServer(house: House, caller: Caller, id: string): Promise<GainedServer | undefined> {
  return house.database.snapshot(async (db) => {
    const unit = new UnitOfWork(house, db, "snapshot");
    const ids = await house.rights.serversOf(unit, caller.userId);
    if (!ids.includes(id)) return undefined;
    const { views, entries } = await viewsOf(unit, caller, [id], new Pace());
    const [view, entry] = [views[0], entries[0]];
    if (!view || !entry) return undefined;
    const news = await unit.ask(serverEntered, caller, entry);
    return { ...view, news: () => news.flatMap((frames) => frames()) };
  });
}

/** Loads the contents of the caller's READY from one snapshot. */
export function loadReady(house: House, caller: Caller): Promise<ReadyView> {
  return house.database.snapshot(async (db) => {
    const unit = new UnitOfWork(house, db, "snapshot");
    const ids = await house.rights.serversOf(unit, caller.userId);
    const personal = await personalView(unit, caller);
    const pace = new Pace();
    const ofCaller: Record<string, unknown> = {};
    for (const { readyOfCaller } of house.features) {
      if (!readyOfCaller) continue;
      Object.assign(ofCaller, await readyOfCaller(unit, caller));
      await pace.rest();
    }
    const servers: ServerView[] = [];
    const lists = new ReadyLists(pace);
    await lists.add(unit, caller, []);
    for (let i = 0; i < ids.length; i += serversAtOnce) {
      // The snapshot still shows its one moment after a pause, and the joiner collects the events that come meanwhile.
      await pace.rest();
      // Each piece has its own unit: a unit's cached facts about these servers are not needed again.
      const piece = new UnitOfWork(house, db, "snapshot");
      const { views, entries } = await viewsOf(piece, caller, ids.slice(i, i + serversAtOnce), pace);
      servers.push(...views);
      await lists.add(piece, caller, entries);
    }
    return { ofCaller, lists, personal, servers };
  });
}

async function personalView(unit: UnitOfWork, { userId }: Caller): Promise<StreamView> {
  const stream = personStream(userId);
  const audiences = (await unit.ask(personalAudiences, userId)).flat();
  const held = audiences.length === 0 ? leastHeld : new Set([...leastHeld, ...audiences]);
  return { stream, ...(await headOf(unit.db, stream)), held, roleIds: [] };
}

async function viewsOf(
  unit: UnitOfWork,
  caller: Caller,
  ids: readonly string[],
  pace: Pace,
): Promise<{ views: ServerView[]; entries: ReadyEntry[] }> {
  const parts: ReadonlyMap<string, Record<string, unknown>>[] = [];
  for (const feature of unit.house.features) {
    if (!feature.ready) continue;
    parts.push(await feature.ready(unit, caller, ids));
    await pace.rest();
  }
  const standings = [...(await standingsOf(unit, ids, caller.userId)).values()];
  const held = await heldBy(unit, standings);
  const heads = await streamHeads(unit.db, ids.map(serverStream));
  const times = await eventTimes(
    unit.db,
    [...heads].map(([stream, seq]) => ({ stream, seq })),
  );
  const views: ServerView[] = [];
  const entries: ReadyEntry[] = [];
  for (const [i, { home, roleIds }] of standings.entries()) {
    const id = idOf(home);
    const stream = serverStream(id);
    const seq = heads.get(stream) ?? 0;
    const entry = Object.assign({ id }, ...parts.map((part) => part.get(id)), { seq });
    const json = await writtenOut(entry, pace);
    entries.push(entry);
    views.push({ id, stream, seq, at: times.get(stream) ?? 0, held: held[i] ?? leastHeld, roleIds, json });
  }
  return { views, entries };
}

/** Returns the entry as JSON, member by member: a server may have hundreds of channels and a thousand presences. */
async function writtenOut(entry: ReadyEntry, pace: Pace): Promise<string> {
  const members: string[] = [];
  for (const [name, value] of Object.entries(entry)) {
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    // Awaiting nothing still costs a microtask, and there are thousands of members.
    const turn = pace.rest();
    if (turn) await turn;
  }
  return `{${members.join(",")}}`;
}

/** Returns the weight of sending this to a socket, which then follows each server. */
export function weightOf({ servers }: ReadyView): number {
  let weight = servers.length * weightOfRow;
  for (const { json } of servers) weight += json.length;
  return weight;
}

/** Returns READY as JSON text. */
export function readyFrame(house: House, caller: Caller, view: ReadyView): string {
  const { ofCaller, lists, personal, servers } = view;
  const about = JSON.stringify({
    ...ofCaller,
    personal: { seq: personal.seq },
    session_id: caller.sessionId,
    epoch: house.epoch,
    heartbeat_interval_ms: heartbeatIntervalMs,
  });
  const entries = servers.map((server) => server.json).join(",");
  const data = `${about.slice(0, -1)},"servers":[${entries}]${lists.json}}`;
  return `{"type":"READY","ts":"${timeAfter([personal, ...servers])}","data":${data}}`;
}

/** Returns SERVER_CREATE for a new member, as JSON text: the server's entry in READY. */
export function serverFrame(server: ServerView): string {
  return `{"type":"SERVER_CREATE","ts":"${timeAfter([server])}","data":${server.json}}`;
}

/** Returns the current time as text, or that of the latest event in these views, if the clock was set back since. */
function timeAfter(views: readonly StreamView[]): string {
  let latest = Date.now();
  for (const { at } of views) if (at > latest) latest = at;
  return timeText(latest);
}
