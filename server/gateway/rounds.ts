// Sends news of a person to the members of all their servers: in pieces, with turns of other work in between.
import type { LiveRound } from "../bus/bus.ts";
import { Cache } from "../cache.ts";
import { nextTurn } from "../house/pieces.ts";

/** Deliveries before other work has its turn; each server counts as `perServer` more. */
const deliveriesAtOnce = 500;
const perServer = 2;
/** People and types whose newest number is remembered. Older rounds arrive within seconds, so few are enough. */
const remembered = 10_000;

interface RoundCallbacks {
  /** Sends the news to the listeners of one server. Returns how many sockets get it. */
  tell(serverId: string, round: LiveRound): number;
  /** Called when some sockets may not have got the news. */
  failed(error: unknown): void;
}

interface Round {
  news: LiveRound;
  /** How many of the person's servers have been served. */
  told: number;
  /** Servers that the person has left since. */
  left: Set<string>;
}

export class Rounds {
  readonly #callbacks: RoundCallbacks;
  /** By user id, the oldest news first; of each type at most one waits, however often the person changes. */
  readonly #due = new Map<string, Round[]>();
  /** By type and user id: the number of the newest round. */
  readonly #newest = new Cache<number>(remembered);
  #isGoing = false;

  constructor(callbacks: RoundCallbacks) {
    this.#callbacks = callbacks;
  }

  /** True if all news has been sent. */
  get isAtRest(): boolean {
    return !this.#isGoing;
  }

  /** Takes news of a person; the first piece is sent at once when no other round is running. */
  take(news: LiveRound): void {
    if (!this.#isNewest(news)) return;
    const due = this.#due.get(news.about) ?? [];
    // A round that has begun is finished: otherwise news of a person who changes all the time would never reach their
    // last servers.
    const kept = due.filter((each) => each.told > 0 || each.news.type !== news.type);
    this.#due.set(news.about, [...kept, { news, told: 0, left: new Set() }]);
    if (!this.#isGoing) this.#go().catch((error) => this.#callbacks.failed(error));
  }

  /** Two processes may change a person at once, and their rounds arrive in either order. */
  #isNewest({ about, type, seq }: LiveRound): boolean {
    if (seq === undefined) return true;
    const name = `${type} ${about}`;
    if (seq < (this.#newest.peek(name) ?? 0)) return false;
    this.#newest.put(name, seq);
    return true;
  }

  /** Sends no more news of the person to this server: its members have heard, or will hear, that they left. */
  left(userId: string, serverId: string): void {
    for (const round of this.#due.get(userId) ?? []) round.left.add(serverId);
  }

  async #go(): Promise<void> {
    this.#isGoing = true;
    try {
      while (this.#tellPiece()) await nextTurn();
    } finally {
      this.#isGoing = false;
    }
  }

  /** Sends one piece. Returns whether there is more to send. */
  #tellPiece(): boolean {
    for (let room = deliveriesAtOnce; room > 0; ) {
      const [next] = this.#due;
      if (!next) return false;
      const [userId, rounds] = next;
      // People take turns; news of one person stays in order.
      this.#due.delete(userId);
      const [round, ...later] = rounds;
      if (!round) continue;
      room = this.#tellSome(round, room);
      const rest = round.told < round.news.serverIds.length ? rounds : later;
      if (rest.length > 0) this.#due.set(userId, rest);
    }
    return this.#due.size > 0;
  }

  /** Sends a round to its next servers. Returns how much of `most` is left. */
  #tellSome(round: Round, most: number): number {
    const { serverIds } = round.news;
    let room = most;
    while (room > 0 && round.told < serverIds.length) {
      const serverId = serverIds[round.told++] ?? "";
      if (!round.left.has(serverId)) room -= this.#callbacks.tell(serverId, round.news);
      room -= perServer;
    }
    return room;
  }
}
