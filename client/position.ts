// The last event that a client heard of each stream: enough to take a connection up again where it was cut.
import { endsMembership } from "../features/members/state.ts";
import { serverDeleted, serverGained } from "../features/servers/events.ts";
import type { Resume } from "../protocol/client-frames.ts";
import { is } from "../protocol/event.ts";
import { ownStream, resumeStreamsMax, type ServerFrame } from "../protocol/frames.ts";
import { type Ready, ready, type ServerEntry } from "./ready.ts";

/** Number and `ts` of the last event heard of a stream; the `ts` of READY when none came since. */
interface Heard {
  seq: number;
  ts: string;
}

export class Position {
  #epoch: string | undefined;
  #userId = "";
  #streams = new Map<string, Heard>();

  /** Notes a frame. Returns whether it is news: an event heard before, or of a server that the user left, is none. */
  heard(frame: ServerFrame): boolean {
    if (is(frame, ready)) this.#begin(frame.data, frame.ts);
    if (is(frame, serverGained)) {
      const { id, seq } = frame.data as ServerEntry;
      this.#streams.set(id, { seq, ts: frame.ts });
    }
    const stream = frame.stream ?? frame.server_id;
    const { seq, ts } = frame;
    if (stream === undefined || seq === undefined) return true;
    const before = this.#streams.get(stream);
    if (!before || seq <= before.seq) return false;
    if (is(frame, serverDeleted) || endsMembership(this.#userId, frame)) this.#streams.delete(stream);
    else this.#streams.set(stream, { seq, ts });
    return true;
  }

  /** AUTH's `resume`, to go on from here; undefined before the first READY, and in more servers than it may name. */
  get resume(): Resume | undefined {
    if (this.#epoch === undefined || this.#servers > resumeStreamsMax) return undefined;
    const heard = [...this.#streams];
    return {
      epoch: this.#epoch,
      streams: Object.fromEntries(heard.map(([stream, { seq }]) => [stream, seq])),
      seen: Object.fromEntries(heard.map(([stream, { ts }]) => [stream, ts])),
    };
  }

  /** The next AUTH begins anew. */
  forget(): void {
    this.#epoch = undefined;
    this.#streams.clear();
  }

  get #servers(): number {
    return this.#streams.size - (this.#streams.has(ownStream) ? 1 : 0);
  }

  #begin({ epoch, user, servers, personal }: Ready, ts: string): void {
    this.#epoch = epoch;
    this.#userId = user.id;
    this.#streams = new Map(servers.map(({ id, seq }) => [id, { seq, ts }]));
    if (personal) this.#streams.set(ownStream, { seq: personal.seq, ts });
  }
}
