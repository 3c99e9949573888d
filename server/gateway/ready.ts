// The state a socket starts from: READY, put together from what each feature knows, all of one moment.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Audience } from "../../protocol/event.ts";
import { heartbeatIntervalMs } from "../../protocol/frames.ts";
import type { Caller } from "../feature.ts";
import type { House } from "../house.ts";
import { streamHead } from "../outbox.ts";
import { standingOf } from "../standing.ts";
import { Unit } from "../unit.ts";
import { audienceOf } from "./audience.ts";

/** One server as a person sees it at a moment, and the number of the last event that it contains. */
export interface ServerView {
  id: string;
  seq: number;
  audience: Audience;
  roleIds: readonly string[];
  entry: Record<string, unknown>;
}

export interface ReadyView {
  user: unknown;
  servers: ServerView[];
}

/** After so many servers other work gets its turn. */
const serversAtOnce = 10;

/** The caller's servers; with `only`, one of them or none. */
export function loadReady(house: House, caller: Caller, only?: string): Promise<ReadyView> {
  return house.database.snapshot(async (db) => {
    const unit = new Unit(house, db, "snapshot", false);
    const ids = (await house.rights.serversOf(db, caller.userId)).filter(
      (id) => only === undefined || id === only,
    );
    let user: unknown;
    for (const feature of house.features) if (feature.self) user = await feature.self(unit, caller);
    const servers: ServerView[] = [];
    for (let i = 0; i < ids.length; i += serversAtOnce) {
      // The snapshot stays of its moment, and the joiner collects what comes meanwhile.
      if (i > 0) await nextTurn();
      servers.push(...(await viewsOf(unit, caller, ids.slice(i, i + serversAtOnce))));
    }
    return { user, servers };
  });
}

async function viewsOf(unit: Unit, caller: Caller, ids: readonly string[]): Promise<ServerView[]> {
  const parts: Map<string, Record<string, unknown>>[] = [];
  for (const feature of unit.house.features) {
    if (feature.ready) parts.push(await feature.ready(unit, caller, ids));
  }
  const views: ServerView[] = [];
  for (const id of ids) {
    const standing = await standingOf(unit, id, caller.userId);
    if (!standing) continue;
    const seq = await streamHead(unit.db, id);
    views.push({
      id,
      seq,
      audience: audienceOf(standing),
      roleIds: standing.roleIds,
      entry: { ...nothingYet, ...Object.assign({}, ...parts.map((part) => part.get(id))), seq },
    });
  }
  return views;
}

/** An entry's lists, for what no feature of this house fills. */
const nothingYet = { channels: [], roles: [], role_ids: [], voice: [], presences: [] };

export function readyData(house: House, caller: Caller, view: ReadyView): Record<string, unknown> {
  return {
    user: view.user,
    session_id: caller.sessionId,
    epoch: house.epoch,
    heartbeat_interval_ms: heartbeatIntervalMs,
    servers: view.servers.map((server) => server.entry),
  };
}
