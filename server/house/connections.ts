// The people who are connected, with a socket at this process or another one or until recently, and those of them who
// are idle: each of their sockets has said that nobody touches its device.

/** A reconnect within this time after a person's last socket closed goes unnoticed by others, in milliseconds. */
export const goneAfterMs = 10_000;

/** The sockets of other processes. */
export interface Elsewhere {
  /** Maximum delay of news about them, in milliseconds: a person who is gone here is waited for that much longer. */
  readonly lateMs: number;
  /** Returns when each of the person's sockets at other processes signed in. */
  socketsOf(userId: string): readonly number[];
  /** True if none of the person's sockets at other processes is on a device that somebody touches. */
  isIdle(userId: string): boolean;
  /** Tells the others that the person's sockets here have changed. */
  noteSockets(userId: string): void;
  /** Tells the others that the person has sent something on one of them. */
  noteSaid(userId: string): void;
  /** Returns those of these people who sent something at other processes within the last minute. */
  activeAmong(userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The time in milliseconds by the clock that all processes share; no two processes have the same. */
  now(): number;
  /** Leaves this process; people who reconnect to another one in time were never away. */
  stop(): Promise<void>;
}

/** For a process that is alone. */
const nowhere: Elsewhere = {
  lateMs: 0,
  socketsOf: () => [],
  isIdle: () => true,
  noteSockets() {},
  noteSaid() {},
  activeAmong: async () => new Set(),
  now: Date.now,
  stop: async () => {},
};

interface ConnectionsCallbacks {
  /** Called when these people came with their first socket, were gone for long enough, or began or ended to be idle. */
  changed(userIds: readonly string[]): void;
}

export class Connections {
  readonly #callbacks: ConnectionsCallbacks;
  /** By person: when each of their sockets at this process signed in, oldest first. */
  readonly #here = new Map<string, number[]>();
  /** When each of the sockets at this process signed in that are idle. */
  readonly #idleHere = new Set<number>();
  /** The people who are connected, to any process. */
  readonly #people = new Set<string>();
  /** The connected people who are idle. */
  readonly #idle = new Set<string>();
  readonly #leaving = new Map<string, ReturnType<typeof setTimeout>>();
  #hearCrowded: (userId: string) => void = () => {};
  #isClosed = false;
  #latest = 0;
  elsewhere: Elsewhere = nowhere;

  constructor(callbacks: ConnectionsCallbacks) {
    this.#callbacks = callbacks;
  }

  /** The time for a socket that signs in now: no other socket has the same. */
  now(): number {
    this.#latest = Math.max(this.elsewhere.now(), this.#latest + 0.001);
    return this.#latest;
  }

  has(userId: string): boolean {
    return this.#people.has(userId);
  }

  /** True if the person is connected and each of their sockets is idle; without sockets, as with the last of them. */
  isIdle(userId: string): boolean {
    return this.#idle.has(userId);
  }

  /** True if each of the person's sockets at this process is idle; without sockets here, if the person is. */
  wasIdleHere(userId: string): boolean {
    return this.#here.has(userId) ? this.#isIdleHere(userId) : this.isIdle(userId);
  }

  #isIdleHere(userId: string): boolean {
    return this.socketsOf(userId).every((since) => this.#idleHere.has(since));
  }

  /** When each of the person's sockets at this process signed in. */
  socketsOf(userId: string): readonly number[] {
    return this.#here.get(userId) ?? [];
  }

  /** The people who have sockets at this process. */
  get here(): Iterable<string> {
    return this.#here.keys();
  }

  /** Adds a socket of the person at this process, which signed in at `since`, a time of `now()`. */
  opened(userId: string, since: number, isIdle = false): void {
    if (isIdle) this.#idleHere.add(since);
    const here = this.#here.get(userId);
    if (here) here.push(since);
    else this.#here.set(userId, [since]);
    this.#changed(userId);
  }

  /** Removes the socket that signed in at `since`. */
  closed(userId: string, since: number): void {
    const here = this.#here.get(userId) ?? [];
    const at = here.indexOf(since);
    if (at >= 0) here.splice(at, 1);
    if (here.length === 0) this.#here.delete(userId);
    this.#idleHere.delete(since);
    this.#changed(userId);
  }

  /** Sets whether the person's socket that signed in at `since` is idle. */
  setIdle(userId: string, since: number, isIdle: boolean): void {
    if (this.#idleHere.has(since) === isIdle) return;
    if (isIdle) this.#idleHere.add(since);
    else this.#idleHere.delete(since);
    this.#changed(userId);
  }

  #changed(userId: string): void {
    if (this.#isClosed) return;
    this.elsewhere.noteSockets(userId);
    this.settle([userId]);
  }

  /** Checks again whether these people are connected and idle, after their sockets somewhere have changed. */
  settle(userIds: Iterable<string>): void {
    const changed: string[] = [];
    for (const id of userIds) {
      if (!this.#hasSocket(id)) this.#leave(id);
      else {
        clearTimeout(this.#leaving.get(id));
        this.#leaving.delete(id);
        const isIdle = this.#isIdleHere(id) && this.elsewhere.isIdle(id);
        if (!this.#people.has(id) || isIdle !== this.#idle.has(id)) changed.push(id);
        this.#people.add(id);
        if (isIdle) this.#idle.add(id);
        else this.#idle.delete(id);
        if (this.#here.has(id)) this.#hearCrowded(id);
      }
    }
    if (changed.length > 0) this.#callbacks.changed(changed);
  }

  /** Takes people whose last socket closed at another process a moment ago; `true`: they were idle. */
  recallLeaving(leaving: ReadonlyMap<string, boolean>): void {
    const userIds = [...leaving.keys()];
    for (const [id, wasIdle] of leaving) {
      this.#people.add(id);
      if (wasIdle) this.#idle.add(id);
    }
    this.settle(userIds);
    this.#callbacks.changed(userIds);
  }

  #hasSocket(userId: string): boolean {
    return this.#here.has(userId) || this.elsewhere.socketsOf(userId).length > 0;
  }

  #leave(userId: string): void {
    if (!this.#people.has(userId) || this.#leaving.has(userId) || this.#isClosed) return;
    const gone = () => {
      this.#leaving.delete(userId);
      this.#people.delete(userId);
      this.#idle.delete(userId);
      this.#callbacks.changed([userId]);
    };
    this.#leaving.set(userId, setTimeout(gone, goneAfterMs + this.elsewhere.lateMs));
  }

  /** Calls `hear` with people who have sockets here when their sockets anywhere have changed. */
  onSockets(hear: (userId: string) => void): void {
    this.#hearCrowded = hear;
  }

  /** Returns the sign-in time of the newest of the person's sockets in excess of `most`; undefined without excess. */
  oldestAbove(userId: string, most: number): number | undefined {
    const here = this.socketsOf(userId);
    const there = this.elsewhere.socketsOf(userId);
    const above = here.length + there.length - most;
    return above > 0 ? [...here, ...there].toSorted((one, other) => one - other)[above - 1] : undefined;
  }

  /** Ends the process's part: its sockets close, and its people connect to others. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    await this.elsewhere.stop();
  }
}
