// How a signed-in socket begins: READY or the events that it missed, then all later events, with none lost in between.
import { readResume } from "../../protocol/client-frames.ts";
import type { Caller } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import { nextTurn, pieces, rowsAtOnce } from "../house/pieces.ts";
import type { StreamKey } from "../place.ts";
import { Queues } from "../queue.ts";
import { leastHeld, namesOf, newAudience } from "./audience.ts";
import type { Following } from "./following.ts";
import { type Loaded, Loads } from "./loads.ts";
import { roomFor } from "./pace.ts";
import type { PersonalStreams } from "./personal.ts";
import { type ReadyView, readyFrame, type ServerView, weightOf } from "./ready.ts";
import { Replays } from "./replay.ts";
import { type Owed, owedSince } from "./resume.ts";
import { frameText, type Socket } from "./socket.ts";
import { type Joined, mostMissed } from "./stream.ts";
import { PieceTurns, weightAtOnce } from "./turns.ts";

/** How often the state is loaded when rights change during each load; after that the client is told to reconnect. */
export const mostAttempts = 8;
/** Length of a READY, in characters, above which other work has its turn before the socket follows its servers. */
const longReady = 1024 * 1024;
/** Topics that a socket subscribes to before other work has its turn. */
const topicsAtOnce = 1000;

export class Beginnings {
  readonly #house: House;
  readonly #following: Following;
  readonly #personal: PersonalStreams;
  readonly #loads: Loads;
  /** Long work, one piece at a time per person. */
  readonly #ofPeople = new Queues();
  readonly #pieces = new PieceTurns();
  readonly #replays: Replays;

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
    this.#loads = new Loads(house, following, personal, socketsOf);
    this.#replays = new Replays(house.database.read, this.#pieces);
  }

  /**
   * Loads the caller's state and subscribes the socket to all their servers as of one moment. `resume` is the client's
   * data, unchecked. Ends the socket with `restart` when rights changed in every attempt.
   */
  async begin(socket: Socket, caller: Caller, resume: unknown): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts && socket.isOpen; attempt++) {
      const loaded = await this.#loads.load(socket, caller, resume !== undefined);
      if (!loaded) continue;
      try {
        await this.#turnFor(socket, caller, loaded.view);
        const owed = await this.#owed(socket, caller, resume, loaded.view);
        if (!socket.isOpen) return;
        if (await this.#tell(socket, caller, loaded, owed)) return;
      } finally {
        this.#following.leave(loaded.joined);
      }
    }
    socket.end("restart");
  }

  /**
   * Resolves when it is the socket's turn to get its READY, or to follow its servers. With many servers each takes
   * milliseconds in one go, and many sockets may be ready at the same moment.
   */
  async #turnFor(socket: Socket, { userId }: Caller, view: ReadyView): Promise<void> {
    const weight = weightOf(view);
    if (weight < weightAtOnce) return;
    const piece = async () => (socket.isOpen ? weight : 0);
    await this.#ofPeople.run(userId, () => this.#pieces.run(piece));
  }

  /** Returns the events that a resumed socket missed; null for a socket that gets a READY. */
  async #owed(socket: Socket, { userId }: Caller, given: unknown, view: ReadyView): Promise<Owed[] | null> {
    const resume = readResume(given, this.#house.epoch, view.servers.length);
    if (!resume) return null;
    return this.#ofPeople.run(userId, async () =>
      socket.isOpen ? owedSince(this.#house, resume, view, this.#pieces) : null,
    );
  }

  /** Returns false when rights changed during the load and nothing was sent yet: then the state is loaded again. */
  async #tell(
    socket: Socket,
    caller: Caller,
    { joined, view }: Loaded,
    owed: readonly Owed[] | null,
  ): Promise<boolean> {
    const held = new Map([view.personal, ...view.servers].map(({ stream, held }) => [stream, held]));
    const heldIn = (stream: StreamKey) => held.get(stream) ?? leastHeld;
    const replayed = owed ? await this.#replays.run(socket, caller.userId, owed, heldIn) : 0;
    if (replayed !== undefined) await this.#following.reached(view.servers);
    const isTrue = replayed !== undefined && isStillTrue(caller.userId, view.servers, joined);
    if (replayed === 0 && !isTrue) return false;
    // A partly sent replay cannot be taken back, so its client has to start over.
    const isUnderWay = isTrue && (owed !== null || (await this.#sendReady(socket, caller, view, joined)));
    const late = isUnderWay ? await this.#catchUp(socket, caller, view, joined) : undefined;
    const sent = owed && late !== undefined ? (replayed ?? 0) + late : undefined;
    const isFollowing = late !== undefined && (await this.#followAll(socket, caller, { joined, view }, sent));
    if (!isFollowing) socket.end("restart");
    return true;
  }

  /** Sends READY. Returns whether the state still holds afterwards: a long READY takes time to send. */
  async #sendReady(socket: Socket, caller: Caller, view: ReadyView, joined: Joined): Promise<boolean> {
    const frame = readyFrame(this.#house, caller, view);
    socket.send(frame);
    if (frame.length <= longReady && !socket.isFarBehind) return true;
    await nextTurn();
    await roomFor(socket);
    await this.#turnFor(socket, caller, view);
    return isStillTrue(caller.userId, view.servers, joined);
  }

  /**
   * Sends the events that came during the load, in pieces as long as there are many; #followAll sends the last ones.
   * Returns how many were sent; undefined when an event changed what the caller may hear.
   */
  async #catchUp(
    socket: Socket,
    caller: Caller,
    view: ReadyView,
    joined: Joined,
  ): Promise<number | undefined> {
    let sent = 0;
    for (const server of view.servers) {
      const missed = joined.get(server.stream)?.missed ?? [];
      while (socket.isOpen && missed.length > rowsAtOnce) {
        if (!isStillTrue(caller.userId, view.servers, joined)) return undefined;
        sent += this.#following.catchUp(socket, server, missed.splice(0, rowsAtOnce));
        await nextTurn();
        await roomFor(socket);
      }
    }
    return isStillTrue(caller.userId, view.servers, joined) ? sent : undefined;
  }

  /**
   * Subscribes the socket to its servers, in pieces where there are many topics. No event comes between the moment when a
   * server has caught up and its subscription. Returns false when an event changed meanwhile what the caller may hear.
   */
  async #followAll(socket: Socket, caller: Caller, { joined, view }: Loaded, replayed?: number) {
    if (!socket.isOpen) return true;
    let late = 0;
    for (const server of view.servers) late += this.#sendMissed(socket, server, joined);
    if (replayed !== undefined) socket.send(frameText("RESUMED", { replayed: replayed + late }));
    const waiting = [...view.servers];
    for (const some of pieces(view.servers, ({ held }) => held.size, topicsAtOnce)) {
      if (waiting.length < view.servers.length) {
        await nextTurn();
        if (!socket.isOpen) return true;
        if (!isStillTrue(caller.userId, waiting, joined)) return false;
      }
      for (const server of waiting.splice(0, some.length)) {
        this.#sendMissed(socket, server, joined);
        this.#following.follow(socket, server, joined.get(server.stream));
      }
    }
    this.#personal.follow(socket, view.personal.seq);
    return true;
  }

  /** Sends the events that came since the last time, or during the load. Returns how many. */
  #sendMissed(socket: Socket, server: ServerView, joined: Joined): number {
    const missed = joined.get(server.stream)?.missed.splice(0) ?? [];
    return this.#following.catchUp(socket, server, missed);
  }
}

/** Returns whether the events that came during the load are few, and did not change what the caller may hear. */
export function isStillTrue(userId: string, servers: readonly ServerView[], joined: Joined): boolean {
  return servers.every((server) => {
    const { missed, missedLive } = joined.get(server.stream) ?? { missed: [], missedLive: [] };
    if (missed.length > mostMissed || missedLive.length > mostMissed) return false;
    // The audiences that the view holds do not have one that is new since.
    const mine = [...namesOf(userId, server.roleIds), newAudience];
    return !missed.some((event) => event.seq > server.seq && event.touches.some((id) => mine.includes(id)));
  });
}
