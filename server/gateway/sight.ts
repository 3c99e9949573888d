// Sends listeners the channels that they gained or lost sight of: frames are made once for all, and sent in pieces.
import type { Audience } from "../../protocol/event.ts";
import type { Caller } from "../house/feature.ts";
import type { After } from "../house/log-table.ts";
import { nextTurn, pieces } from "../house/pieces.ts";
import { question } from "../house/question.ts";
import type { UnitOfWork } from "../house/unit.ts";
import { Queue } from "../queue.ts";
import { type Held, heldWithout } from "./audience.ts";
import type { Socket } from "./socket.ts";

/** Frames of usual length that are sent before other work has its turn; frames of one socket stay together. */
const framesAtOnce = 1000;
/** The length of a usual frame, in characters: a channel with many overrides or a long topic has a longer one. */
const usualFrame = 300;

/** One queue for all: however many servers change at once, their frames take turns. */
const sending = new Queue();

/** The audiences that a listener of a server gained and lost. */
export interface SightChange {
  gained: ReadonlySet<Audience>;
  lost: ReadonlySet<Audience>;
  /** All that the listener holds afterwards. */
  held: Held;
  /** The events after the one that changes it. */
  after: After;
}

/** Asks for the frames that listeners of a server get after such a change of audiences: the same for each. */
export const sightChanged = question<[serverId: string, change: SightChange], readonly string[]>(
  "gateway.sightChanged",
);

/**
 * Asks for the frames that each of these people gets right after those, about channels of the audiences that they
 * gained: a list per person, in order.
 */
export const sightGained = question<
  [callers: readonly Caller[], serverId: string, gained: ReadonlySet<Audience>],
  readonly (readonly string[])[]
>("gateway.sightGained");

/** Weight of a person's own frames, which are made for each person, compared to one frame that is made for all. */
const weightOfOwn = 10;

interface Owed {
  socket: Socket;
  before: Held;
  after: Held;
}

export class SightNews {
  readonly #unit: UnitOfWork;
  readonly #serverId: string;
  readonly #after: After;
  #owed: Owed[] = [];

  constructor(unit: UnitOfWork, serverId: string, after: After) {
    this.#after = after;
    this.#unit = unit;
    this.#serverId = serverId;
  }

  /** Records that a socket is owed the frames of this change. */
  owe(socket: Socket, before: Held, after: Held): void {
    this.#owed.push({ socket, before, after });
  }

  /** Sends every owed socket its frames; `listen` is called for each socket right before. */
  async send(listen: (socket: Socket, held: Held) => void): Promise<void> {
    const owed = this.#owed;
    this.#owed = [];
    for (const byAfter of Map.groupBy(owed, ({ after }) => after).values()) {
      for (const [before, some] of Map.groupBy(byAfter, ({ before }) => before)) {
        await this.#sendTo(some, before, listen);
      }
    }
  }

  /** Sends the frames to sockets with the same change of sight. */
  async #sendTo(
    owed: readonly Owed[],
    before: Held,
    listen: (socket: Socket, held: Held) => void,
  ): Promise<void> {
    const after = owed[0]?.after ?? before;
    const change = {
      gained: heldWithout(after, before),
      lost: heldWithout(before, after),
      held: after,
      after: this.#after,
    };
    const frames = (await this.#unit.ask(sightChanged, this.#serverId, change)).flat();
    const characters = frames.reduce((sum, { length }) => sum + length, 0);
    const weight = Math.ceil(characters / usualFrame) + (change.gained.size > 0 ? weightOfOwn : 0);
    for (const piece of pieces(owed, () => weight, framesAtOnce)) {
      await sending.run(async () => {
        const own = await this.#ownFrames(piece, change.gained);
        for (const { socket } of piece) {
          if (!socket.isOpen) continue;
          listen(socket, after);
          socket.sendAll([...frames, ...(own.get(socket.caller?.userId ?? "") ?? [])]);
        }
        await nextTurn();
      });
    }
  }

  /** Returns each person's own frames, by user id. */
  async #ownFrames(
    owed: readonly Owed[],
    gained: ReadonlySet<Audience>,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    if (gained.size === 0) return new Map();
    const people = new Map(
      owed.flatMap(({ socket: { caller } }) => (caller ? [[caller.userId, caller]] : [])),
    );
    const callers = [...people.values()];
    const answers = await this.#unit.ask(sightGained, callers, this.#serverId, gained);
    return new Map(callers.map(({ userId }, i) => [userId, answers.flatMap((each) => each[i] ?? [])]));
  }
}
