// The running house: what every part may reach, gathered in one value, so that several can run in one process.
import type { Blobs } from "../blobs/blobs.ts";
import type { Bus, BusItem, LoggedEvent } from "../bus/bus.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import type { PasswordHasher } from "../passwords.ts";
import { idOf, type StreamKey, serverStream } from "../place.ts";
import type { Log, LogRequest, OpenLog } from "../telemetry/log.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { Remembered, ServerSnapshot } from "./cache.ts";
import type { Clock } from "./clock.ts";
import { runAlone, runRead, SharedCommit } from "./commit.ts";
import type { Caller, Feature, Listener } from "./feature.ts";
import { nextTurn } from "./pieces.ts";
import { Answerings } from "./question.ts";
import type { RightsSource } from "./standing.ts";
import { streamVersion } from "./streams.ts";
import type { Unit } from "./unit.ts";

/** Of one unit's events; what touches hundreds of servers gives everybody else their turn in between. */
const heardInOneTurn = 20;

interface Parts {
  config: Config;
  database: Database;
  blobs: Blobs;
  bus: Bus;
  log: OpenLog;
  clock: Clock;
  metrics: Metrics;
  passwords: PasswordHasher;
  features: readonly Feature[];
  epoch: string;
}

export class House {
  readonly config: Config;
  readonly database: Database;
  readonly blobs: Blobs;
  readonly bus: Bus;
  readonly log: Log;
  readonly logRequest: LogRequest;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly passwords: PasswordHasher;
  readonly features: readonly Feature[];
  readonly epoch: string;
  readonly rights: RightsSource;
  readonly authenticators: readonly NonNullable<Feature["authenticate"]>[];
  /** Where people reach this server, and where it listens; the port is known for sure once it does. */
  publicUrl: string;
  listeningUrl: string;
  /** Who answers the questions that a unit asks. */
  readonly answerings: Answerings;
  readonly #listeners: Map<string, Listener[]>;
  readonly #servers = new Remembered<ServerSnapshot>(2000);
  readonly #caches = new Map<string, Remembered<unknown>>();
  readonly #shared: SharedCommit;

  constructor(parts: Parts) {
    this.config = parts.config;
    this.database = parts.database;
    this.blobs = parts.blobs;
    this.bus = parts.bus;
    this.log = parts.log.log;
    this.logRequest = parts.log.logRequest;
    this.clock = parts.clock;
    this.metrics = parts.metrics;
    this.passwords = parts.passwords;
    this.features = parts.features;
    this.epoch = parts.epoch;
    this.listeningUrl = `http://${parts.config.host}:${parts.config.port}`;
    this.publicUrl = parts.config.publicUrl ?? this.listeningUrl;
    const source = parts.features.find((feature) => feature.rights)?.rights;
    if (!source) throw new Error("no feature provides the rights of members");
    this.rights = source;
    this.authenticators = parts.features.flatMap((feature) => feature.authenticate ?? []);
    this.answerings = new Answerings(parts.features.flatMap((feature) => feature.answers ?? []));
    this.#listeners = Map.groupBy(
      parts.features.flatMap((feature) => feature.hears ?? []),
      (listener) => listener.declaration.type,
    );
    this.#shared = new SharedCommit(this);
    // First in line: whoever hears an event afterwards reads what is true after it.
    this.bus.subscribe((items) => {
      this.#forget(items);
      for (const feature of this.features) feature.committed?.(this, items);
    });
  }

  read<T>(work: (unit: Unit) => Promise<T>, caller?: Caller): Promise<T> {
    return runRead(this, work, caller);
  }

  write<T>(work: (unit: Unit) => Promise<T>, caller?: Caller): Promise<T> {
    return runAlone(this, work, caller);
  }

  share<T>(work: (unit: Unit) => Promise<T>, caller?: Caller): Promise<T> {
    return this.#shared.run(work, caller);
  }

  /** Lets later features hear what the unit emitted; what they emit in turn is heard too. */
  async settle(unit: Unit): Promise<void> {
    for (let i = 0; i < unit.events.length; i++) {
      const event = unit.events[i]!;
      for (const listener of this.#listeners.get(event.declaration.type) ?? []) {
        const heard = listener.hear(unit, event.place, event.data);
        if (heard) await heard;
      }
      if (i % heardInOneTurn === heardInOneTurn - 1) await nextTurn();
    }
  }

  /** What the process remembers of a server. */
  remembered(serverId: string): ServerSnapshot {
    const known = this.#servers.peek(serverId);
    if (known) return known;
    const stream = serverStream(serverId);
    const snapshot = new ServerSnapshot(stream, streamVersion(this.database.read, stream), () =>
      this.#servers.drop(serverId),
    );
    this.#servers.put(serverId, snapshot);
    return snapshot;
  }

  /** For when the log is known to be ahead of what the bus told: what is remembered of a server may be older. */
  forgetStream(stream: StreamKey): void {
    this.#servers.drop(idOf(stream));
  }

  /** A named cache of this process, dropped key by key through `unit.drop`. */
  cache<V>(name: string, limit: number): Remembered<V> {
    const known = this.#caches.get(name);
    if (known) return known as Remembered<V>;
    const cache = new Remembered<V>(limit);
    this.#caches.set(name, cache as Remembered<unknown>);
    return cache;
  }

  #forgetParts({ stream, forgets, version }: LoggedEvent): void {
    if (forgets.length === 0 && version === undefined) return;
    const known = this.#servers.peek(idOf(stream));
    if (!known) return;
    if (forgets === "*" || !known.follow(version)) this.forgetStream(stream);
    else for (const part of forgets) known.parts.drop(part);
  }

  #forget(items: readonly BusItem[]): void {
    for (const item of items) {
      if (item.kind === "logged") this.#forgetParts(item);
      if (item.kind === "doubted") for (const stream of item.streams) this.forgetStream(stream);
      if (item.kind === "dropped" && item.key === "*") this.#caches.get(item.cache)?.clear();
      else if (item.kind === "dropped") this.#caches.get(item.cache)?.drop(item.key);
    }
  }
}

/** A value that each house has one of: `const mailer = perHouse((house) => new Mailer(house))`, then `mailer(house)`. */
export function perHouse<T>(make: (house: House) => T): (house: House) => T {
  const values = new WeakMap<House, T>();
  return (house) => {
    const known = values.get(house);
    if (known !== undefined) return known;
    const value = make(house);
    values.set(house, value);
    return value;
  };
}
