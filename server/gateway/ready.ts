// The state a socket starts from: READY, put together from what each feature knows, all of one moment.
import { timeText } from "../../protocol/clock.ts";
import type { Audience } from "../../protocol/event.ts";
import { heartbeatIntervalMs } from "../../protocol/frames.ts";
import { eventTimes } from "../house/event-log.ts";
import type { Caller } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import { nextTurn } from "../house/pieces.ts";
import { standingsOf } from "../house/standing.ts";
import { streamHeads } from "../house/streams.ts";
import { Unit } from "../house/unit.ts";
import { audienceOf } from "./audience.ts";

/** One server as a person sees it at a moment, and the last event that it contains. */
export interface ServerView {
  id: string;
  seq: number;
  /** When that event was, 0 where there is none. */
  at: number;
  audience: Audience;
  roleIds: readonly string[];
  /** Its entry in READY, as JSON. */
  json: string;
}

export interface ReadyView {
  user: unknown;
  servers: ServerView[];
}

/** Servers that each feature is asked about at once, in one question; after them other work gets its turn. */
const serversAtOnce = 100;
/** With more servers it gets its turn between the features as well. */
const fewServers = 25;
/** Other work also gets its turn after so much JSON. */
const charactersAtOnce = 256 * 1024;

/** The caller's servers; with `only`, one of them or none. */
export function loadReady(house: House, caller: Caller, only?: string): Promise<ReadyView> {
  return house.database.snapshot(async (db) => {
    const unit = new Unit(house, db, "snapshot");
    const ids = (await house.rights.serversOf(unit, caller.userId)).filter(
      (id) => only === undefined || id === only,
    );
    let user: unknown;
    for (const feature of house.features) if (feature.self) user = await feature.self(unit, caller);
    const servers: ServerView[] = [];
    for (let i = 0; i < ids.length; i += serversAtOnce) {
      // The snapshot stays of its moment, and the joiner collects what comes meanwhile.
      if (i > 0) await nextTurn();
      // What a unit remembers of these servers nobody asks for again.
      const piece = new Unit(house, db, "snapshot");
      servers.push(...(await viewsOf(piece, caller, ids.slice(i, i + serversAtOnce))));
    }
    return { user, servers };
  });
}

async function viewsOf(unit: Unit, caller: Caller, ids: readonly string[]): Promise<ServerView[]> {
  const parts: ReadonlyMap<string, Record<string, unknown>>[] = [];
  for (const feature of unit.house.features) {
    if (!feature.ready) continue;
    parts.push(await feature.ready(unit, caller, ids));
    if (ids.length > fewServers) await nextTurn();
  }
  const standings = await standingsOf(unit, ids, caller.userId);
  const heads = await streamHeads(unit.db, ids);
  const times = await eventTimes(
    unit.db,
    [...heads].map(([server_id, seq]) => ({ server_id, seq })),
  );
  const views: ServerView[] = [];
  let written = 0;
  for (const [id, { roleIds, ...standing }] of standings) {
    const seq = heads.get(id) ?? 0;
    const at = times.get(id) ?? 0;
    const entry = Object.assign({ id }, ...parts.map((part) => part.get(id)), { seq });
    const json = JSON.stringify(entry);
    views.push({ id, seq, at, audience: audienceOf({ roleIds, ...standing }), roleIds, json });
    written += json.length;
    if (written > charactersAtOnce) {
      written = 0;
      await nextTurn();
    }
  }
  return views;
}

export function readyFrame(house: House, caller: Caller, { user, servers }: ReadyView): string {
  const about = JSON.stringify({
    user,
    session_id: caller.sessionId,
    epoch: house.epoch,
    heartbeat_interval_ms: heartbeatIntervalMs,
  });
  const entries = servers.map((server) => server.json).join(",");
  return `{"type":"READY","ts":"${timeAfter(servers)}","data":${about.slice(0, -1)},"servers":[${entries}]}}`;
}

export function serverFrame(server: ServerView): string {
  return `{"type":"SERVER_CREATE","ts":"${timeAfter([server])}","data":${server.json}}`;
}

/** Never earlier than the events that these views contain, also when the clock was set back since. */
function timeAfter(servers: readonly ServerView[]): string {
  let latest = Date.now();
  for (const { at } of servers) if (at > latest) latest = at;
  return timeText(latest);
}
