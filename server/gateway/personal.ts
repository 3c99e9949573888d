// Sends each person's own stream to their sockets: in number order, with missing events read from the log.
import type { LiveFrame, LoggedEvent } from "../bus/bus.ts";
import type { House } from "../house/house.ts";
import { readLog } from "../house/log-table.ts";
import { rowsAtOnce } from "../house/pieces.ts";
import { idOf, personStream } from "../place.ts";
import { roomFor } from "./pace.ts";
import type { Socket } from "./socket.ts";
import { mostMissed } from "./stream.ts";

/** True if the socket has sent every event of its person's own stream that arrived here; true while its state loads. */
export function hasHeardOwn({ personalHeard, personalTold }: Socket): boolean {
  return personalHeard < 0 || personalHeard === personalTold;
}

interface PersonalCallbacks {
  /** The open sockets of a person. */
  socketsOf(userId: string): Iterable<Socket>;
  /** Called after a frame was handed to the runtime. */
  published(): void;
  /** Called when the socket may have missed an event: its client has to start over. */
  failed(socket: Socket, error: unknown): void;
}

/**
 * A person has few sockets and few events, so there is no topic and no queue: each socket keeps the last number that it
 * heard, and the highest one that exists.
 */
export class PersonalStreams {
  readonly #house: House;
  readonly #callbacks: PersonalCallbacks;
  /** Live frames for sockets whose state is still loading. */
  readonly #missedLive = new WeakMap<Socket, string[]>();

  constructor(house: House, callbacks: PersonalCallbacks) {
    this.#house = house;
    this.#callbacks = callbacks;
  }

  /** Takes a committed event. A socket whose state is still loading gets it afterwards, from the log. */
  route(event: LoggedEvent): void {
    for (const socket of this.#callbacks.socketsOf(idOf(event.stream))) {
      const isNext = socket.personalHeard === event.seq - 1 && socket.personalTold < event.seq;
      const wasWhole = socket.personalHeard === socket.personalTold;
      if (socket.personalTold < event.seq) socket.personalTold = event.seq;
      if (socket.personalHeard < 0 || !wasWhole) continue;
      if (isNext) this.#send(socket, event);
      else this.#catchUp(socket);
    }
  }

  /** Sends a live frame. A socket whose state is still loading gets it afterwards: its state may be from before. */
  tell({ to, frame }: LiveFrame): void {
    for (const socket of this.#callbacks.socketsOf(idOf(to.stream))) {
      if (socket.personalHeard >= 0) socket.send(frame);
      else this.#keep(socket, frame);
    }
  }

  /** Forgets the live frames so far for a socket: its state, which is about to be read, contains them. */
  forgetLive(socket: Socket): void {
    this.#missedLive.delete(socket);
  }

  #keep(socket: Socket, frame: string): void {
    const missed = this.#missedLive.get(socket) ?? [];
    this.#missedLive.set(socket, missed);
    if (missed.push(frame) > mostMissed)
      this.#callbacks.failed(socket, new Error("more is told to a person than their state takes to load"));
  }

  /** Subscribes the socket to the stream; what it was sent so far contains everything up to number `seq`. */
  follow(socket: Socket, seq: number): void {
    socket.personalHeard = seq;
    this.#house.bus.follow(personStream(socket.caller?.userId ?? ""), seq);
    if (socket.personalTold > seq) this.#catchUp(socket);
    else socket.personalTold = seq;
    socket.sendAll(this.#missedLive.get(socket) ?? []);
    this.#missedLive.delete(socket);
  }

  #send(socket: Socket, event: LoggedEvent): void {
    socket.personalHeard = event.seq;
    this.#house.metrics.deliveries++;
    socket.send(event.frame);
    this.#callbacks.published();
  }

  #catchUp(socket: Socket): void {
    this.#sendMissing(socket).catch((error) => this.#callbacks.failed(socket, error));
  }

  // When the bus delivers an event, every earlier event is committed, too: a stream has one commit at a time.
  async #sendMissing(socket: Socket): Promise<void> {
    const stream = personStream(socket.caller?.userId ?? "");
    while (socket.isOpen && socket.personalHeard < socket.personalTold) {
      const range = { stream, after: socket.personalHeard, up_to: socket.personalTold };
      const events = await readLog(this.#house.database.read, range, rowsAtOnce);
      // An erased event has no frame left.
      for (const event of events) if (event.frame !== "") this.#send(socket, event);
      // Events that are missing up to here were replaced by later ones.
      const isAll = events.length < rowsAtOnce;
      socket.personalHeard = isAll ? range.up_to : (events.at(-1)?.seq ?? range.up_to);
      await roomFor(socket);
    }
  }
}
