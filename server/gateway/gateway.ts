// The sockets of this process, from opening to closing: AUTH, READY or a resume, events, and the end.
import { authData } from "../../protocol/client-frames.ts";
import type { CloseReason } from "../../protocol/closing.ts";
import { authLimitMs } from "../../protocol/frames.ts";
import { readAs } from "../../protocol/read-as.ts";
import type { Bus, BusItem, LiveFrame, LoggedEvent } from "../bus/bus.ts";
import { authenticateToken } from "../caller/authentication.ts";
import { rateKey } from "../caller/client-ip.ts";
import { asRefusal } from "../house/as-refusal.ts";
import type { Caller } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import { idOf, isOfServer, personStream } from "../place.ts";
import { newId } from "../tokens.ts";
import { TurnShare } from "../turn-share.ts";
import { SocketActivity } from "./activity.ts";
import type { Topics } from "./audience.ts";
import { Backlog } from "./backlog.ts";
import { Beginnings } from "./beginnings.ts";
import { Bounds } from "./bounds.ts";
import { ClientFrames } from "./client-frames.ts";
import { Following } from "./following.ts";
import { Gains } from "./gains.ts";
import { isTooSlow, tookSome } from "./pace.ts";
import { hasHeardOwn, PersonalStreams } from "./personal.ts";
import { Reading } from "./reading.ts";
import { Rounds } from "./rounds.ts";
import { type Socket, settled, type Wire } from "./socket.ts";

/** How often unauthenticated sockets are checked, in milliseconds; slow readers every `slowEverySweeps` sweeps. */
const usualSweepMs = 250;
const slowEverySweeps = 10;
/** Sign-ins started per turn of the event loop: looking up a token takes a fraction of a millisecond. */
const signInsPerTurn = 4;

export class Gateway {
  readonly #house: House;
  readonly #sockets = new Set<Socket>();
  readonly #strangers = new Set<Socket>();
  readonly #byUser = new Map<string, Set<Socket>>();
  readonly #frames: ClientFrames;
  readonly #activity: SocketActivity;
  readonly #signIns = new TurnShare(signInsPerTurn);
  readonly #reading = new Reading();
  readonly #following: Following;
  readonly #personal: PersonalStreams;
  readonly #rounds: Rounds;
  readonly #gains: Gains;
  readonly #bounds: Bounds;
  readonly #beginnings: Beginnings;
  readonly #backlog: Backlog;
  #looksSoon = false;
  readonly #sweepMs: number;
  readonly #sweep: ReturnType<typeof setInterval>;
  #sweeps = 0;

  constructor(house: House, bus: Bus, sweepMs = usualSweepMs) {
    this.#house = house;
    this.#sweepMs = sweepMs;
    this.#bounds = new Bounds(house.limits, house.config.rateLimits);
    this.#frames = new ClientFrames(house, this.#bounds);
    this.#backlog = new Backlog(house.config.backlogBytes);
    const socketsOf = (userId: string) => this.#byUser.get(userId) ?? [];
    this.#activity = new SocketActivity(
      socketsOf,
      (stream) => (isOfServer(stream) ? this.#following.has(stream) : this.#byUser.has(idOf(stream))),
      (userIds) => house.connections.elsewhere.activeAmong(userIds),
    );
    house.activity = this.#activity;
    house.connections.onSockets((userId) => this.#endOldest(userId));
    this.#following = new Following(house, {
      published: () => this.#watchBacklog(),
      socketsOf,
      gained: (userId, serverId) => this.#gains.gain(userId, serverId),
      uncertain: (sockets, error) => this.#failed(sockets, error),
    });
    this.#rounds = new Rounds({
      tell: (serverId, round) => this.#following.tellOfSomebody(serverId, round),
      failed: (error) => this.#failed(this.#sockets, error),
    });
    this.#personal = new PersonalStreams(house, {
      socketsOf,
      published: () => this.#watchBacklog(),
      failed: (socket, error) => this.#failed([socket], error),
    });
    const countOf = (userId: string) => this.#byUser.get(userId)?.size ?? 0;
    this.#beginnings = new Beginnings(house, this.#following, this.#personal, countOf);
    this.#gains = new Gains(house, this.#following, socketsOf, (sockets, error) =>
      this.#failed(sockets, error),
    );
    bus.subscribe((items) => {
      try {
        this.#hear(items);
      } catch (error) {
        // It is unknown which sockets heard a part of the items, so all of them start over.
        this.#failed(this.#sockets, error);
      }
    });
    this.#sweep = setInterval(() => this.#sweepSockets(), sweepMs);
  }

  /** Connects the gateway to the runtime's publisher, once the server listens. */
  publishThrough(topics: Topics): void {
    this.#following.publishThrough(topics);
  }

  /** True if every item from the bus has been sent, and all sockets hold the audiences that their rights allow. */
  get isAtRest(): boolean {
    const parts = [this.#following, this.#rounds, this.#gains];
    return parts.every((part) => part.isAtRest) && [...this.#sockets].every(hasHeardOwn);
  }

  // — A socket's life, in order —

  opened(socket: Socket, wire: Wire): void {
    socket.wire = wire;
    this.#sockets.add(socket);
    this.#strangers.add(socket);
    this.#house.metrics.sockets++;
    void this.#bounds.mayConnect(socket.address ?? "").then((may) => {
      if (!may) socket.end("tooManyHere");
    });
  }

  /** Handles a message of a client. Any frame before AUTH ends the socket; frames after it wait until AUTH is done. */
  async received(socket: Socket, message: string | Uint8Array): Promise<void> {
    if (this.#frames.isTooFast(socket) || !this.#reading.hasRoomFor(message)) return socket.end("tooFast");
    const read = this.#reading.read(socket, message);
    const frame = read instanceof Promise ? await read : read;
    if (!socket.isOpen) return;
    if (!frame) return socket.end("notUnderstood");
    if (this.#activity.note(socket, frame) && socket.caller)
      this.#house.connections.elsewhere.noteSaid(socket.caller.userId);
    if (!socket.signingIn) {
      if (frame.type !== "AUTH") return socket.end("notAuthenticated");
      socket.signingIn = this.#signIn(socket, frame.data)
        .catch((error) => this.#failed([socket], error))
        .then(() => {
          socket.signingIn = settled;
          socket.cookie = undefined;
          socket.address = undefined;
        });
      return socket.signingIn;
    }
    await socket.signingIn;
    return this.#frames.take(socket, frame);
  }

  /** Counts a WebSocket ping or pong, which the runtime answers itself, under the limit of frames. */
  gaveSign(socket: Socket): void {
    // Only terminating the connection stops the runtime from reading pings that have already arrived, perhaps a hundred
    // thousand.
    if (this.#frames.isTooFast(socket)) socket.wire?.terminate();
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
    for (const stream of socket.follows.keys()) this.#following.unfollow(socket, stream);
    const { caller } = socket;
    const mine = caller && this.#byUser.get(caller.userId);
    if (!caller || !mine?.delete(socket)) return;
    if (mine.size === 0) this.#byUser.delete(caller.userId);
    this.#house.connections.closed(caller.userId, socket.since);
  }

  /** Ends every socket with `why`, and stops the gateway's own timers. */
  close(why: CloseReason): void {
    clearInterval(this.#sweep);
    for (const socket of this.#sockets) socket.end(why);
    this.#following.close();
  }

  /** Logs the error and ends the sockets with `restart`: their clients resume, or get a fresh READY. */
  #failed(sockets: Iterable<Socket>, error: unknown): void {
    asRefusal(this.#house, error, newId());
    for (const socket of sockets) socket.end("restart");
  }

  // — AUTH: from a stranger to a listener —

  async #signIn(socket: Socket, data: unknown): Promise<void> {
    // When everybody reconnects at the same moment, sign-ins are spread over many turns: posts go on meanwhile.
    this.#strangers.delete(socket);
    const share = this.#signIns;
    await share.wait(
      () => rateKey(socket.address ?? ""),
      () => !socket.isOpen,
    );
    if (!socket.isOpen) return;
    const auth = readAs(authData, data ?? {});
    const caller = auth.success ? await this.#authenticate(socket, auth.data.token) : null;
    if (!caller || !auth.success) return socket.end("notAuthenticated");
    if (!socket.isOpen) return;
    if (!(await this.#bounds.maySignIn(caller.userId))) return socket.end("tooOften");
    // The socket is registered before its state loads, so that the end of its session, or the loss of a right, reaches
    // it.
    this.#greet(socket, caller);
    const still = await this.#authenticate(socket, auth.data.token);
    if (!still) return socket.end("sessionEnded");
    // The access ended and was given back in between: its next end would not name this socket's session id.
    if (still.sessionId !== caller.sessionId) return socket.end("restart");
    await this.#beginnings.begin(socket, caller, auth.data.resume);
  }

  async #authenticate(socket: Socket, token: string | undefined): Promise<Caller | null> {
    if (token === undefined)
      return socket.cookie ? authenticateToken(this.#house, "Cookie", socket.cookie) : null;
    return authenticateToken(this.#house, "AUTH", token);
  }

  #greet(socket: Socket, caller: Caller): void {
    socket.caller = caller;
    socket.since = this.#house.connections.now();
    const known = this.#byUser.get(caller.userId);
    const mine = known ?? new Set();
    mine.add(socket);
    if (!known) {
      this.#byUser.set(caller.userId, mine);
      this.#house.bus.follow(personStream(caller.userId));
    }
    this.#house.connections.opened(caller.userId, socket.since);
  }

  /** Ends the oldest of a person's sockets here, as far as the person has too many. */
  #endOldest(userId: string): void {
    const upTo = this.#house.connections.oldestAbove(userId, this.#bounds.sockets);
    if (upTo === undefined) return;
    for (const socket of this.#byUser.get(userId) ?? []) if (socket.since <= upTo) socket.end("replaced");
  }

  // — Items from the bus —

  #hear(items: readonly BusItem[]): void {
    for (const item of items) {
      if (item.kind === "logged") this.#hearLogged(item);
      else if (item.kind === "doubted")
        for (const socket of this.#following.concernedBy(item)) socket.end("restart");
      else if (item.kind === "sessions-ended") this.#endSessions(item.userId, item.sessionIds);
      else if (item.kind === "lost") for (const socket of this.#sockets) socket.end("restart");
      else if (item.kind === "round") this.#rounds.take(item);
      else if (item.kind === "live") this.#hearLive(item);
    }
  }

  #hearLogged(event: LoggedEvent): void {
    if (event.ends !== null) this.#rounds.left(event.ends, idOf(event.stream));
    if (isOfServer(event.stream)) this.#following.route(event);
    else this.#personal.route(event);
  }

  #hearLive(live: LiveFrame): void {
    const { stream } = live.to;
    if (isOfServer(stream)) this.#following.tell(live);
    else if (idOf(stream) !== live.exceptUserId) this.#personal.tell(live);
  }

  #endSessions(userId: string, sessionIds: readonly string[]): void {
    for (const socket of this.#byUser.get(userId) ?? []) {
      if (socket.caller && sessionIds.includes(socket.caller.sessionId)) socket.end("sessionEnded");
    }
  }

  // — Periodic checks: sockets that never signed in, and readers that take nothing —

  /** Published frames reach the sockets' buffers at the end of this turn; the check comes after it. */
  #watchBacklog(): void {
    if (this.#looksSoon || !this.#backlog.isDue) return;
    this.#looksSoon = true;
    setImmediate(() => {
      this.#looksSoon = false;
      this.#backlog.relieve(this.#sockets);
    });
  }

  #sweepSockets(): void {
    this.#watchBacklog();
    const now = performance.now();
    for (const socket of this.#strangers) {
      if (now - socket.openedAt >= authLimitMs - this.#sweepMs) socket.end("notAuthenticated");
    }
    // Checking every socket in every sweep is not worth its cost: the limit is seconds anyway.
    if (++this.#sweeps % slowEverySweeps !== 0) return;
    for (const socket of this.#sockets) if (isTooSlow(socket, now)) socket.end("tooSlow");
  }
}
