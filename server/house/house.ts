// The running house: everything that its parts share, in one value, so that several can run in one process.

import type { EventDeclaration } from "../../protocol/event.ts";
import type { Blobs } from "../blobs/blobs.ts";
import type { Bus, BusItem, LoggedEvent, Word } from "../bus/bus.ts";
import { Cache, cachedHomes, RememberedHome } from "../cache.ts";
import type { Config } from "../config/config.ts";
import type { Database, Db } from "../database/database.ts";
import type { Limits } from "../limits/limiter.ts";
import type { PasswordHasher } from "../passwords.ts";
import { type Home, hasLog, type StreamKey } from "../place.ts";
import type { Log, LogRequest, OpenLog } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type Activity, nobodyActive } from "./activity.ts";
import type { Clock } from "./clock.ts";
import { SharedCommit } from "./commit.ts";
import { runAlone, runRead } from "./commit-alone.ts";
import { Connections } from "./connections.ts";
import type { Caller, EventHandler, Feature } from "./feature.ts";
import type { OtherProcesses } from "./others.ts";
import { nextTurn } from "./pieces.ts";
import { Answerings } from "./question.ts";
import type { RightsSource } from "./standing.ts";
import { streamHead } from "./streams.ts";
import type { UnitOfWork } from "./unit.ts";

/**
 * Events of one unit that are handled in one turn of the event loop: with events in hundreds of servers, other work has
 * its turn in between.
 */
const handledInOneTurn = 20;

interface Parts {
  config: Config;
  database: Database;
  blobs: Blobs;
  bus: Bus;
  limits: Limits;
  log: OpenLog;
  clock: Clock;
  metrics: Metrics;
  passwords: PasswordHasher;
  features: readonly Feature[];
  others: OtherProcesses;
  epoch: string;
  rolledOutBy: number;
}

export class House {
  readonly config: Config;
  readonly database: Database;
  readonly blobs: Blobs;
  readonly bus: Bus;
  readonly limits: Limits;
  readonly log: Log;
  readonly logRequest: LogRequest;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly passwords: PasswordHasher;
  readonly features: readonly Feature[];
  readonly epoch: string;
  /** By when every process sends to all audiences, in milliseconds since 1970 (`roll-out.ts`). */
  readonly rolledOutBy: number;
  /** True if other processes may work on the same database. */
  readonly isShared: boolean;
  readonly others: OtherProcesses;
  readonly connections: Connections;
  readonly rights: RightsSource;
  readonly authenticators: readonly NonNullable<Feature["authenticate"]>[];
  /** The address at which people reach this server, and the one it listens on; the port is known once it listens. */
  publicUrl: string;
  listeningUrl: string;
  /** True if the server is closing: no more clients should be sent here. */
  isLeaving = false;
  /** The gateway's activity, once there is a gateway. */
  activity: Activity = nobodyActive;
  /** The features' answers to the questions that a unit asks. */
  readonly answerings: Answerings;
  readonly #eventHandlers: Map<EventDeclaration, EventHandler[]>;
  readonly #committing: readonly Feature[];
  readonly #hearing: readonly NonNullable<Feature["committed"]>[];
  readonly #caches = new Map<string, Cache<unknown>>();
  readonly #homes = this.cache<RememberedHome>(cachedHomes, 2000);
  readonly #shared: SharedCommit;

  constructor(parts: Parts) {
    this.config = parts.config;
    this.database = parts.database;
    this.blobs = parts.blobs;
    this.bus = parts.bus;
    this.limits = parts.limits;
    this.log = parts.log.log;
    this.logRequest = parts.log.logRequest;
    this.clock = parts.clock;
    this.metrics = parts.metrics;
    this.passwords = parts.passwords;
    this.features = parts.features;
    this.epoch = parts.epoch;
    this.rolledOutBy = parts.rolledOutBy;
    this.others = parts.others;
    this.isShared = parts.database.engine === "postgres";
    this.listeningUrl = `http://${parts.config.host}:${parts.config.port}`;
    this.publicUrl = parts.config.publicUrl ?? this.listeningUrl;
    this.connections = new Connections({
      changed: (userIds) => {
        for (const feature of this.features) feature.connectionsChanged?.(this, userIds);
      },
    });
    const source = parts.features.find((feature) => feature.rights)?.rights;
    if (!source) throw new Error("no feature provides the rights of members");
    this.rights = source;
    this.authenticators = parts.features.flatMap((feature) => feature.authenticate ?? []);
    this.answerings = new Answerings(parts.features.flatMap((feature) => feature.answers ?? []));
    this.#committing = parts.features.filter((feature) => feature.committing);
    this.#hearing = parts.features.flatMap((feature) => feature.committed ?? []);
    this.#eventHandlers = Map.groupBy(
      parts.features.flatMap((feature) => feature.eventHandlers ?? []),
      (handler) => handler.declaration,
    );
    this.#shared = new SharedCommit(this);
    // The house subscribes first, so that its caches are dropped before the gateway reads for the same event.
    this.bus.subscribe((items) => {
      this.#forget(items);
      this.#tellFeatures(items);
      for (const item of items) if (item.kind === "word") this.#pass(item);
    });
  }

  /** Runs work that only reads, against cached facts. Throws when it emitted or appended anything. */
  read<T>(work: (unit: UnitOfWork) => Promise<T>, caller?: Caller): Promise<T> {
    return runRead(this, work, caller);
  }

  /** Runs work in a transaction of its own. With `once`, it fails after a second on a row that another one holds. */
  write<T>(work: (unit: UnitOfWork) => Promise<T>, caller?: Caller, tries?: "once"): Promise<T> {
    return runAlone(this, work, caller, tries);
  }

  /** Runs work against cached facts, and commits its changes together with those of other calls. */
  share<T>(work: (unit: UnitOfWork) => Promise<T>, caller?: Caller): Promise<T> {
    return this.#shared.run(work, caller);
  }

  /** Runs the later features' handlers for the unit's events, and for the events that the handlers emit in turn. */
  async runHandlers(unit: UnitOfWork): Promise<void> {
    for (let i = 0; i < unit.events.length; i++) {
      const event = unit.events[i]!;
      for (const handler of this.#eventHandlers.get(event.declaration) ?? []) {
        const handled = handler.run(unit, event.place, event.data);
        if (handled) await handled;
      }
      if (i % handledInOneTurn === handledInOneTurn - 1) await nextTurn();
    }
  }

  /** Runs the features' `committing` for these units, in the transaction `db` that commits them. */
  async runCommitting(db: Db, units: readonly UnitOfWork[]): Promise<void> {
    if (!this.isShared) return;
    for (const feature of this.#committing) await feature.committing?.(this, db, units);
  }

  /** Returns the cached facts about a home, at first none. */
  remembered(home: Home): RememberedHome {
    const known = this.#homes.peek(home);
    if (known) return known;
    const isLogged = hasLog(home);
    if (isLogged) this.bus.follow(home);
    const version = streamHead(this.database.read, home).then((head) => {
      if (head && isLogged) this.bus.follow(home, head.seq);
      return head?.version;
    });
    const cached = new RememberedHome(version, () => this.forgetHome(home));
    this.#homes.put(home, cached);
    return cached;
  }

  /** True if a part of this process needs the events of this stream. */
  wants(stream: StreamKey): boolean {
    return this.activity.follows(stream) || this.#homes.peek(stream) !== undefined;
  }

  /** Drops all caches: the commits of other processes are not known. */
  forgetAll(): void {
    for (const cache of this.#caches.values()) cache.clear();
  }

  /** Drops the cache of a home, for when the log is known to be ahead of the bus: the cache may be older. */
  forgetHome(home: Home): void {
    this.#homes.drop(home);
  }

  /** Returns a named cache of this process, with at most `limit` keys; `unit.drop` drops its keys in every process. */
  cache<V>(name: string, limit: number): Cache<V> {
    const known = this.#caches.get(name);
    if (known) return known as Cache<V>;
    const cache = new Cache<V>(limit);
    this.#caches.set(name, cache as Cache<unknown>);
    return cache;
  }

  #forgetParts({ stream, home = stream, forgets, version }: LoggedEvent): void {
    if (forgets.length === 0 && version === undefined) return;
    const known = this.#homes.peek(home);
    if (!known) return;
    if (forgets === "*" || !known.follow(version)) this.forgetHome(home);
    else for (const part of forgets) known.parts.drop(part);
  }

  #tellFeatures(items: readonly BusItem[]): void {
    for (const { any } of this.#hearing) any?.(this);
    for (const item of items) {
      if (item.kind === "logged" && (item.touches.length > 0 || item.version !== undefined))
        for (const { rights } of this.#hearing) rights?.(this, item);
      if (item.kind === "sessions-ended")
        for (const { sessionsEnded } of this.#hearing) sessionsEnded?.(this, item);
      if (item.kind === "lost") for (const { lost } of this.#hearing) lost?.(this);
    }
  }

  #pass({ to, data }: Word): void {
    this.features.find(({ name }) => name === to)?.told?.(this, data);
  }

  #forget(items: readonly BusItem[]): void {
    for (const item of items) {
      if (item.kind === "logged") this.#forgetParts(item);
      if (item.kind === "doubted") for (const stream of item.streams) this.forgetHome(stream);
      if (item.kind === "lost") this.forgetAll();
      if (item.kind === "dropped" && item.key === "*") this.#caches.get(item.cache)?.clear();
      else if (item.kind === "dropped") this.#caches.get(item.cache)?.drop(item.key);
    }
  }
}
