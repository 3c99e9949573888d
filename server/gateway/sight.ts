// What those are told who gained or lost the sight of a server's channels: made once for all, sent to some at a time.
import type { Audience } from "../../protocol/event.ts";
import { nextTurn, pieces } from "../house/pieces.ts";
import { question } from "../house/question.ts";
import type { Unit } from "../house/unit.ts";
import { Queue } from "../queue.ts";
import type { Socket } from "./socket.ts";

/** Frames that go out before others have their turn; those of one socket stay together. */
const framesAtOnce = 1000;

/** However many servers change at once, their news take turns. */
const sending = new Queue();

/** Frames for all who gained or lost the sight of a server's channels: the same for each of them. */
export const sightChanged = question<[serverId: string, gained: boolean], readonly string[]>(
  "gateway.sightChanged",
);

export class SightNews {
  readonly #unit: Unit;
  readonly #serverId: string;
  readonly #frames = new Map<Audience, Promise<string[]>>();
  #owed: [Socket, Audience][] = [];

  constructor(unit: Unit, serverId: string) {
    this.#unit = unit;
    this.#serverId = serverId;
  }

  owe(socket: Socket, audience: Audience): void {
    this.#owed.push([socket, audience]);
  }

  /** Tells all who are owed something; `listen` is called for each right before they are told. */
  async send(listen: (socket: Socket, audience: Audience) => void): Promise<void> {
    const owed = this.#owed;
    this.#owed = [];
    for (const [audience, some] of Map.groupBy(owed, ([, audience]) => audience)) {
      const frames = await this.#framesFor(audience);
      for (const piece of pieces(some, () => frames.length, framesAtOnce)) {
        await sending.run(async () => {
          for (const [socket] of piece) {
            if (!socket.isOpen) continue;
            listen(socket, audience);
            socket.sendAll(frames);
          }
          await nextTurn();
        });
      }
    }
  }

  #framesFor(audience: Audience): Promise<string[]> {
    const known = this.#frames.get(audience);
    if (known) return known;
    const frames = this.#make(audience === "viewers");
    this.#frames.set(audience, frames);
    return frames;
  }

  async #make(gained: boolean): Promise<string[]> {
    return (await this.#unit.ask(sightChanged, this.#serverId, gained)).flat();
  }
}
