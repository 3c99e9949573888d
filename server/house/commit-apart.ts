// Operations whose stream another transaction holds: they wait separately, so that those of other streams proceed.
import { Refusal } from "../../protocol/errors.ts";
import { type Home, rowsOf } from "../place.ts";
import type { Waiting } from "./commit-group.ts";
import { Room } from "./commit-queue.ts";
import { type HeldStreams, heldStreams } from "./held-streams.ts";
import type { House } from "./house.ts";
import { heldAmong } from "./streams.ts";

/** The most operations that wait for held streams; further ones are refused at once. */
const mostWaiting = 1000;

/** How many commits in a row a lane with free rows may have: lanes that wait for a lock must not delay it. */
const mostInARow = 16;

/** An operation without an event has no stream: it waits for another row. */
type Lane = Home | "";

/**
 * Keeps a lane for each held stream, and commits them one lane after the other: in each round those whose rows are
 * free, and then the one that has waited longest, for the second that a transaction waits for a lock. So one connection
 * is enough, however many streams are held.
 */
export class CommitApart {
  readonly #house: House;
  readonly #commit: (group: Waiting[]) => Promise<void>;
  readonly #held: HeldStreams;
  readonly #lanes = new Map<Lane, Waiting[]>();
  /** The lane that is being committed: new operations of its stream wait behind those. */
  #committing: Lane | undefined;
  /** True if something in that commit was held. */
  #hasParted = false;
  #count = 0;
  #isRunning = false;

  /** `commit` returns operations that it finds held by calling `part`. */
  constructor(house: House, commit: (group: Waiting[]) => Promise<void>) {
    this.#house = house;
    this.#commit = commit;
    this.#held = heldStreams(house);
  }

  /** Takes the operations of held streams out of the group. Returns the others. */
  take(group: Waiting[]): Waiting[] {
    if (this.#held.isEmpty && !this.#isRunning) return group;
    return group.filter((each) => {
      // An operation of the lane that is being committed, or of the rest of that lane, which runs alone.
      if (each.hasWaited) return true;
      const lane = streamsOf(each).find((stream) => this.#isApart(stream));
      if (lane === undefined) return true;
      if (this.#count >= mostWaiting) each.reject(stillHeld());
      else this.#add(lane, [...(this.#lanes.get(lane) ?? []), each]);
      return false;
    });
  }

  #isApart(stream: Home): boolean {
    return this.#held.has(stream) || this.#lanes.has(stream) || this.#committing === stream;
  }

  /**
   * Splits a group whose commit timed out on a lock: takes the operations of held streams, and returns the others. When
   * no stream is held, another row is, so all wait in the lanes of their streams, and the stream of an operation that
   * is held even alone counts as held.
   */
  async part(group: readonly Waiting[]): Promise<Waiting[]> {
    this.#hasParted = true;
    const held = await this.#heldOf([...new Set(group.flatMap(streamsOf))]);
    for (const stream of held) this.#held.note(stream);
    // Held by another row even alone: later operations of its stream must not delay the commits of others again.
    if (held.size === 0)
      for (const stream of group.filter(({ hasWaited }) => hasWaited).flatMap(streamsOf))
        this.#held.note(stream);
    const others: Waiting[] = [];
    const lanes = Map.groupBy(group, (each): Lane | undefined => {
      const streams = streamsOf(each);
      return held.size > 0 ? streams.find((stream) => held.has(stream)) : (streams[0] ?? "");
    });
    for (const [lane, those] of lanes) {
      if (lane === undefined) others.push(...those);
      // The operations of the group are older than those that came meanwhile.
      else this.#add(lane, [...those, ...(this.#lanes.get(lane) ?? [])]);
    }
    return others;
  }

  #set(lane: Lane, those: Waiting[]): void {
    this.#count += those.length - (this.#lanes.get(lane)?.length ?? 0);
    if (those.length > 0) this.#lanes.set(lane, those);
    else this.#lanes.delete(lane);
  }

  #add(lane: Lane, those: Waiting[]): void {
    this.#set(lane, those);
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    while (this.#lanes.size > 0) {
      const lanes = [...this.#lanes.keys()];
      const held = await this.#heldOf(lanes.filter((lane) => lane !== ""));
      const [waiting, free] = [lanes.filter(isIn(held)), lanes.filter((lane) => !isIn(held)(lane))];
      for (const lane of free) for (let i = 0; i < mostInARow && (await this.#commitLane(lane)); i++);
      for (const lane of waiting.slice(0, 1)) await this.#commitLane(lane);
    }
    this.#isRunning = false;
  }

  /** Refuses operations that have waited too long, in all lanes: a lane's turn may be seconds away. */
  #expire(): void {
    const oldest = performance.now() - this.#house.database.heldMs;
    for (const [lane, those] of this.#lanes) {
      const late = those.filter(({ since }) => since <= oldest);
      if (late.length === 0) continue;
      this.#set(
        lane,
        those.filter(({ since }) => since > oldest),
      );
      for (const each of late) each.reject(stillHeld());
    }
  }

  /** Commits as much of the lane as fits into one commit. Returns whether the rest can be committed at once. */
  async #commitLane(lane: Lane): Promise<boolean> {
    this.#expire();
    const those = this.#lanes.get(lane) ?? [];
    if (those.length === 0) return false;
    const room = new Room();
    const group = those.filter((each) => {
      if (!room.isLeft) return false;
      room.take(each);
      return true;
    });
    this.#set(lane, []);
    this.#set(lane, those.slice(group.length));
    this.#committing = lane;
    this.#hasParted = false;
    const begun = performance.now();
    await this.#commit(group.map((each) => ({ ...each, hasWaited: true })));
    this.#committing = undefined;
    if (lane !== "") this.#held.letGo(lane, begun);
    return !this.#hasParted && this.#lanes.has(lane);
  }

  /** The streams among these that are held. When the database is away, none: the next commit learns it. */
  async #heldOf(streams: readonly Home[]): Promise<ReadonlySet<Home>> {
    if (streams.length === 0) return new Set();
    const { database } = this.#house;
    return database
      .transaction(async (db) => new Set(await heldAmong(db, streams)), "once")
      .catch(() => new Set<Home>());
  }
}

function isIn(streams: ReadonlySet<Home>): (lane: Lane) => boolean {
  return (lane) => streams.has(lane as Home);
}

function stillHeld(): Refusal {
  return new Refusal(
    "unavailable",
    "Another change that this one waits for does not end. Try again shortly.",
    {
      retryAfter: 2,
    },
  );
}

function streamsOf({ unit }: Waiting): Home[] {
  return unit.events.flatMap(({ place }) => rowsOf(place));
}
