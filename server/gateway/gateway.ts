// The sockets of this process: who they are, how they begin, what they hear first, and how they end.
import { authData, authLimitMs, type CloseReason, type Resume, readResume } from "../../protocol/frames.ts";
import { readAs } from "../../protocol/read-as.ts";
import type { Bus, BusItem } from "../bus/bus.ts";
import { asRefusal } from "../dispatch.ts";
import type { Caller } from "../feature.ts";
import type { House } from "../house.ts";
import { newId } from "../tokens.ts";
import { recognise } from "../who.ts";
import { namesOf, type Topics } from "./audience.ts";
import { Bounds } from "./bounds.ts";
import { ClientFrames, parseFrame } from "./client-frames.ts";
import { Following } from "./following.ts";
import { isFarBehind, isTooSlow, roomFor, tookSome } from "./pace.ts";
import { loadReady, type ReadyView, readyData } from "./ready.ts";
import { replay } from "./replay.ts";
import { owedSince } from "./resume.ts";
import { frameText, type Socket, settled, type Wire } from "./socket.ts";
import { type Joiner, mostMissed } from "./stream.ts";

/** How often sockets are looked at that have not signed in; slow ones every so many times. */
const sweepMs = 250;
const slowEverySweeps = 10;
/** How often the state is loaded anew because rights changed while it loaded. */
const mostAttempts = 8;

export class Gateway {
  readonly #house: House;
  readonly #sockets = new Set<Socket>();
  readonly #strangers = new Set<Socket>();
  readonly #byUser = new Map<string, Set<Socket>>();
  readonly #frames: ClientFrames;
  readonly #following: Following;
  readonly #bounds: Bounds;
  readonly #sweep: ReturnType<typeof setInterval>;
  #sweeps = 0;

  constructor(house: House, bus: Bus) {
    this.#house = house;
    this.#bounds = new Bounds(house.config.rateLimits);
    this.#frames = new ClientFrames(house, this.#bounds);
    this.#following = new Following(house, {
      socketsOf: (userId) => this.#byUser.get(userId) ?? [],
      gained: (socket, serverId) =>
        this.#gain(socket, serverId).catch((error) => this.#failed([socket], error)),
      uncertain: (sockets, error) => this.#failed(sockets, error),
    });
    bus.subscribe((items) => {
      try {
        this.#hear(items);
      } catch (error) {
        // Who heard what of it cannot be told: all begin again where they are.
        this.#failed(this.#sockets, error);
      }
    });
    this.#sweep = setInterval(() => this.#sweepSockets(), sweepMs);
  }

  /** Connects the gateway to the runtime's publisher, once it listens. */
  publishThrough(topics: Topics): void {
    this.#following.publishThrough(topics);
  }

  // — A socket's life, in order —

  opened(socket: Socket, wire: Wire): void {
    socket.wire = wire;
    this.#sockets.add(socket);
    this.#strangers.add(socket);
    this.#house.metrics.sockets++;
    if (!this.#bounds.mayConnect(socket.address ?? "")) socket.end("tooManyHere");
    socket.address = undefined;
  }

  async received(socket: Socket, message: string | Uint8Array): Promise<void> {
    if (this.#frames.isTooFast(socket)) return socket.end("tooFast");
    const frame = parseFrame(message);
    if (!frame) return socket.end("notUnderstood");
    if (!socket.signingIn) {
      if (frame.type !== "AUTH") return socket.end("notAuthenticated");
      socket.signingIn = this.#authenticate(socket, frame.data)
        .catch((error) => this.#failed([socket], error))
        .then(() => {
          socket.signingIn = settled;
          socket.cookie = undefined;
        });
      return socket.signingIn;
    }
    await socket.signingIn;
    return this.#frames.take(socket, frame);
  }

  drained(socket: Socket): void {
    tookSome(socket);
  }

  closed(socket: Socket): void {
    socket.wire = undefined;
    socket.onDrain?.();
    this.#sockets.delete(socket);
    this.#strangers.delete(socket);
    this.#house.metrics.sockets--;
    for (const serverId of socket.follows.keys()) this.#following.unfollow(socket, serverId);
    const { caller } = socket;
    const mine = caller && this.#byUser.get(caller.userId);
    if (!caller || !mine?.delete(socket) || mine.size > 0) return;
    this.#byUser.delete(caller.userId);
    for (const feature of this.#house.features) feature.disconnected?.(this.#house, caller.userId);
  }

  /** Ends every socket with `why`, and the gateway's own timers. */
  close(why: CloseReason): void {
    clearInterval(this.#sweep);
    for (const socket of this.#sockets) socket.end(why);
    this.#following.close();
  }

  /** What cannot be settled starts again on the client's side: it resumes, or gets a fresh state. */
  #failed(sockets: Iterable<Socket>, error: unknown): void {
    asRefusal(this.#house, error, newId());
    for (const socket of sockets) socket.end("restart");
  }

  // — AUTH: from a stranger to a listener —

  async #authenticate(socket: Socket, data: unknown): Promise<void> {
    const auth = readAs(authData, data ?? {});
    const caller = auth.success ? await this.#callerOf(socket, auth.data.token) : null;
    if (!caller || !auth.success) return socket.end("notAuthenticated");
    if (!socket.isOpen) return;
    if (!this.#bounds.maySignIn(caller.userId)) return socket.end("tooOften");
    this.#strangers.delete(socket);
    // Known from here on, so that the end of its session, or a right it loses, finds it while its state loads.
    this.#greet(socket, caller);
    if (!(await this.#callerOf(socket, auth.data.token))) return socket.end("sessionEnded");
    await this.#begin(socket, caller, readResume(auth.data.resume));
  }

  async #callerOf(socket: Socket, token: string | undefined): Promise<Caller | null> {
    if (token === undefined) return socket.cookie ? recognise(this.#house, "Cookie", socket.cookie) : null;
    return recognise(this.#house, token.startsWith("hb_") ? "Bot" : "Bearer", token);
  }

  #greet(socket: Socket, caller: Caller): void {
    socket.caller = caller;
    const mine = this.#byUser.get(caller.userId);
    if (mine) {
      mine.add(socket);
      for (const oldest of this.#bounds.tooMany(mine)) oldest.end("tooManySockets");
      return;
    }
    this.#byUser.set(caller.userId, new Set([socket]));
    for (const feature of this.#house.features) feature.connected?.(this.#house, caller.userId);
  }

  /** Loads the state and follows all the caller's servers from one moment on. */
  async #begin(socket: Socket, caller: Caller, resume: Resume | undefined): Promise<void> {
    const { database, rights } = this.#house;
    for (let attempt = 0; attempt < mostAttempts && socket.isOpen; attempt++) {
      const joined = await this.#following.join(await rights.serversOf(database.read, caller.userId));
      try {
        const view = await loadReady(this.#house, caller);
        if (view.servers.some((server) => !joined.has(server.id))) continue;
        const owed = resume ? await owedSince(this.#house, resume, caller.userId, view) : null;
        const audienceIn = (id: string) =>
          view.servers.find((server) => server.id === id)?.audience ?? "members";
        const replayed = owed ? await replay(database.read, socket, owed, audienceIn) : 0;
        if (replayed === undefined) return socket.end("restart");
        await this.#following.reached(view.servers);
        if (!isStillTrue(caller, view, joined)) {
          // Half a recovery is none: after a part of it the client has to begin again.
          if (replayed > 0) return socket.end("restart");
          continue;
        }
        if (!socket.isOpen) return;
        if (!owed) {
          socket.send(frameText("READY", readyData(this.#house, caller, view)));
          if (isFarBehind(socket)) {
            await roomFor(socket);
            if (!socket.isOpen) return;
            if (!isStillTrue(caller, view, joined)) return socket.end("restart");
          }
        }
        let late = 0;
        for (const server of view.servers) {
          late += this.#following.catchUp(socket, server, joined.get(server.id));
        }
        if (owed) socket.send(frameText("RESUMED", { replayed: replayed + late }));
        for (const server of view.servers) this.#following.follow(socket, server, joined.get(server.id));
        return;
      } finally {
        this.#following.leave(joined);
      }
    }
    socket.end("restart");
  }

  /** The same for one server that the caller has just become a member of. */
  async #gain(socket: Socket, serverId: string): Promise<void> {
    // A socket that is still signing in gets the server with its READY, or right after it.
    await socket.signingIn;
    const { caller } = socket;
    if (socket.follows.has(serverId)) return;
    for (let attempt = 0; caller && attempt < mostAttempts && socket.isOpen; attempt++) {
      const joined = await this.#following.join([serverId]);
      try {
        const view = await loadReady(this.#house, caller, serverId);
        const [server] = view.servers;
        if (!server) return;
        await this.#following.reached([server]);
        if (!socket.isOpen || socket.follows.has(serverId)) return;
        if (!isStillTrue(caller, view, joined)) continue;
        socket.send(frameText("SERVER_CREATE", server.entry));
        this.#following.catchUp(socket, server, joined.get(serverId));
        this.#following.follow(socket, server, joined.get(serverId));
        return;
      } finally {
        this.#following.leave(joined);
      }
    }
    socket.end("restart");
  }

  // — What the house tells —

  #hear(items: readonly BusItem[]): void {
    for (const item of items) {
      if (item.kind === "logged") this.#following.route(item);
      else if (item.kind === "doubted")
        for (const socket of this.#following.concernedBy(item)) socket.end("restart");
      else if (item.kind === "sessions-ended") this.#endSessions(item.userId, item.sessionIds);
      else if (item.kind === "live" && "serverId" in item.to) this.#following.tell(item.to.serverId, item);
      else if (item.kind === "live" && "userId" in item.to) {
        for (const socket of this.#byUser.get(item.to.userId) ?? []) socket.send(item.frame);
      }
    }
  }

  #endSessions(userId: string, sessionIds: readonly string[]): void {
    for (const socket of this.#byUser.get(userId) ?? []) {
      if (socket.caller && sessionIds.includes(socket.caller.sessionId)) socket.end("sessionEnded");
    }
  }

  // — From time to time: who never signed in, who does not take what is sent —

  #sweepSockets(): void {
    const now = Date.now();
    for (const socket of this.#strangers) {
      if (now - socket.openedAt >= authLimitMs - sweepMs) socket.end("notAuthenticated");
    }
    // Asking every socket costs more than it tells; the limit is seconds anyway.
    if (++this.#sweeps % slowEverySweeps !== 0) return;
    for (const socket of this.#sockets) if (isTooSlow(socket, now)) socket.end("tooSlow");
  }
}

/** Whether nothing that came while the state loaded changed what the caller may hear. */
function isStillTrue(caller: Caller, view: ReadyView, joined: ReadonlyMap<string, Joiner>): boolean {
  return view.servers.every((server) => {
    const missed = joined.get(server.id)?.missed ?? [];
    if (missed.length > mostMissed) return false;
    const mine = namesOf(caller.userId, server.roleIds);
    return !missed.some((event) => event.seq > server.seq && event.touches.some((id) => mine.includes(id)));
  });
}
