// The people who are connected: with a socket at this process or another one, or until recently.

/** A reconnect within this time after a person's last socket closed goes unnoticed by others, in milliseconds. */
export const goneAfterMs = 10_000;

/** The sockets of other processes. */
export interface Elsewhere {
  /** Maximum delay of news about them, in milliseconds: a person who is gone here is waited for that much longer. */
  readonly lateMs: number;
  /** Returns when each of the person's sockets at other processes signed in. */
  socketsOf(userId: string): readonly number[];
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
  noteSockets() {},
  noteSaid() {},
  activeAmong: async () => new Set(),
  now: Date.now,
  stop: async () => {},
};

interface ConnectionsCallbacks {
  /** Called when these people came with their first socket, or were gone for long enough. */
  cameOrWent(userIds: readonly string[]): void;
}

export class Connections {
  readonly #callbacks: ConnectionsCallbacks;
  /** By person: when each of their sockets at this process signed in, oldest first. */
  readonly #here = new Map<string, number[]>();
  /** The people who are connected, to any process. */
  readonly #people = new Set<string>();
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

  /** When each of the person's sockets at this process signed in. */
  socketsOf(userId: string): readonly number[] {
    return this.#here.get(userId) ?? [];
  }

  /** The people who have sockets at this process. */
  get here(): Iterable<string> {
    return this.#here.keys();
  }

  /** Adds a socket of the person at this process, which signed in at `since`, a time of `now()`. */
  opened(userId: string, since: number): void {
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
    this.#changed(userId);
  }

  #changed(userId: string): void {
    if (this.#isClosed) return;
    this.elsewhere.noteSockets(userId);
    this.settle([userId]);
  }

  /** Checks again whether these people are connected, after their sockets somewhere have changed. */
  settle(userIds: Iterable<string>): void {
    const came: string[] = [];
    for (const id of userIds) {
      if (!this.#hasSocket(id)) this.#leave(id);
      else {
        clearTimeout(this.#leaving.get(id));
        this.#leaving.delete(id);
        if (!this.#people.has(id)) came.push(id);
        this.#people.add(id);
        if (this.#here.has(id)) this.#hearCrowded(id);
      }
    }
    if (came.length > 0) this.#callbacks.cameOrWent(came);
  }

  /** Takes people whose last socket closed at another process a moment ago. */
  recallLeaving(userIds: readonly string[]): void {
    for (const id of userIds) this.#people.add(id);
    this.settle(userIds);
    this.#callbacks.cameOrWent(userIds);
  }

  #hasSocket(userId: string): boolean {
    return this.#here.has(userId) || this.elsewhere.socketsOf(userId).length > 0;
  }

  #leave(userId: string): void {
    if (!this.#people.has(userId) || this.#leaving.has(userId) || this.#isClosed) return;
    const gone = () => {
      this.#leaving.delete(userId);
      this.#people.delete(userId);
      this.#callbacks.cameOrWent([userId]);
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
