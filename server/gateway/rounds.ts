// News of somebody for all their servers: told in pieces, with everybody else's turn between.
import type { LiveRound } from "../bus/bus.ts";
import { nextTurn } from "../house/pieces.ts";

/** Deliveries before others have their turn; a server costs as much as some. */
const deliveriesAtOnce = 500;
const perServer = 2;

export interface RoundDoors {
  /** Tells the listeners of one server; answers how many they are. */
  tell(serverId: string, round: LiveRound): number;
  /** Somebody may not have been told. */
  failed(error: unknown): void;
}

interface Round {
  news: LiveRound;
  /** How many of its servers have had their turn. */
  told: number;
  /** Servers that the person has left since. */
  left: Set<string>;
}

export class Rounds {
  readonly #doors: RoundDoors;
  /** By person, the oldest news first: of each type one at the most that waits, however often they change. */
  readonly #due = new Map<string, Round[]>();
  #isGoing = false;

  constructor(doors: RoundDoors) {
    this.#doors = doors;
  }

  /** Tells at once what is short, when nothing else is under way. */
  take(news: LiveRound): void {
    const due = this.#due.get(news.about) ?? [];
    // What has begun is finished: else somebody who changes all the time would never be seen in the last servers.
    const kept = due.filter((each) => each.told > 0 || each.news.type !== news.type);
    this.#due.set(news.about, [...kept, { news, told: 0, left: new Set() }]);
    if (!this.#isGoing) this.#go().catch((error) => this.#doors.failed(error));
  }

  /** Nothing more is told of them there: the members have heard, or will hear, that they went. */
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

  /** Answers whether there is more to tell. */
  #tellPiece(): boolean {
    for (let room = deliveriesAtOnce; room > 0; ) {
      const [next] = this.#due;
      if (!next) return false;
      const [userId, rounds] = next;
      // People take turns; what is about one of them stays in order.
      this.#due.delete(userId);
      const [round, ...later] = rounds;
      if (!round) continue;
      room = this.#tellSome(round, room);
      const rest = round.told < round.news.serverIds.length ? rounds : later;
      if (rest.length > 0) this.#due.set(userId, rest);
    }
    return this.#due.size > 0;
  }

  /** Answers how much of `most` is left. */
  #tellSome(round: Round, most: number): number {
    const { serverIds } = round.news;
    let room = most;
    while (room > 0 && round.told < serverIds.length) {
      const serverId = serverIds[round.told++] ?? "";
      if (!round.left.has(serverId)) room -= this.#doors.tell(serverId, round.news);
      room -= perServer;
    }
    return room;
  }
}
