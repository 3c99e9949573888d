// The operations that wait for a shared commit: the servers and people whose streams they write to take turns.
import type { Home } from "../place.ts";
import type { Waiting } from "./commit-group.ts";

/** The most operations in one commit: with more, the first would wait too long for the last. */
export const mostOperations = 512;
/**
 * A commit with this many rows takes no further operation. Plain posts have three rows each, so this never limits them;
 * a post that mentions a hundred people has as many as dozens of plain ones.
 */
export const mostRows = 2000;

/** An operation without an event has no stream. */
type Lane = Home | "";

/** Counts the operations and rows of one commit. */
export class Room {
  #operations = 0;
  #rows = 0;

  get isLeft(): boolean {
    return this.#operations < mostOperations && this.#rows < mostRows;
  }

  take({ unit }: Waiting): void {
    this.#operations++;
    this.#rows += unit.appends.length;
    for (const { place } of unit.events) this.#rows += place.streams.length;
  }
}

export class CommitQueue {
  /** In the order of their turns. The operations of one stream stay in order, because its ids have to rise. */
  readonly #lanes = new Map<Lane, Waiting[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(each: Waiting): void {
    const lane = each.unit.events[0]?.place.home ?? "";
    const those = this.#lanes.get(lane);
    if (those) those.push(each);
    else this.#lanes.set(lane, [each]);
    this.#length++;
  }

  /**
   * Takes the operations of the next commit, one of each stream in turn, so that no caller waits for all the rows that
   * another server writes. The next commit continues with the stream at which this one was full.
   */
  take(): Waiting[] {
    const group: Waiting[] = [];
    const room = new Room();
    // A lane that is set again is visited again, behind the others.
    for (const [lane, those] of this.#lanes) {
      if (!room.isLeft) break;
      const each = those.shift() as Waiting;
      this.#lanes.delete(lane);
      if (those.length > 0) this.#lanes.set(lane, those);
      group.push(each);
      room.take(each);
    }
    this.#length -= group.length;
    return group;
  }
}
