// Sends what resumed connections missed, from the log: in pieces that take turns, no faster than each is taken.
import type { Db } from "../database/database.ts";
import { eventFrames, type MissedFrame } from "../house/log-table.ts";
import type { StreamKey } from "../place.ts";
import { type Held, leastHeld } from "./audience.ts";
import { roomFor } from "./pace.ts";
import type { Owed } from "./resume.ts";
import type { Socket } from "./socket.ts";
import { type PieceTurns, Turns, weightAtOnce, weightOfQuestion, weightOfRow } from "./turns.ts";

/** Rows of the first page, as long as nobody knows how long they are. */
const firstRows = 50;
/** Rows of one at the most: those that come may be longer than those that went. */
const mostRows = 250;

/** What the reader holds in a stream now. */
type HeldIn = (stream: StreamKey) => Held;

export class Replays {
  readonly #db: Db;
  readonly #ofPeople = new Turns();
  readonly #turns: PieceTurns;

  constructor(db: Db, turns: PieceTurns) {
    this.#db = db;
    this.#turns = turns;
  }

  /** Answers how many events were sent; undefined when the log was cut while it was being read. */
  async run(
    socket: Socket,
    userId: string,
    owed: readonly Owed[],
    heldIn: HeldIn,
  ): Promise<number | undefined> {
    const replay = new Replay(this.#db, socket, owed, heldIn);
    while (socket.isOpen && replay.isUnderWay) {
      // Whoever waits for a slow reader holds nobody up.
      await roomFor(socket);
      await this.#ofPeople.run(userId, false, () => this.#turns.run(() => replay.goOn()));
    }
    return replay.isCut ? undefined : replay.sent;
  }
}

class Replay {
  sent = 0;
  isCut = false;
  readonly #db: Db;
  readonly #socket: Socket;
  readonly #heldIn: HeldIn;
  /** What is not read yet. */
  readonly #owed: Owed[];
  /** What is read and not sent yet, of one stream. */
  #page: { held: Held; frames: MissedFrame[] } = { held: leastHeld, frames: [] };
  /** Rows of the next page, by how long those of the last one were. */
  #rows = firstRows;

  constructor(db: Db, socket: Socket, owed: readonly Owed[], heldIn: HeldIn) {
    this.#db = db;
    this.#socket = socket;
    this.#owed = [...owed].reverse();
    this.#heldIn = heldIn;
  }

  get isUnderWay(): boolean {
    return !this.isCut && (this.#page.frames.length > 0 || this.#owed.length > 0);
  }

  /** One piece: pages of one stream or of several, while the reader takes them. Answers how heavy it was. */
  async goOn(): Promise<number> {
    let weight = 0;
    do {
      if (this.#page.frames.length === 0) weight += await this.#read();
      this.#send();
    } while (
      weight < weightAtOnce &&
      this.isUnderWay &&
      this.#socket.isOpen &&
      this.#page.frames.length === 0
    );
    return weight;
  }

  /** Answers how heavy the page is. */
  async #read(): Promise<number> {
    const next = this.#owed.pop();
    if (!next) return 0;
    const { stream, from, upTo } = next;
    const end = Math.min(from + this.#rows, upTo);
    const frames = await eventFrames(this.#db, { stream, after: from, up_to: end });
    // A slow reader may take longer than the log goes back.
    if (frames.length < end - from) {
      this.isCut = true;
      return weightOfQuestion;
    }
    if (end < upTo) this.#owed.push({ stream, from: end, upTo });
    this.#page = { held: this.#heldIn(stream), frames };
    let weight = 0;
    for (const { frame } of frames) weight += frame.length + weightOfRow;
    const fitting = Math.floor((weightAtOnce * frames.length) / weight);
    this.#rows = Math.max(1, Math.min(fitting, 2 * this.#rows, mostRows));
    return weight + weightOfQuestion;
  }

  #send(): void {
    const { held, frames } = this.#page;
    let next = 0;
    this.#socket.together(() => {
      for (; next < frames.length && !this.#socket.isFarBehind; next++) {
        const event = frames[next];
        if (!event || !held.has(event.audience)) continue;
        this.#socket.send(event.frame);
        this.sent++;
      }
    });
    this.#page.frames = frames.slice(next);
  }
}
