// Loads the states of people whose sockets sign in: once for all sockets of a person that wait at the same moment.
import type { Caller } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import { signInTurn } from "../house/pieces.ts";
import { UnitOfWork } from "../house/unit.ts";
import { personStream, serverStream } from "../place.ts";
import type { Following } from "./following.ts";
import type { PersonalStreams } from "./personal.ts";
import { loadReady, type ReadyView } from "./ready.ts";
import type { Socket } from "./socket.ts";
import { forgetLive, type Joined } from "./stream.ts";
import { Turns } from "./turns.ts";

/** States with more servers than this take so long that they are loaded one at a time. */
const fewServers = 25;

export interface Loaded {
  /** The joiners of this socket alone. */
  joined: Joined;
  view: ReadyView;
}

interface Waiting extends PromiseWithResolvers<Loaded | undefined> {
  socket: Socket;
  /** True if the client may not get the state, but only the events that it missed. */
  resumes: boolean;
}

export class Loads {
  readonly #house: House;
  readonly #following: Following;
  readonly #personal: PersonalStreams;
  readonly #turns: Turns;
  /** By person: the sockets that wait for their person's next turn. */
  readonly #waiting = new Map<string, Waiting[]>();

  /** `socketsOf` returns how many sockets a person has. */
  constructor(
    house: House,
    following: Following,
    personal: PersonalStreams,
    socketsOf: (userId: string) => number,
  ) {
    this.#house = house;
    this.#following = following;
    this.#personal = personal;
    this.#turns = new Turns(socketsOf);
  }

  /**
   * Loads the caller's state in their turn, and collects events for the socket from before that moment until
   * `Following.leave`. Resolves with undefined when the socket closed, or the caller joined a server meanwhile.
   */
  load(socket: Socket, caller: Caller, resumes: boolean): Promise<Loaded | undefined> {
    const waiting = { ...Promise.withResolvers<Loaded | undefined>(), socket, resumes };
    const others = this.#waiting.get(caller.userId);
    if (others) others.push(waiting);
    else void this.#loadFor([waiting], caller);
    return waiting.promise;
  }

  /** More sockets are added to `all` while they wait for the turn. */
  async #loadFor(all: Waiting[], caller: Caller): Promise<void> {
    this.#waiting.set(caller.userId, all);
    const begins = () => {
      if (this.#waiting.get(caller.userId) === all) this.#waiting.delete(caller.userId);
    };
    try {
      const isLong = (await this.#serversOf(caller)).length > fewServers;
      await this.#turns.run(caller.userId, isLong, async () => {
        begins();
        await this.#loadNow(
          all.filter(({ socket }) => socket.isOpen),
          caller,
        );
      });
      for (const { resolve } of all) resolve(undefined);
    } catch (error) {
      begins();
      for (const { reject } of all) reject(error);
    } finally {
      // A Map that grows leaves its old storage to the garbage collector, and whatever that refers to stays until the
      // next full collection. With the states of all recent sign-ins, that was half a kilobyte for each idle socket.
      all.length = 0;
    }
  }

  async #loadNow(all: readonly Waiting[], caller: Caller): Promise<void> {
    if (all.length === 0) return;
    const streams = (await this.#serversOf(caller)).map(serverStream);
    const joined = new Map<Waiting, Joined>();
    try {
      for (const each of all) joined.set(each, await this.#following.join(streams));
      await this.#house.bus.caughtUp([personStream(caller.userId), ...streams]);
      for (const [{ socket, resumes }, itsOwn] of joined) {
        if (resumes) continue;
        forgetLive(itsOwn);
        this.#personal.forgetLive(socket);
      }
      const view = await loadReady(this.#house, caller);
      const known = new Set(streams);
      if (!view.servers.every(({ stream }) => known.has(stream))) return;
      for (const [each, itsOwn] of joined) {
        // Each socket's READY may be long: other work has its turn between two of them.
        if (each.socket.isOpen) await signInTurn();
        joined.delete(each);
        each.resolve({ joined: itsOwn, view });
      }
    } finally {
      for (const unused of joined.values()) this.#following.leave(unused);
    }
  }

  #serversOf({ userId }: Caller): Promise<string[]> {
    const unit = new UnitOfWork(this.#house, this.#house.database.read, "direct");
    return this.#house.rights.serversOf(unit, userId);
  }
}
