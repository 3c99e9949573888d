// Subscribes the open sockets of a new member to the server, which is loaded once for all of them.
import type { House } from "../house/house.ts";
import { nextTurn, pieces } from "../house/pieces.ts";
import { OnceMore } from "../once-more.ts";
import { serverStream } from "../place.ts";
import { Queue } from "../queue.ts";
import { isStillTrue, mostAttempts } from "./beginnings.ts";
import type { Following } from "./following.ts";
import { type GainedServer, loadServer, serverFrame } from "./ready.ts";
import { type Socket, settled } from "./socket.ts";
import { forgetLive, type Joined } from "./stream.ts";

/** Characters that are sent before other work has its turn. */
const charactersAtOnce = 512 * 1024;

export class Gains {
  readonly #house: House;
  readonly #following: Following;
  readonly #socketsOf: (userId: string) => Iterable<Socket>;
  readonly #failed: (sockets: Iterable<Socket>, error: unknown) => void;
  /** By person and server: a person who joins again while their sockets get the server is served once more. */
  readonly #telling = new OnceMore();
  /** One turn for all: however many people join at once, their servers are loaded and sent one after the other. */
  readonly #turn = new Queue();
  /** The number of waits for sockets that get a server once they have signed in. */
  #signingIn = 0;

  constructor(
    house: House,
    following: Following,
    socketsOf: (userId: string) => Iterable<Socket>,
    failed: (sockets: Iterable<Socket>, error: unknown) => void,
  ) {
    this.#house = house;
    this.#following = following;
    this.#socketsOf = socketsOf;
    this.#failed = failed;
  }

  /** True if every socket that is to follow a server does. */
  get isAtRest(): boolean {
    return this.#signingIn === 0 && this.#telling.isAtRest;
  }

  /** Sends the server to all of the person's sockets that do not follow it yet. */
  gain(userId: string, serverId: string): void {
    // A socket that is still signing in gets the server with its READY, or right after it.
    for (const { signingIn } of this.#without(userId, serverId)) {
      if (signingIn && signingIn !== settled) void this.#tellAfter(signingIn, userId, serverId);
    }
    this.#tellOnce(userId, serverId);
  }

  async #tellAfter(signingIn: Promise<void>, userId: string, serverId: string): Promise<void> {
    this.#signingIn++;
    await signingIn;
    this.#signingIn--;
    this.#tellOnce(userId, serverId);
  }

  #tellOnce(userId: string, serverId: string): void {
    void this.#telling.run(`${userId} ${serverId}`, () =>
      this.#tellAll(userId, serverId).catch((error) => this.#failed(this.#ready(userId, serverId), error)),
    );
  }

  async #tellAll(userId: string, serverId: string): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const caller = this.#ready(userId, serverId)[0]?.caller;
      if (!caller) return;
      const joined = await this.#following.join([serverStream(serverId)]);
      try {
        await this.#house.bus.caughtUp([serverStream(serverId)]);
        forgetLive(joined);
        const server = await this.#inTurn(() => loadServer(this.#house, caller, serverId));
        if (!server) return;
        await this.#following.reached([server]);
        if (await this.#tell(userId, server, joined)) return;
      } finally {
        this.#following.leave(joined);
      }
    }
    for (const socket of this.#ready(userId, serverId)) socket.end("restart");
  }

  /** Returns false when rights changed meanwhile; sockets that have the server by then follow it, and hear of that. */
  async #tell(userId: string, server: GainedServer, joined: Joined): Promise<boolean> {
    const frame = serverFrame(server);
    const length = [frame, ...server.news()].join("").length;
    for (const some of pieces(this.#ready(userId, server.id), () => length, charactersAtOnce)) {
      const isTrue = await this.#inTurn(async () => {
        for (const socket of some) {
          if (!isStillTrue(userId, [server], joined)) return false;
          if (!socket.isOpen || socket.follows.has(server.stream)) continue;
          const joiner = joined.get(server.stream);
          socket.sendAll([frame, ...server.news()]);
          this.#following.catchUp(socket, server, joiner?.missed ?? []);
          this.#following.follow(socket, server, joiner);
        }
        return true;
      });
      if (!isTrue) return false;
    }
    return true;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turn.run(async () => {
      const result = await work();
      await nextTurn();
      return result;
    });
  }

  /** Returns the person's sockets that do not follow the server. */
  #without(userId: string, serverId: string): Socket[] {
    const stream = serverStream(serverId);
    return [...this.#socketsOf(userId)].filter((socket) => socket.isOpen && !socket.follows.has(stream));
  }

  #ready(userId: string, serverId: string): Socket[] {
    return this.#without(userId, serverId).filter((socket) => socket.signingIn === settled);
  }
}
