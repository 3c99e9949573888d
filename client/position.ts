// The last event received of each stream: enough to resume a connection where it was cut.
import { endsMembership } from "../features/members/state.ts";
import { serverDeleted, serverGained } from "../features/servers/events.ts";
import type { Resume } from "../protocol/client-frames.ts";
import { is } from "../protocol/event.ts";
import { ownStream, resumeStreamsMax, type ServerFrame } from "../protocol/frames.ts";
import { type Ready, ready, type ServerEntry } from "./ready.ts";

/** Number and `ts` of the last event received of a stream; the `ts` of READY if none came since. */
interface Heard {
  seq: number;
  ts: string;
}

export class Position {
  #epoch: string | undefined;
  #userId = "";
  #streams = new Map<string, Heard>();

  /** Records a frame. Returns whether it is new: not an event received before, or of a server that the user left. */
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

  /** AUTH's `resume`, to continue from here; undefined before the first READY, and with more servers than allowed. */
  get resume(): Resume | undefined {
    if (this.#epoch === undefined || this.#servers > resumeStreamsMax) return undefined;
    const heard = [...this.#streams];
    return {
      epoch: this.#epoch,
      streams: Object.fromEntries(heard.map(([stream, { seq }]) => [stream, seq])),
      seen: Object.fromEntries(heard.map(([stream, { ts }]) => [stream, ts])),
    };
  }

  /** Makes the next AUTH start from scratch. */
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
