// What listeners are told who gained or lost the sight of a server's channels: made once for all, sent to some at a time.
import type { Audience } from "../../protocol/event.ts";
import { nextTurn, pieces } from "../house/pieces.ts";
import { question } from "../house/question.ts";
import type { Unit } from "../house/unit.ts";
import { Queue } from "../queue.ts";
import { type Held, heldWithout } from "./audience.ts";
import type { Socket } from "./socket.ts";

/** Frames that go out before others have their turn; those of one socket stay together. */
const framesAtOnce = 1000;

/** However many servers change at once, their news take turns. */
const sending = new Queue();

/** The names of audiences that a listener of a server came to hold, and those that it holds no more. */
export interface SightChange {
  gained: ReadonlySet<Audience>;
  lost: ReadonlySet<Audience>;
}

/** Frames for all listeners of a server whose sight changed like this: the same for each of them. */
export const sightChanged = question<[serverId: string, change: SightChange], readonly string[]>(
  "gateway.sightChanged",
);

interface Owed {
  socket: Socket;
  before: Held;
  after: Held;
}

export class SightNews {
  readonly #unit: Unit;
  readonly #serverId: string;
  #owed: Owed[] = [];

  constructor(unit: Unit, serverId: string) {
    this.#unit = unit;
    this.#serverId = serverId;
  }

  owe(socket: Socket, before: Held, after: Held): void {
    this.#owed.push({ socket, before, after });
  }

  /** Tells all who are owed something; `listen` is called for each right before its socket is told. */
  async send(listen: (socket: Socket, held: Held) => void): Promise<void> {
    const owed = this.#owed;
    this.#owed = [];
    for (const byAfter of Map.groupBy(owed, ({ after }) => after).values()) {
      for (const [before, some] of Map.groupBy(byAfter, ({ before }) => before)) {
        await this.#sendTo(some, before, listen);
      }
    }
  }

  /** These sockets' sight changed alike. */
  async #sendTo(
    owed: readonly Owed[],
    before: Held,
    listen: (socket: Socket, held: Held) => void,
  ): Promise<void> {
    const after = owed[0]?.after ?? before;
    const change = { gained: heldWithout(after, before), lost: heldWithout(before, after) };
    const frames = (await this.#unit.ask(sightChanged, this.#serverId, change)).flat();
    for (const piece of pieces(owed, () => frames.length, framesAtOnce)) {
      await sending.run(async () => {
        for (const { socket } of piece) {
          if (!socket.isOpen) continue;
          listen(socket, after);
          socket.sendAll(frames);
        }
        await nextTurn();
      });
    }
  }
}
