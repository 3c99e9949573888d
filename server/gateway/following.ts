// Which sockets follow which server, kept correct while events change people's rights.
import type { Doubted, LiveFrame, LiveRound, LoggedEvent } from "../bus/bus.ts";
import { isPerson } from "../bus/subjects.ts";
import type { House } from "../house/house.ts";
import { type LogRange, readLog } from "../house/log-table.ts";
import { nextTurn } from "../house/pieces.ts";
import { streamHeads } from "../house/streams.ts";
import { everybodyIn, idOf, isOfServer, type StreamKey, serverStream } from "../place.ts";
import { type Held, heldWithout, type Topics, topicOf } from "./audience.ts";
import { FanOutShare } from "./fan-out-share.ts";
import type { ServerView } from "./ready.ts";
import { settle } from "./settling.ts";
import { handedOver, type Socket } from "./socket.ts";
import { type Joined, type Joiner, mostMissed, Stream } from "./stream.ts";

interface FollowingCallbacks {
  /** Called after frames were handed to the runtime for many sockets. */
  published(): void;
  /** The open sockets of a person. */
  socketsOf(userId: string): Iterable<Socket>;
  /** Called when a person with open sockets has become a member. */
  gained(userId: string, serverId: string): void;
  /** Called when the rights of these sockets could not be read: they are ended, so that none hears more than it may. */
  uncertain(sockets: Iterable<Socket>, error: unknown): void;
}

/** The audiences of a socket that does not follow the stream yet. */
const none: Held = new Set();

/** Streams whose heads are read in one query. */
const joinedAtOnce = 100;

export class Following {
  readonly #house: House;
  readonly #callbacks: FollowingCallbacks;
  readonly #streams = new Map<StreamKey, Stream>();
  readonly #share = new FanOutShare();
  #topics: Topics = { publish() {}, count: () => 0 };

  constructor(house: House, callbacks: FollowingCallbacks) {
    this.#house = house;
    this.#callbacks = callbacks;
  }

  publishThrough(topics: Topics): void {
    this.#topics = topics;
  }

  has(stream: StreamKey): boolean {
    return this.#streams.has(stream);
  }

  /** True if every stream has sent the events that it was given. */
  get isAtRest(): boolean {
    return [...this.#streams.values()].every((stream) => stream.isAtRest);
  }

  /** Takes a committed event of a server; its stream sends it in its turn. */
  route(event: LoggedEvent): void {
    const stream = this.#streams.get(event.stream);
    if (stream) stream.offer(event);
    else this.#welcome(event);
  }

  /** Sends a live frame to its audience. Sockets of `exceptUserId` leave the topic while it is published. */
  tell(live: LiveFrame): void {
    const { to, frame, exceptUserId } = live;
    for (const joiner of this.#streams.get(to.stream)?.joiners ?? []) {
      // One more than `mostMissed` is kept: it shows that there were too many.
      if (joiner.missedLive.length <= mostMissed) joiner.missedLive.push(live);
    }
    const topic = topicOf(to.stream, to.audience);
    const spared = [...this.#callbacks.socketsOf(exceptUserId ?? "")].filter((socket) =>
      socket.follows.get(to.stream)?.has(to.audience),
    );
    for (const socket of spared) socket.wire?.unsubscribe(topic);
    this.#publish(topic, frame);
    for (const socket of spared) socket.wire?.subscribe(topic);
  }

  /** Sends a live frame about a person to the members of a server. Returns how many sockets get it. */
  tellOfSomebody(serverId: string, { type, ts, json }: LiveRound): number {
    const frame = `{"type":"${type}","server_id":"${serverId}","ts":"${ts}","data":${json}}`;
    const to = everybodyIn(serverStream(serverId));
    this.tell({ kind: "live", to, frame });
    return this.#topics.count(topicOf(to.stream, to.audience));
  }

  /** Returns the sockets that follow these streams, and those of people in `touches`, who may follow them now. */
  concernedBy({ streams, touches }: Pick<Doubted, "streams" | "touches">): Set<Socket> {
    const followers = streams.flatMap((key) =>
      isOfServer(key)
        ? [...(this.#streams.get(key)?.followers ?? [])]
        : [...this.#callbacks.socketsOf(idOf(key))],
    );
    return new Set([...followers, ...touches.flatMap((name) => [...this.#callbacks.socketsOf(name)])]);
  }

  /** Begins to collect the events of these streams for a socket whose state is about to load; `leave` ends it. */
  async join(keys: readonly StreamKey[]): Promise<Joined> {
    const joined = new Map<StreamKey, Joiner>();
    try {
      for (let i = 0; i < keys.length; i += joinedAtOnce) {
        if (i > 0) await nextTurn();
        const streams = this.#begin(keys.slice(i, i + joinedAtOnce));
        for (const stream of streams) {
          const joiner: Joiner = { missed: [], missedLive: [] };
          stream.joiners.add(joiner);
          joined.set(stream.key, joiner);
        }
        await Promise.all(streams.map((stream) => stream.ready));
      }
      return joined;
    } catch (error) {
      this.leave(joined);
      throw error;
    }
  }

  /** Resolves when the events in these views have gone out: a socket that follows afterwards gets none twice. */
  async reached(servers: readonly ServerView[]): Promise<void> {
    for (const server of servers) await this.#stream(server.stream).reached(server.seq);
  }

  leave(joined: Joined): void {
    for (const [key, joiner] of joined) {
      const stream = this.#streams.get(key);
      stream?.joiners.delete(joiner);
      this.#closeIfIdle(stream);
    }
  }

  /** Sends the events that the socket missed while its state loaded. Returns how many. */
  catchUp(socket: Socket, server: ServerView, missed: readonly LoggedEvent[]): number {
    const heard = missed.filter((event) => event.seq > server.seq && server.held.has(event.audience));
    socket.sendAll(heard.map(({ frame }) => frame));
    return heard.length;
  }

  /** Subscribes the socket to the server, after the live frames that came while its state loaded. */
  follow(socket: Socket, server: ServerView, joiner: Joiner | undefined): void {
    const heard = (joiner?.missedLive ?? []).filter(
      ({ to, exceptUserId }) => server.held.has(to.audience) && exceptUserId !== socket.caller?.userId,
    );
    socket.sendAll(heard.map(({ frame }) => frame));
    const stream = this.#stream(server.stream);
    stream.followers.add(socket);
    this.#listen(socket, stream.key, server.held);
  }

  unfollow(socket: Socket, key: StreamKey): void {
    for (const name of socket.follows.get(key) ?? []) socket.wire?.unsubscribe(topicOf(key, name));
    socket.follows.delete(key);
    const stream = this.#streams.get(key);
    stream?.followers.delete(socket);
    this.#closeIfIdle(stream);
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.close();
  }

  #listen(socket: Socket, key: StreamKey, held: Held): void {
    const before = socket.follows.get(key) ?? none;
    socket.follows.set(key, held);
    for (const name of heldWithout(held, before)) socket.wire?.subscribe(topicOf(key, name));
    for (const name of heldWithout(before, held)) socket.wire?.unsubscribe(topicOf(key, name));
  }

  #publish(topic: string, frame: string): void {
    const count = this.#topics.count(topic);
    this.#house.metrics.deliveries += count;
    handedOver.characters += count * frame.length;
    this.#topics.publish(topic, frame);
    this.#callbacks.published();
  }

  #send(event: LoggedEvent, sockets: readonly Socket[]): void {
    for (const socket of sockets) {
      // A socket may have left since the event's pieces were made.
      if (!socket.follows.get(event.stream)?.has(event.audience)) continue;
      this.#house.metrics.deliveries++;
      socket.send(event.frame);
    }
    this.#callbacks.published();
  }

  /** Returns the followers whose rights or audiences an event may change: the named people's, or all. */
  #concerned({ touches }: LoggedEvent, followers: ReadonlySet<Socket>): Iterable<Socket> {
    if (!touches.every(isPerson)) return followers;
    const named = touches.flatMap((name) => [...this.#callbacks.socketsOf(name)]);
    return named.filter((socket) => followers.has(socket));
  }

  #went(stream: Stream, event: LoggedEvent): void {
    const isLast = (socket: Socket) => event.ends === "*" || event.ends === socket.caller?.userId;
    for (const socket of [...stream.followers]) if (isLast(socket)) this.unfollow(socket, event.stream);
    this.#welcome(event);
  }

  /** Sends the server to connected people whom the event made members, and subscribes their sockets. */
  #welcome(event: LoggedEvent): void {
    if (event.ends !== null) return;
    for (const userId of event.touches) {
      const isNews = (socket: Socket) => !socket.follows.has(event.stream);
      if ([...this.#callbacks.socketsOf(userId)].some(isNews))
        this.#callbacks.gained(userId, idOf(event.stream));
    }
  }

  /** Returns these streams; the heads of all new ones are read in one query. */
  #begin(keys: readonly StreamKey[]): Stream[] {
    const unknown = keys.filter((key) => !this.#streams.has(key));
    for (const key of unknown) this.#house.bus.follow(key);
    const heads = unknown.length > 0 ? streamHeads(this.#house.database.read, unknown) : undefined;
    return keys.map((key) => this.#stream(key, heads));
  }

  #stream(key: StreamKey, heads?: Promise<Map<StreamKey, number>>): Stream {
    const known = this.#streams.get(key);
    if (known) return known;
    const { bus, database } = this.#house;
    bus.follow(key);
    const begins = heads ?? streamHeads(database.read, [key]);
    const head = begins.then((heads) => {
      const seq = heads.get(key) ?? 0;
      bus.follow(key, seq);
      return seq;
    });
    const stream = new Stream(key, head, {
      share: this.#share,
      publish: (event) => this.#publish(topicOf(key, event.audience), event.frame),
      send: (event, followers) => this.#send(event, followers),
      concerned: (event, followers) => this.#concerned(event, followers),
      settle: (event, followers) =>
        settle(this.#house, event, followers, (socket, held) => this.#listen(socket, key, held)).catch(
          (error) => this.#callbacks.uncertain(followers, error),
        ),
      went: (stream, event) => this.#went(stream, event),
      passed: (event) => this.#welcome(event),
      rested: (stream) => this.#closeIfIdle(stream),
      read: (after, up_to) => this.#readAhead({ stream: key, after, up_to }),
      failed: ({ touches }, error) =>
        this.#callbacks.uncertain(this.concernedBy({ streams: [key], touches }), error),
    });
    this.#streams.set(key, stream);
    // A stream whose head could not be read is dropped, its events are routed again, and the next socket starts
    // another.
    stream.ready.catch(() => {
      if (this.#streams.get(key) === stream) this.#streams.delete(key);
      for (const event of stream.waiting) this.route(event);
    });
    return stream;
  }

  /** Reads events that the bus has not delivered yet, and drops the server's cache, which is older than they are. */
  async #readAhead(range: LogRange): Promise<LoggedEvent[]> {
    const events = await readLog(this.#house.database.read, range, mostMissed);
    this.#house.forgetHome(range.stream);
    return events;
  }

  #closeIfIdle(stream: Stream | undefined): void {
    if (!stream?.isIdle || this.#streams.get(stream.key) !== stream) return;
    stream.close();
    this.#streams.delete(stream.key);
  }
}
