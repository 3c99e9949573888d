// Shares connections among processes: each records who has sockets here, and caches the records of the others.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { SocketsChanged } from "../bus/bus.ts";
import { SharedBus } from "../bus/shared.ts";
import { offsetAfter } from "../bus/steady-offset.ts";
import { type Elsewhere, goneAfterMs } from "../house/connections.ts";
import { logFailure } from "../house/failure.ts";
import type { House } from "../house/house.ts";
import { takeFrom } from "../house/pieces.ts";
import { Queue } from "../queue.ts";
import { type ClocksApart, clocksApart } from "./clocks-apart.ts";
import {
  deadMs,
  idleIn,
  leaveAll,
  noteProcess,
  type Row,
  selectActive,
  selectAlive,
  selectAllRows,
  selectRows,
  upsertRows,
} from "./connections-table.ts";
import { SameSettings } from "./same-settings.ts";

/** How often a process sends a heartbeat, and reads those of the others, in milliseconds. */
const beatMs = 5000;
/** How long changes are gathered, in milliseconds, so that thousands of people at once are a few commits. */
const gatherMs = 20;
/** The pause after a failed database operation, in milliseconds. */
const againMs = 1000;
/** People who are written, or read, together. */
const peopleAtOnce = 500;
/** How often the activity of a person is recorded, in milliseconds: less than half of the time that they are active. */
const saidEveryMs = 15_000;
/** How long a process that ends waits for the database, in milliseconds. */
const stopMs = 1000;

/** Lets the house know the sockets of other processes, and them its own; does nothing where it is alone. */
export async function knowOthers(house: House): Promise<void> {
  if (!house.isShared) return;
  const elsewhere = new TableElsewhere(house);
  house.connections.elsewhere = elsewhere;
  await elsewhere.start();
}

class TableElsewhere implements Elsewhere {
  readonly lateMs = 1000;
  readonly #house: House;
  readonly #me = randomUUID();
  /** By person: their sockets at other processes. */
  readonly #rows = new Map<string, readonly Row[]>();
  /** When each process was last heard of, by performance.now(). */
  readonly #processes = new Map<string, number>();
  readonly #unwritten = new Set<string>();
  /** The people in `#unwritten` whose sockets have changed. */
  readonly #moved = new Set<string>();
  readonly #unread = new Set<string>();
  /** One read after the other, so that the latest one wins. */
  readonly #reads = new Queue();
  /** By person who is active here: when that was last recorded, by performance.now(). */
  readonly #saidWritten = new Map<string, number>();
  /** The people who have sent something since that was recorded. */
  readonly #saidSince = new Set<string>();
  #isReadDue = false;
  /** Undefined while there is nothing to write. */
  #writing: Promise<void> | undefined;
  #hasStopped = false;
  readonly #settings: SameSettings;
  readonly #clocks: ClocksApart;
  #aliveAt: number | undefined;
  /** Offset from performance.now(), which nobody can set, to the database's clock, in milliseconds. */
  #clockOffset = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(house: House) {
    this.#house = house;
    this.#settings = new SameSettings(house);
    this.#clocks = clocksApart(house);
    house.bus.subscribe((items) => {
      for (const item of items) {
        if (item.kind === "sockets") this.#hear(item);
        if (item.kind === "lost") void this.#recallAgain();
      }
    });
  }

  async start(): Promise<void> {
    await this.#beat();
    await this.#reads.run(() => this.#recall());
    this.#beatAgain();
  }

  now(): number {
    return performance.now() + this.#clockOffset + Math.random();
  }

  socketsOf(userId: string): readonly number[] {
    const rows = this.#rows.get(userId);
    return rows ? rows.flatMap(({ opened }) => opened) : [];
  }

  isIdle(userId: string): boolean {
    return idleIn(this.#rows.get(userId) ?? []).get(userId) ?? true;
  }

  activeAmong(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    return selectActive(this.#house.database.read, this.#me, userIds);
  }

  // — This process's sockets —

  noteSockets(userId: string): void {
    this.#moved.add(userId);
    if (this.#house.connections.socketsOf(userId).length === 0) {
      this.#saidWritten.delete(userId);
      this.#saidSince.delete(userId);
    }
    this.#write(userId);
  }

  noteSaid(userId: string): void {
    const now = performance.now();
    if (now - (this.#saidWritten.get(userId) ?? Number.NEGATIVE_INFINITY) < saidEveryMs)
      this.#saidSince.add(userId);
    else {
      this.#saidWritten.set(userId, now);
      this.#saidSince.delete(userId);
      this.#write(userId);
    }
  }

  #write(userId: string): void {
    this.#unwritten.add(userId);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    while (this.#unwritten.size > 0 && !this.#hasStopped) {
      await sleep(gatherMs, undefined, { ref: false });
      const some = takeFrom(this.#unwritten, peopleAtOnce);
      const moved = some.filter((id) => this.#moved.delete(id));
      if (await this.#tried(() => this.#writeSome(some, moved))) continue;
      for (const id of some) this.#unwritten.add(id);
      for (const id of moved) this.#moved.add(id);
    }
    // In the same turn: a later change starts a new run.
    this.#writing = undefined;
  }

  async #writeSome(userIds: readonly string[], moved: readonly string[]): Promise<void> {
    const { activity, connections } = this.#house;
    await this.#house.write(async (unit) => {
      const written = userIds.map((user_id) => ({
        user_id,
        opened: connections.socketsOf(user_id),
        silent_ms: activity.silentMs(user_id) ?? null,
        idle: connections.wasIdleHere(user_id),
      }));
      await upsertRows(unit.db, this.#me, written);
      if (moved.length > 0) unit.items.push({ kind: "sockets", by: this.#me, userIds: moved });
    });
  }

  // — The other processes' sockets —

  #hear({ by, userIds, isLast }: SocketsChanged): void {
    if (by === this.#me) return;
    this.#processes.set(by, performance.now());
    if (isLast) this.#forget(new Set([by]));
    for (const id of userIds) this.#unread.add(id);
    // A waiting read covers all of them: while the database is away, no more than one waits.
    if (this.#isReadDue) return;
    this.#isReadDue = true;
    void this.#reads.run(() => {
      this.#isReadDue = false;
      return this.#readUnread();
    });
  }

  async #readUnread(): Promise<void> {
    while (this.#unread.size > 0 && !this.#hasStopped) {
      const some = takeFrom(this.#unread, peopleAtOnce);
      const read = async () => this.#take(some, await selectRows(this.#house.database.read, this.#me, some));
      if (!(await this.#tried(read))) for (const id of some) this.#unread.add(id);
    }
  }

  /** Takes all the sockets that these people have elsewhere. */
  #take(userIds: Iterable<string>, rows: readonly Row[]): void {
    const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
    for (const { process } of rows)
      if (!this.#processes.has(process)) this.#processes.set(process, performance.now());
    for (const id of userIds) {
      const mine = byUser.get(id);
      if (mine) this.#rows.set(id, mine);
      else this.#rows.delete(id);
    }
    this.#house.connections.settle(userIds);
  }

  /** Reads the records of all other processes: at the start, and when it is unknown what has changed. */
  async #recall(): Promise<void> {
    const before = new Set(this.#rows.keys());
    const { database, connections } = this.#house;
    for await (const rows of selectAllRows(database.read, this.#me, goneAfterMs)) {
      const there = rows.filter(({ opened }) => opened.length > 0);
      const ids = new Set(there.map(({ user_id }) => user_id));
      this.#take(ids, there);
      for (const id of ids) before.delete(id);
      const left = rows.filter(({ user_id }) => !ids.has(user_id) && !connections.has(user_id));
      connections.recallLeaving(idleIn(left));
    }
    this.#take(before, []);
  }

  async #recallAgain(): Promise<void> {
    while (!this.#hasStopped && !(await this.#tried(() => this.#reads.run(() => this.#recall()))));
  }

  // — The list of processes —

  #beatAgain(): void {
    this.#timer = setTimeout(async () => {
      await this.#tried(() => this.#beat());
      if (!this.#hasStopped) this.#beatAgain();
    }, beatMs);
  }

  async #beat(): Promise<void> {
    const { bus, database } = this.#house;
    const begun = performance.now();
    const { at, isNew } = await this.#clocks.ask((clock_ahead_ms) =>
      noteProcess(database.read, this.#me, { settings: this.#settings.json, clock_ahead_ms }),
    );
    if (bus instanceof SharedBus) bus.tellTime(at, begun);
    const before = this.#aliveAt ?? at;
    this.#aliveAt = at;
    // A slow answer sets it back no further than a quick one: this process's sockets would look older than others.
    this.#clockOffset = offsetAfter(this.#clockOffset, { at, asked: begun, heard: performance.now() });
    // Others may have taken this process for dead, or its rows may be gone.
    if (isNew || at - before > deadMs - 2 * beatMs)
      for (const id of this.#house.connections.here) this.noteSockets(id);
    for (const id of this.#saidSince) this.noteSaid(id);
    // Measured from this process's own previous heartbeat: while the database was away, no process could send one.
    const alive = await selectAlive(database.read, before);
    this.#settings.compare([...alive.values()].map(({ settings }) => settings));
    const others = [...alive].filter(([id]) => id !== this.#me);
    this.#clocks.compare(others.map(([, { clock_ahead_ms }]) => clock_ahead_ms));
    if (bus instanceof SharedBus) bus.takeUnsigned([...alive.values()].some((each) => !each.signs_lines));
    const dead = [...this.#processes].filter(([id, heardAt]) => !alive.has(id) && heardAt < begun);
    if (dead.length > 0) this.#forget(new Set(dead.map(([id]) => id)));
  }

  /** Removes the people of these processes, which have ended or are dead. */
  #forget(processes: ReadonlySet<string>): void {
    for (const id of processes) this.#processes.delete(id);
    const left: string[] = [];
    for (const [userId, rows] of this.#rows) {
      const others = rows.filter(({ process }) => !processes.has(process));
      if (others.length === rows.length) continue;
      left.push(userId);
      if (others.length > 0) this.#rows.set(userId, others);
      else this.#rows.delete(userId);
    }
    this.#house.connections.settle(left);
  }

  async stop(): Promise<void> {
    this.#hasStopped = true;
    clearTimeout(this.#timer);
    await Promise.race([this.#leave(), sleep(stopMs, undefined, { ref: false })]).catch(() => {});
  }

  async #leave(): Promise<void> {
    // Rows that are still being written would come back after the process has left.
    await this.#writing;
    await this.#house.write(async (unit) => {
      await leaveAll(unit.db, this.#me);
      unit.items.push({ kind: "sockets", by: this.#me, userIds: [], isLast: true });
    });
  }

  /** Runs the work. Returns false, after a pause, when it failed. */
  async #tried(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (this.#hasStopped) return false;
      logFailure(this.#house, error, "who is connected could not be shared");
      await sleep(againMs, undefined, { ref: false });
      return false;
    }
  }
}
