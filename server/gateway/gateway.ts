// The sockets of this process: who they are, what they follow, and how committed events reach them.

import { Refusal } from "../../protocol/errors.ts";
import { authData, authLimitMs, type CloseReason, clientFrame, type Resume } from "../../protocol/frames.ts";
import { limits } from "../../protocol/limits.ts";
import { holds, permission } from "../../protocol/permissions.ts";
import type { Bus, BusItem, LiveFrame, LoggedEvent } from "../bus/bus.ts";
import { asRefusal } from "../dispatch.ts";
import type { Caller, FrameHandler } from "../feature.ts";
import type { House } from "../house.ts";
import { readLog, streamHead } from "../outbox.ts";
import { standingOf } from "../standing.ts";
import { newId } from "../tokens.ts";
import { Unit } from "../unit.ts";
import { recognise } from "../who.ts";
import { loadReady, type ReadyView, readyData, type ServerView } from "./ready.ts";
import { type Owed, owedSince } from "./resume.ts";
import { frameText, type Socket, type Wire } from "./socket.ts";
import { type Joiner, Stream } from "./stream.ts";

/** Publishing by topic, as the runtime offers it. */
export interface Topics {
  publish(topic: string, frame: string): void;
  count(topic: string): number;
}

const replayPage = 500;
/** A replay waits for its reader when this much is under way. */
const replayAheadBytes = 256 * 1024;
/** Something may wait for a slow reader this long. */
const slowLimitMs = 5000;
/** Events a joining socket may fall behind while its state loads. */
const mostMissed = 20_000;

export class Gateway {
  readonly #house: House;
  readonly #sockets = new Set<Socket>();
  readonly #strangers = new Set<Socket>();
  readonly #byUser = new Map<string, Set<Socket>>();
  readonly #streams = new Map<string, Stream>();
  readonly #frames: Map<string, FrameHandler>;
  readonly #sweep: ReturnType<typeof setInterval>;
  #topics: Topics = { publish() {}, count: () => 0 };

  constructor(house: House, bus: Bus) {
    this.#house = house;
    this.#frames = new Map(
      house.features.flatMap((each) => each.frames ?? []).map((each) => [each.type, each]),
    );
    bus.subscribe((items) => this.#hear(items));
    this.#sweep = setInterval(() => this.#sweepSockets(), 1000);
  }

  /** Connects the gateway to the runtime's publisher, once it listens. */
  publishThrough(topics: Topics): void {
    this.#topics = topics;
  }

  // — A socket's life, in order —

  opened(socket: Socket, wire: Wire): void {
    socket.wire = wire;
    this.#sockets.add(socket);
    this.#strangers.add(socket);
    this.#house.metrics.sockets.inc();
  }

  async received(socket: Socket, message: string | Uint8Array): Promise<void> {
    if (this.#isTooFast(socket)) return socket.end("tooFast");
    const frame = parseFrame(message);
    if (!frame) return socket.end("notUnderstood");
    const { type, data } = frame;
    if (!socket.signingIn) {
      if (type !== "AUTH") return socket.end("notAuthenticated");
      socket.signingIn = this.#authenticate(socket, data).catch((error) => {
        asRefusal(this.#house, error, newId());
        socket.end("restart");
      });
      return socket.signingIn;
    }
    await socket.signingIn;
    if (type === "PING") return socket.send(frameText("PONG", {}));
    if (socket.caller) await this.#act(socket, socket.caller, type, data);
  }

  drained(socket: Socket): void {
    socket.onDrain?.();
  }

  closed(socket: Socket): void {
    socket.wire = undefined;
    socket.onDrain?.();
    this.#sockets.delete(socket);
    this.#strangers.delete(socket);
    this.#house.metrics.sockets.dec();
    for (const serverId of socket.follows.keys()) this.#unfollow(socket, serverId);
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
    for (const stream of this.#streams.values()) stream.close();
  }

  get socketCount(): number {
    return this.#sockets.size;
  }

  // — AUTH: from a stranger to a listener —

  async #authenticate(socket: Socket, data: unknown): Promise<void> {
    const auth = authData.safeParse(data ?? {});
    const caller = auth.success ? await this.#callerOf(socket, auth.data.token) : null;
    if (!caller || !auth.success) return socket.end("notAuthenticated");
    if (!socket.isOpen) return;
    this.#strangers.delete(socket);
    // Known from here on, so that the end of its session, or a right it loses, finds it while its state loads.
    this.#greet(socket, caller);
    await this.#begin(socket, caller, auth.data.resume);
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
      return;
    }
    this.#byUser.set(caller.userId, new Set([socket]));
    for (const feature of this.#house.features) feature.connected?.(this.#house, caller.userId);
  }

  /** Loads the state and joins the streams of all the caller's servers at one moment. */
  async #begin(socket: Socket, caller: Caller, resume: Resume | undefined): Promise<void> {
    for (let attempt = 0; attempt < 8 && socket.isOpen; attempt++) {
      const joined = await this.#joinAll(
        await this.#house.rights.serversOf(this.#house.database.read, caller.userId),
      );
      try {
        const view = await loadReady(this.#house, caller);
        if (view.servers.some((server) => !joined.has(server.id))) continue;
        const owed = resume && (await owedSince(this.#house, resume, caller.userId, view));
        const replayed = owed ? await this.#replay(socket, owed, view) : 0;
        if (!this.#isStillTrue(caller, view, joined)) {
          if (owed && replayed > 0) return socket.end("restart");
          continue;
        }
        if (!socket.isOpen) return;
        if (!owed) socket.send(frameText("READY", readyData(this.#house, caller, view)));
        const late = view.servers.reduce(
          (sum, server) => sum + this.#follow(socket, server, joined.get(server.id)),
          0,
        );
        if (owed) socket.send(frameText("RESUMED", { replayed: replayed + late }));
        return;
      } finally {
        for (const [serverId, joiner] of joined) this.#leave(serverId, joiner);
      }
    }
    socket.end("restart");
  }

  async #joinAll(serverIds: readonly string[]): Promise<Map<string, Joiner>> {
    const joined = new Map<string, Joiner>();
    for (const serverId of serverIds) {
      const joiner: Joiner = { missed: [] };
      const stream = this.#stream(serverId);
      stream.joiners.add(joiner);
      joined.set(serverId, joiner);
      await stream.ready;
    }
    return joined;
  }

  #leave(serverId: string, joiner: Joiner): void {
    const stream = this.#streams.get(serverId);
    stream?.joiners.delete(joiner);
    this.#closeIfIdle(stream);
  }

  /** Whether nothing that came while the state loaded changed what the caller may hear. */
  #isStillTrue(caller: Caller, view: ReadyView, joined: ReadonlyMap<string, Joiner>): boolean {
    return view.servers.every((server) => {
      const missed = joined.get(server.id)?.missed ?? [];
      if (missed.length > mostMissed) return false;
      const mine = [caller.userId, "*", ...server.roleIds];
      return !missed.some((event) => event.seq > server.seq && event.touches.some((id) => mine.includes(id)));
    });
  }

  /** Sends what is owed from the log, page by page, no faster than it is taken. Answers how many events that were. */
  async #replay(socket: Socket, owed: readonly Owed[], view: ReadyView): Promise<number> {
    let sent = 0;
    for (const { serverId, from, upTo } of owed) {
      const audience = view.servers.find((server) => server.id === serverId)?.audience ?? "members";
      for (let at = from; at < upTo && socket.isOpen; ) {
        const events = await readLog(this.#house.database.read, serverId, at, upTo, replayPage);
        for (const event of events) if (hears(audience, event)) sent += this.#sendTo(socket, event.frame);
        at = events.at(-1)?.seq ?? upTo;
        await this.#roomFor(socket);
      }
    }
    return sent;
  }

  async #roomFor(socket: Socket): Promise<void> {
    while (socket.isOpen && (socket.wire?.getBufferedAmount() ?? 0) > replayAheadBytes) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50);
        socket.onDrain = () => {
          clearTimeout(timer);
          socket.onDrain = undefined;
          resolve();
        };
      });
    }
  }

  /** From here on the socket hears the server; first what it missed while its state loaded. Answers how many that were. */
  #follow(socket: Socket, server: ServerView, joiner: Joiner | undefined): number {
    let sent = 0;
    for (const event of joiner?.missed ?? []) {
      if (event.seq > server.seq && hears(server.audience, event)) sent += this.#sendTo(socket, event.frame);
    }
    this.#stream(server.id).followers.add(socket);
    this.#listen(socket, server.id, server.audience);
    return sent;
  }

  #listen(socket: Socket, serverId: string, audience: "members" | "viewers"): void {
    socket.follows.set(serverId, audience);
    socket.wire?.subscribe(topicOf(serverId, "members"));
    if (audience === "viewers") socket.wire?.subscribe(topicOf(serverId, "viewers"));
    else socket.wire?.unsubscribe(topicOf(serverId, "viewers"));
  }

  #unfollow(socket: Socket, serverId: string): void {
    socket.follows.delete(serverId);
    socket.wire?.unsubscribe(topicOf(serverId, "members"));
    socket.wire?.unsubscribe(topicOf(serverId, "viewers"));
    const stream = this.#streams.get(serverId);
    stream?.followers.delete(socket);
    this.#closeIfIdle(stream);
  }

  #sendTo(socket: Socket, frame: string): number {
    socket.send(frame);
    this.#house.metrics.deliveries.inc();
    return 1;
  }

  // — Client frames —

  async #act(socket: Socket, caller: Caller, type: string, data: unknown): Promise<void> {
    try {
      if (type === "AUTH") throw new Refusal("invalid_request", "This socket is signed in already.");
      const handler = this.#frames.get(type);
      if (!handler) throw new Refusal("invalid_request", "There is no such frame.");
      const read = handler.data.safeParse(data ?? {});
      if (!read.success) throw new Refusal("invalid_request", `The data of ${type} has the wrong shape.`);
      await this.#house.read((unit) => handler.run(unit, caller, read.data));
    } catch (error) {
      const refusal = asRefusal(this.#house, error, newId());
      socket.send(frameText("ERROR", { error: refusal.message, code: refusal.code }));
    }
  }

  #isTooFast(socket: Socket): boolean {
    if (!this.#house.config.rateLimits) return false;
    const now = Date.now();
    if (now - socket.framesSince > 60_000) {
      socket.framesSince = now;
      socket.frames = 0;
    }
    return ++socket.frames > limits.frames_per_minute;
  }

  // — What the house tells —

  #hear(items: readonly BusItem[]): void {
    for (const item of items) {
      if (item.kind === "logged") this.#route(item);
      else if (item.kind === "live") this.#tell(item);
      else if (item.kind === "sessions-ended") this.#endSessions(item.userId, item.sessionIds);
    }
  }

  #route(event: LoggedEvent): void {
    const stream = this.#streams.get(event.serverId);
    if (stream) stream.offer(event);
    else if (event.ends === null) this.#welcome(event);
  }

  #publish(event: LoggedEvent): void {
    this.#publishTo(topicOf(event.serverId, event.audience), event.frame);
  }

  #publishTo(topic: string, frame: string): void {
    this.#house.metrics.deliveries.inc(this.#topics.count(topic));
    this.#topics.publish(topic, frame);
  }

  /** After an event that may change rights went out: those it concerns hear more, or less, from the next event on. */
  async #rightsChanged(stream: Stream, event: LoggedEvent): Promise<void> {
    const concerned = (socket: Socket) => event.ends === "*" || event.ends === socket.caller?.userId;
    if (event.ends !== null) {
      for (const socket of [...stream.followers])
        if (concerned(socket)) this.#unfollow(socket, event.serverId);
      return;
    }
    for (const [userId, sockets] of Map.groupBy(stream.followers, (socket) => socket.caller?.userId ?? "")) {
      await this.#rederive(event, userId, sockets);
    }
    this.#welcome(event);
  }

  async #rederive(event: LoggedEvent, userId: string, sockets: readonly Socket[]): Promise<void> {
    const { serverId, touches } = event;
    const house = this.#house;
    const unit = new Unit(house, house.database.read, "cached", false);
    const touched = touches.includes("*") || touches.includes(userId);
    const standing = await standingOf(unit, serverId, userId);
    if (!touched && !standing?.roleIds.some((id) => touches.includes(id))) return;
    if (!standing) {
      for (const socket of sockets) this.#unfollow(socket, serverId);
      return;
    }
    const audience = holds(standing, permission.VIEW_CHANNEL) ? "viewers" : "members";
    const changed = sockets.filter((socket) => socket.isOpen && socket.follows.get(serverId) !== audience);
    if (changed.length === 0) return;
    for (const socket of changed) this.#listen(socket, serverId, audience);
    for (const feature of house.features) {
      const frames = (await feature.viewChanged?.(unit, userId, serverId, audience === "viewers")) ?? [];
      for (const { frame } of frames) for (const socket of changed) socket.send(frame);
    }
  }

  /** Those whom the event made members, and who are here, get the server and follow it. */
  #welcome(event: LoggedEvent): void {
    for (const userId of event.touches) {
      for (const socket of this.#byUser.get(userId) ?? []) {
        if (socket.follows.has(event.serverId) || !socket.caller) continue;
        this.#gain(socket, socket.caller, event.serverId).catch((error) => {
          asRefusal(this.#house, error, newId());
          socket.end("restart");
        });
      }
    }
  }

  async #gain(socket: Socket, caller: Caller, serverId: string): Promise<void> {
    for (let attempt = 0; attempt < 8 && socket.isOpen; attempt++) {
      const joined = await this.#joinAll([serverId]);
      try {
        const view = await loadReady(this.#house, caller, serverId);
        const [server] = view.servers;
        if (!server || !socket.isOpen || socket.follows.has(serverId)) return;
        if (!this.#isStillTrue(caller, view, joined)) continue;
        socket.send(frameText("SERVER_CREATE", server.entry));
        this.#follow(socket, server, joined.get(serverId));
        return;
      } finally {
        for (const [id, joiner] of joined) this.#leave(id, joiner);
      }
    }
    socket.end("restart");
  }

  #tell({ to, frame, exceptUserId }: LiveFrame): void {
    if ("userId" in to) {
      for (const socket of this.#byUser.get(to.userId) ?? []) this.#sendTo(socket, frame);
      return;
    }
    const topic = topicOf(to.serverId, to.audience);
    // Whoever must not hear it leaves the topic for as long as publishing takes.
    const spared = [...(this.#byUser.get(exceptUserId ?? "") ?? [])].filter((socket) =>
      socket.follows.has(to.serverId),
    );
    for (const socket of spared) socket.wire?.unsubscribe(topic);
    this.#publishTo(topic, frame);
    for (const socket of spared)
      this.#listen(socket, to.serverId, socket.follows.get(to.serverId) ?? "members");
  }

  #endSessions(userId: string, sessionIds: readonly string[]): void {
    for (const socket of this.#byUser.get(userId) ?? []) {
      if (socket.caller && sessionIds.includes(socket.caller.sessionId)) socket.end("sessionEnded");
    }
  }

  #stream(serverId: string): Stream {
    const known = this.#streams.get(serverId);
    if (known) return known;
    const { database } = this.#house;
    const stream = new Stream(serverId, {
      publish: (event) => this.#publish(event),
      changed: (stream, event) =>
        this.#rightsChanged(stream, event).catch((error) => {
          // Nobody may hear more than they should: who cannot be checked starts again.
          asRefusal(this.#house, error, newId());
          for (const socket of stream.followers) socket.end("restart");
        }),
      head: () => streamHead(database.read, serverId),
      read: (after, upTo) => readLog(database.read, serverId, after, upTo, mostMissed),
    });
    this.#streams.set(serverId, stream);
    return stream;
  }

  #closeIfIdle(stream: Stream | undefined): void {
    if (!stream?.isIdle) return;
    stream.close();
    this.#streams.delete(stream.serverId);
  }

  // — Once a second: who never signed in, who does not take what is sent —

  #sweepSockets(): void {
    const now = Date.now();
    for (const socket of this.#strangers) {
      if (now - socket.openedAt > authLimitMs - 1000) socket.end("notAuthenticated");
    }
    for (const socket of this.#sockets) {
      if (!socket.wire || socket.wire.getBufferedAmount() === 0) socket.behindSince = 0;
      else if (socket.behindSince === 0) socket.behindSince = now;
      else if (now - socket.behindSince > slowLimitMs && !socket.onDrain) socket.end("tooSlow");
    }
  }
}

function topicOf(serverId: string, audience: "members" | "viewers"): string {
  return audience === "members" ? `m${serverId}` : `v${serverId}`;
}

function hears(audience: "members" | "viewers", event: LoggedEvent): boolean {
  return event.audience === "members" || audience === "viewers";
}

function parseFrame(message: string | Uint8Array): { type: string; data?: unknown } | undefined {
  if (typeof message !== "string") return undefined;
  try {
    const frame = clientFrame.safeParse(JSON.parse(message));
    return frame.success ? frame.data : { type: "" };
  } catch {
    return undefined;
  }
}
