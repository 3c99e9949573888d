// Sends resumed sockets the events that they missed, from the log: in pieces that take turns, at each reader's pace.
import type { Db } from "../database/database.ts";
import { eventFrames, type MissedFrame } from "../house/log-table.ts";
import { cutsOf } from "../house/streams.ts";
import type { StreamKey } from "../place.ts";
import { Queues } from "../queue.ts";
import { type Held, leastHeld } from "./audience.ts";
import { roomFor } from "./pace.ts";
import type { Owed } from "./resume.ts";
import type { Socket } from "./socket.ts";
import { type PieceTurns, weightAtOnce, weightOfQuestion, weightOfRow } from "./turns.ts";

/** Rows of the first page, before the length of the rows is known. */
const firstRows = 50;
/** The most rows of a page: the next rows may be longer than the last ones. */
const mostRows = 250;

/** Returns the audiences that the reader holds in a stream now. */
type HeldIn = (stream: StreamKey) => Held;

export class Replays {
  readonly #db: Db;
  readonly #ofPeople = new Queues();
  readonly #turns: PieceTurns;

  constructor(db: Db, turns: PieceTurns) {
    this.#db = db;
    this.#turns = turns;
  }

  /** Sends the owed events. Returns how many were sent; undefined when rows were deleted from the log meanwhile. */
  async run(
    socket: Socket,
    userId: string,
    owed: readonly Owed[],
    heldIn: HeldIn,
  ): Promise<number | undefined> {
    const replay = new Replay(this.#db, socket, owed, heldIn);
    while (socket.isOpen && replay.isUnderWay) {
      // A slow reader is waited for before its turn, so that it delays no other socket.
      await roomFor(socket);
      await this.#ofPeople.run(userId, () => this.#turns.run(() => replay.goOn()));
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
  /** Ranges that have not been read yet, the next one last. */
  readonly #owed: Owed[];
  /** Frames of one stream that were read and have not been sent yet. */
  #page: { held: Held; frames: MissedFrame[] } = { held: leastHeld, frames: [] };
  /** Rows of the next page, by the length of the last page's rows. */
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

  /** Sends one piece: pages of one stream or of several, while the reader takes them. Returns its weight. */
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

  /** Reads the next page. Returns its weight. */
  async #read(): Promise<number> {
    const next = this.#owed.pop();
    if (!next) return 0;
    const { stream, from, upTo } = next;
    const end = Math.min(from + this.#rows, upTo);
    const frames = await eventFrames(this.#db, { stream, after: from, up_to: end });
    // A slow reader may take so long that rows of this page were deleted from the log meanwhile.
    if (from < ((await cutsOf(this.#db, [stream])).get(stream) ?? 0)) {
      this.isCut = true;
      return weightOfQuestion;
    }
    if (end < upTo) this.#owed.push({ stream, from: end, upTo });
    this.#page = { held: this.#heldIn(stream), frames };
    let weight = 0;
    for (const { frame } of frames) weight += frame.length + weightOfRow;
    const fitting = weight === 0 ? mostRows : Math.floor((weightAtOnce * frames.length) / weight);
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
