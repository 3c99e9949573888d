// How a signed-in socket begins: READY or the events that it missed, then all events, and none lost in between.
import { readResume } from "../../protocol/client-frames.ts";
import type { Caller } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import { nextTurn, rowsAtOnce } from "../house/pieces.ts";
import { UnitOfWork } from "../house/unit.ts";
import { type StreamKey, serverStream } from "../place.ts";
import { leastHeld, namesOf } from "./audience.ts";
import type { Following } from "./following.ts";
import { roomFor } from "./pace.ts";
import type { PersonalStreams } from "./personal.ts";
import { loadReady, type ReadyView, readyFrame, type ServerView } from "./ready.ts";
import { Replays } from "./replay.ts";
import { type Owed, owedSince } from "./resume.ts";
import { frameText, type Socket } from "./socket.ts";
import { type Joined, mostMissed } from "./stream.ts";
import { PieceTurns, Turns } from "./turns.ts";

/** How often the state is loaded when rights change while it loads; after that the client is told to come back. */
export const mostAttempts = 8;
/** A state with more servers than this takes so long to load that such states are loaded one at a time. */
const fewServers = 25;
/** After a READY of more characters, other work has its turn before the socket follows its servers. */
const longReady = 1024 * 1024;

interface Loaded {
  joined: Joined;
  view: ReadyView;
  /** The events that a resumed socket missed; null for a socket that gets a READY. */
  owed: Owed[] | null;
}

export class Beginnings {
  readonly #house: House;
  readonly #following: Following;
  readonly #personal: PersonalStreams;
  readonly #turns = new Turns();
  readonly #pieces = new PieceTurns();
  readonly #replays: Replays;

  constructor(house: House, following: Following, personal: PersonalStreams) {
    this.#house = house;
    this.#following = following;
    this.#personal = personal;
    this.#replays = new Replays(house.database.read, this.#pieces);
  }

  /**
   * Loads the caller's state and lets the socket follow all their servers from one moment on. `resume` is what the
   * client sent, unchecked. Ends the socket with `restart` when rights changed in every attempt.
   */
  async begin(socket: Socket, caller: Caller, resume: unknown): Promise<void> {
    for (let attempt = 0; attempt < mostAttempts && socket.isOpen; attempt++) {
      const loaded = await this.#load(socket, caller, resume);
      if (!loaded) continue;
      try {
        if (await this.#tell(socket, caller, loaded)) return;
      } finally {
        this.#following.leave(loaded.joined);
      }
    }
    socket.end("restart");
  }

  /** Loads the state when it is the caller's turn. Returns undefined when the caller joined a server meanwhile. */
  async #load(socket: Socket, caller: Caller, given: unknown): Promise<Loaded | undefined> {
    const { rights, database } = this.#house;
    const unit = new UnitOfWork(this.#house, database.read, "direct");
    const { length } = await rights.serversOf(unit, caller.userId);
    return this.#turns.run(caller.userId, length > fewServers, async () => {
      if (!socket.isOpen) return undefined;
      const serverIds = await rights.serversOf(unit, caller.userId);
      const resume = readResume(given, this.#house.epoch, serverIds.length);
      const joined = await this.#following.join(serverIds.map(serverStream));
      let loaded: Loaded | undefined;
      try {
        const view = await loadReady(this.#house, caller);
        if (view.servers.every(({ stream }) => joined.has(stream))) {
          const owed = resume ? await owedSince(this.#house, resume, view, this.#pieces) : null;
          loaded = { joined, view, owed };
        }
      } finally {
        if (!loaded) this.#following.leave(joined);
      }
      return loaded;
    });
  }

  /** Returns false when rights changed while the state loaded and nothing of it was sent: then it is loaded again. */
  async #tell(socket: Socket, caller: Caller, { joined, view, owed }: Loaded): Promise<boolean> {
    const held = new Map(view.servers.map((server) => [server.stream, server.held]));
    const heldIn = (stream: StreamKey) => held.get(stream) ?? leastHeld;
    const replayed = owed ? await this.#replays.run(socket, caller.userId, owed, heldIn) : 0;
    if (replayed !== undefined) await this.#following.reached(view.servers);
    const isTrue = replayed !== undefined && isStillTrue(caller.userId, view.servers, joined);
    if (replayed === 0 && !isTrue) return false;
    // A replay that was sent in part cannot be taken back, so its client has to begin again.
    const isUnderWay =
      isTrue && (owed !== null || (await sendReady(this.#house, socket, caller, view, joined)));
    const late = isUnderWay ? await this.#catchUp(socket, caller, view, joined) : undefined;
    if (late === undefined) socket.end("restart");
    else this.#followAll(socket, view, joined, owed ? (replayed ?? 0) + late : undefined);
    return true;
  }

  /**
   * Sends events that came while the state loaded, in pieces as long as they are many; #followAll sends the last ones.
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

  /** Lets the socket follow its servers. Nothing is awaited in here, so that no event comes in between. */
  #followAll(socket: Socket, { personal, servers }: ReadyView, joined: Joined, replayed?: number) {
    if (!socket.isOpen) return;
    let late = 0;
    for (const server of servers)
      late += this.#following.catchUp(socket, server, joined.get(server.stream)?.missed ?? []);
    if (replayed !== undefined) socket.send(frameText("RESUMED", { replayed: replayed + late }));
    for (const server of servers) this.#following.follow(socket, server, joined.get(server.stream));
    this.#personal.follow(socket, personal.seq);
  }
}

/** Sends READY. Returns whether the state still holds afterwards: a long READY takes its time. */
async function sendReady(
  house: House,
  socket: Socket,
  caller: Caller,
  view: ReadyView,
  joined: Joined,
): Promise<boolean> {
  const frame = readyFrame(house, caller, view);
  socket.send(frame);
  if (frame.length <= longReady && !socket.isFarBehind) return true;
  await nextTurn();
  await roomFor(socket);
  return isStillTrue(caller.userId, view.servers, joined);
}

/** Returns whether the events that came while the state loaded are few, and left what the caller may hear. */
export function isStillTrue(userId: string, servers: readonly ServerView[], joined: Joined): boolean {
  return servers.every((server) => {
    const { missed, missedLive } = joined.get(server.stream) ?? { missed: [], missedLive: [] };
    if (missed.length > mostMissed || missedLive.length > mostMissed) return false;
    const mine = namesOf(userId, server.roleIds);
    return !missed.some((event) => event.seq > server.seq && event.touches.some((id) => mine.includes(id)));
  });
}
