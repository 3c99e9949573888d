// Which socket follows which server, and what keeps that true while events change people's rights.

import type { Audience } from "../../protocol/event.ts";
import type { Standing } from "../../protocol/permissions.ts";
import type { Doubted, LiveFrame, LiveRound, LoggedEvent } from "../bus/bus.ts";
import { readLog } from "../house/event-log.ts";
import type { House } from "../house/house.ts";
import { nextTurn, pieces } from "../house/pieces.ts";
import { standingsIn } from "../house/standing.ts";
import { streamHeads } from "../house/streams.ts";
import { Unit } from "../house/unit.ts";
import { audienceOf, hears, type Topics, topicOf } from "./audience.ts";
import { FanOutShare } from "./fan-out-share.ts";
import type { ServerView } from "./ready.ts";
import { SightNews } from "./sight.ts";
import { handedOver, type Socket } from "./socket.ts";
import { type Joiner, mostMissed, Stream } from "./stream.ts";

export interface FollowingDoors {
  /** Something was handed to the runtime for many. */
  published(): void;
  /** The open sockets of a person. */
  socketsOf(userId: string): Iterable<Socket>;
  /** A person who is here has just become a member. */
  gained(userId: string, serverId: string): void;
  /** The rights of these sockets cannot be told: nobody may hear more than they should. */
  uncertain(sockets: Iterable<Socket>, error: unknown): void;
}

/** Servers that one question to the log is about. */
const joinedAtOnce = 100;
/** Sockets whose rights are looked up together. */
const settledAtOnce = 200;

export class Following {
  readonly #house: House;
  readonly #doors: FollowingDoors;
  readonly #streams = new Map<string, Stream>();
  readonly #share = new FanOutShare();
  #topics: Topics = { publish() {}, count: () => 0 };

  constructor(house: House, doors: FollowingDoors) {
    this.#house = house;
    this.#doors = doors;
  }

  publishThrough(topics: Topics): void {
    this.#topics = topics;
  }

  /** Takes a committed event; it goes out in its turn. */
  route(event: LoggedEvent): void {
    const stream = this.#streams.get(event.serverId);
    if (stream) stream.offer(event);
    else this.#welcome(event);
  }

  /** Tells the listeners of the moment; whoever must not hear it leaves the topic for as long as publishing takes. */
  tell(serverId: string, live: LiveFrame): void {
    const { to, frame, exceptUserId } = live;
    for (const joiner of this.#streams.get(serverId)?.joiners ?? []) {
      // One too many tells that it was too much.
      if (joiner.missedLive.length <= mostMissed) joiner.missedLive.push(live);
    }
    const audience = "audience" in to ? to.audience : "members";
    const spared = [...this.#doors.socketsOf(exceptUserId ?? "")].filter((socket) =>
      socket.follows.has(serverId),
    );
    for (const socket of spared) socket.wire?.unsubscribe(topicOf(serverId, audience));
    this.#publish(topicOf(serverId, audience), frame);
    for (const socket of spared) this.#listen(socket, serverId, socket.follows.get(serverId) ?? "members");
  }

  /** Tells the listeners of the moment how somebody is now; answers how many they are. */
  tellOfSomebody(serverId: string, { type, ts, json }: LiveRound): number {
    const frame = `{"type":"${type}","server_id":"${serverId}","ts":"${ts}","data":${json}}`;
    this.tell(serverId, { kind: "live", to: { serverId, audience: "members" }, frame });
    return this.#topics.count(topicOf(serverId, "members"));
  }

  /** Who follows these servers, or may follow them now. */
  concernedBy({ serverIds, touches }: Pick<Doubted, "serverIds" | "touches">): Set<Socket> {
    const followers = serverIds.flatMap((id) => [...(this.#streams.get(id)?.followers ?? [])]);
    return new Set([...followers, ...touches.flatMap((name) => [...this.#doors.socketsOf(name)])]);
  }

  /** Begins to collect what these servers tell, for a socket whose state is about to load. */
  async join(serverIds: readonly string[]): Promise<Map<string, Joiner>> {
    const joined = new Map<string, Joiner>();
    try {
      for (let i = 0; i < serverIds.length; i += joinedAtOnce) {
        if (i > 0) await nextTurn();
        const streams = this.#begin(serverIds.slice(i, i + joinedAtOnce));
        for (const stream of streams) {
          const joiner: Joiner = { missed: [], missedLive: [] };
          stream.joiners.add(joiner);
          joined.set(stream.serverId, joiner);
        }
        await Promise.all(streams.map((stream) => stream.ready));
      }
      return joined;
    } catch (error) {
      this.leave(joined);
      throw error;
    }
  }

  /** What these views contain has gone out to the followers, so that nothing of it goes out again to a new one. */
  async reached(servers: readonly ServerView[]): Promise<void> {
    for (const server of servers) await this.#stream(server.id).reached(server.seq);
  }

  leave(joined: ReadonlyMap<string, Joiner>): void {
    for (const [serverId, joiner] of joined) {
      const stream = this.#streams.get(serverId);
      stream?.joiners.delete(joiner);
      this.#closeIfIdle(stream);
    }
  }

  /** Sends what the socket missed while its state loaded. Answers how many events that were. */
  catchUp(socket: Socket, server: ServerView, missed: readonly LoggedEvent[]): number {
    const heard = missed.filter((event) => event.seq > server.seq && hears(server.audience, event));
    socket.sendAll(heard.map(({ frame }) => frame));
    return heard.length;
  }

  /** From here on the socket hears the server; first what was only of the moment while its state loaded. */
  follow(socket: Socket, server: ServerView, joiner: Joiner | undefined): void {
    const heard = (joiner?.missedLive ?? []).filter(
      ({ to, exceptUserId }) =>
        "audience" in to &&
        (to.audience === "members" || server.audience === "viewers") &&
        exceptUserId !== socket.caller?.userId,
    );
    socket.sendAll(heard.map(({ frame }) => frame));
    this.#stream(server.id).followers.add(socket);
    this.#listen(socket, server.id, server.audience);
  }

  unfollow(socket: Socket, serverId: string): void {
    socket.follows.delete(serverId);
    socket.wire?.unsubscribe(topicOf(serverId, "members"));
    socket.wire?.unsubscribe(topicOf(serverId, "viewers"));
    const stream = this.#streams.get(serverId);
    stream?.followers.delete(socket);
    this.#closeIfIdle(stream);
  }

  close(): void {
    for (const stream of this.#streams.values()) stream.close();
  }

  #listen(socket: Socket, serverId: string, audience: Audience): void {
    socket.follows.set(serverId, audience);
    socket.wire?.subscribe(topicOf(serverId, "members"));
    if (audience === "viewers") socket.wire?.subscribe(topicOf(serverId, "viewers"));
    else socket.wire?.unsubscribe(topicOf(serverId, "viewers"));
  }

  #publish(topic: string, frame: string): void {
    const count = this.#topics.count(topic);
    this.#house.metrics.deliveries += count;
    handedOver.characters += count * frame.length;
    this.#topics.publish(topic, frame);
    this.#doors.published();
  }

  #send(event: LoggedEvent, sockets: readonly Socket[]): void {
    for (const socket of sockets) {
      // They may have left since they were counted.
      const audience = socket.follows.get(event.serverId);
      if (!audience || !hears(audience, event)) continue;
      this.#house.metrics.deliveries++;
      socket.send(event.frame);
    }
    this.#doors.published();
  }

  /** Whose rights an event may change: those whom it names; of the holders of a role only looking at all can tell. */
  #concerned({ touches }: LoggedEvent, followers: ReadonlySet<Socket>): Iterable<Socket> {
    if (touches.some((name) => name === "*" || name.startsWith("role:"))) return followers;
    const named = touches.flatMap((name) => [...this.#doors.socketsOf(name)]);
    return named.filter((socket) => followers.has(socket));
  }

  async #settle({ serverId }: LoggedEvent, followers: readonly Socket[]): Promise<void> {
    const house = this.#house;
    const unit = new Unit(house, house.database.read, "cached");
    const news = new SightNews(unit, serverId);
    const byUser = Map.groupBy(followers, (socket) => socket.caller?.userId ?? "");
    let isFirst = true;
    for (const people of pieces(byUser, ([, sockets]) => sockets.length, settledAtOnce)) {
      if (!isFirst) await nextTurn();
      isFirst = false;
      const ids = people.map(([userId]) => userId);
      const standings = await standingsIn(unit, serverId, ids);
      for (const [userId, sockets] of people) this.#relisten(serverId, sockets, standings.get(userId), news);
    }
    await news.send((socket, audience) => this.#listen(socket, serverId, audience));
  }

  #relisten(
    serverId: string,
    sockets: readonly Socket[],
    standing: Standing | undefined,
    news: SightNews,
  ): void {
    // Whoever is gone by now hears so when the stream comes to it; until then, what is for all members.
    const audience = standing ? audienceOf(standing) : "members";
    for (const socket of sockets) {
      if (!socket.isOpen || socket.follows.get(serverId) === audience) continue;
      // What is lost is lost at once; what is gained, when its turn to be told comes.
      if (audience === "members") this.#listen(socket, serverId, audience);
      if (standing) news.owe(socket, audience);
    }
  }

  #went(stream: Stream, event: LoggedEvent): void {
    const isLast = (socket: Socket) => event.ends === "*" || event.ends === socket.caller?.userId;
    for (const socket of [...stream.followers]) if (isLast(socket)) this.unfollow(socket, event.serverId);
    this.#welcome(event);
  }

  /** Those whom the event made members, and who are here, get the server and follow it. */
  #welcome(event: LoggedEvent): void {
    if (event.ends !== null) return;
    for (const userId of event.touches) {
      const isNews = (socket: Socket) => !socket.follows.has(event.serverId);
      if ([...this.#doors.socketsOf(userId)].some(isNews)) this.#doors.gained(userId, event.serverId);
    }
  }

  /** The streams of these servers; for those that begin now, the log is asked once. */
  #begin(serverIds: readonly string[]): Stream[] {
    const unknown = serverIds.filter((id) => !this.#streams.has(id));
    const heads = unknown.length > 0 ? streamHeads(this.#house.database.read, unknown) : undefined;
    return serverIds.map((id) => this.#stream(id, heads));
  }

  #stream(serverId: string, heads?: Promise<Map<string, number>>): Stream {
    const known = this.#streams.get(serverId);
    if (known) return known;
    const begins = heads ?? streamHeads(this.#house.database.read, [serverId]);
    const head = begins.then((heads) => heads.get(serverId) ?? 0);
    const stream = new Stream(serverId, head, {
      share: this.#share,
      publish: (event) => this.#publish(topicOf(event.serverId, event.audience), event.frame),
      send: (event, followers) => this.#send(event, followers),
      concerned: (event, followers) => this.#concerned(event, followers),
      settle: (event, followers) =>
        this.#settle(event, followers).catch((error) => this.#doors.uncertain(followers, error)),
      went: (stream, event) => this.#went(stream, event),
      passed: (event) => this.#welcome(event),
      rested: (stream) => this.#closeIfIdle(stream),
      read: (after, upTo) => this.#readAhead(serverId, after, upTo),
      failed: ({ touches }, error) =>
        this.#doors.uncertain(this.concernedBy({ serverIds: [serverId], touches }), error),
    });
    this.#streams.set(serverId, stream);
    // A stream that could not begin is none; the next who asks begins another. What it was told meanwhile is not lost.
    stream.ready.catch(() => {
      if (this.#streams.get(serverId) === stream) this.#streams.delete(serverId);
      for (const event of stream.waiting) this.route(event);
    });
    return stream;
  }

  /** Events that the bus has not brought yet, so that nothing was forgotten that they change. */
  async #readAhead(serverId: string, after: number, upTo: number): Promise<LoggedEvent[]> {
    const events = await readLog(this.#house.database.read, serverId, after, upTo, mostMissed);
    this.#house.forgetServer(serverId);
    return events;
  }

  #closeIfIdle(stream: Stream | undefined): void {
    if (!stream?.isIdle || this.#streams.get(stream.serverId) !== stream) return;
    stream.close();
    this.#streams.delete(stream.serverId);
  }
}
