// Sends what resumed connections missed, from the log: in pieces that take turns, no faster than each is taken.
import type { Audience } from "../../protocol/event.ts";
import type { Db } from "../database/database.ts";
import { eventFrames, type MissedFrame } from "../house/event-log.ts";
import { hears } from "./audience.ts";
import { roomFor } from "./pace.ts";
import type { Owed } from "./resume.ts";
import type { Socket } from "./socket.ts";
import { type PieceTurns, Turns, weightAtOnce, weightOfQuestion, weightOfRow } from "./turns.ts";

/** Rows of the first page, as long as nobody knows how long they are. */
const firstRows = 50;
/** Rows of one at the most: those that come may be longer than those that went. */
const mostRows = 250;

type AudienceIn = (serverId: string) => Audience;

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
    audienceIn: AudienceIn,
  ): Promise<number | undefined> {
    const replay = new Replay(this.#db, socket, owed, audienceIn);
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
  readonly #audienceIn: AudienceIn;
  /** What is not read yet. */
  readonly #owed: Owed[];
  /** What is read and not sent yet, of one server. */
  #page: { audience: Audience; frames: MissedFrame[] } = { audience: "members", frames: [] };
  /** Rows of the next page, by how long those of the last one were. */
  #rows = firstRows;

  constructor(db: Db, socket: Socket, owed: readonly Owed[], audienceIn: AudienceIn) {
    this.#db = db;
    this.#socket = socket;
    this.#owed = [...owed].reverse();
    this.#audienceIn = audienceIn;
  }

  get isUnderWay(): boolean {
    return !this.isCut && (this.#page.frames.length > 0 || this.#owed.length > 0);
  }

  /** One piece: pages of one server or of several, while the reader takes them. Answers how heavy it was. */
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
    const stream = this.#owed.pop();
    if (!stream) return 0;
    const { serverId, from, upTo } = stream;
    const end = Math.min(from + this.#rows, upTo);
    const frames = await eventFrames(this.#db, { serverId, from, upTo: end });
    // A slow reader may take longer than the log goes back.
    if (frames.length < end - from) {
      this.isCut = true;
      return weightOfQuestion;
    }
    if (end < upTo) this.#owed.push({ serverId, from: end, upTo });
    this.#page = { audience: this.#audienceIn(serverId), frames };
    let weight = 0;
    for (const { frame } of frames) weight += frame.length + weightOfRow;
    const fitting = Math.floor((weightAtOnce * frames.length) / weight);
    this.#rows = Math.max(1, Math.min(fitting, 2 * this.#rows, mostRows));
    return weight + weightOfQuestion;
  }

  #send(): void {
    const { audience, frames } = this.#page;
    let next = 0;
    this.#socket.together(() => {
      for (; next < frames.length && !this.#socket.isFarBehind; next++) {
        const event = frames[next];
        if (!event || !hears(audience, event)) continue;
        this.#socket.send(event.frame);
        this.sent++;
      }
    });
    this.#page.frames = frames.slice(next);
  }
}
