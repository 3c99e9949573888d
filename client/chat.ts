// The state of a signed-in page: the connection, the copy of the server's data, and the subscribers.
import { is } from "../protocol/event.ts";
import type { ServerFrame } from "../protocol/frames.ts";
import { valuesAfter } from "../protocol/unchanged.ts";
import { Connection, type ConnectionState } from "./connection.ts";
import { type Copy, copyAfter, copyFrom } from "./copy.ts";
import { ready } from "./ready.ts";

export interface ChatState {
  /** Undefined before the first READY. */
  copy: Copy | undefined;
  connection: ConnectionState;
  /**
   * Increases with each READY that replaced a copy: data fetched before may lack events. 0: there was no READY yet, and
   * the copy, if any, was stored by an earlier page.
   */
  generation: number;
}

/** Calls `run` once, soon: in a page before the next frame is painted. */
type Soon = (run: () => void) => void;

interface ChatOptions {
  url: string;
  token?: string;
  soon: Soon;
}

/** Pending frames are applied to the copy together, so that a busy channel is rendered once per painted frame. */
export class Chat {
  readonly connection: Connection;
  /** True if a frame can be applied. A page sets the check of `sense.ts` once that is loaded; until then all can. */
  makesSense: (frame: ServerFrame) => boolean = () => true;
  readonly #soon: Soon;
  readonly #watchers = new Set<() => void>();
  readonly #listeners = new Set<(frame: ServerFrame) => void>();
  #state: ChatState = { copy: undefined, connection: { is: "connecting" }, generation: 0 };
  #waiting: ServerFrame[] = [];
  #isDue = false;

  constructor({ soon, ...options }: ChatOptions) {
    this.#soon = soon;
    this.connection = new Connection({
      ...options,
      onFrame: (frame) => this.take(frame),
      onState: (connection) => {
        // Earlier frames are applied before the end of the connection.
        this.#apply();
        if (isSignedOut(connection)) this.#forget(connection);
        else this.#become({ connection });
      },
    });
  }

  get state(): ChatState {
    return this.#state;
  }

  /** Calls `watcher` after each change of the state. Returns the function that unsubscribes it. */
  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Calls `listener` with each frame, once it is applied to the copy. Returns the function that unsubscribes it. */
  listen(listener: (frame: ServerFrame) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Applies pending frames now: fetched data may be older than they are. */
  catchUp(): void {
    this.#apply();
  }

  /** Shows the copy of an earlier page until READY replaces it. Returns false if READY was faster. */
  begin(copy: Copy): boolean {
    this.#apply();
    const { connection, generation } = this.#state;
    if (generation > 0 || isSignedOut(connection)) return false;
    this.#become({ copy });
    return true;
  }

  /** Changes the copy by fetched data, or by an action before the server confirms it. */
  change(after: (copy: Copy) => Copy): void {
    this.#apply();
    const { copy } = this.#state;
    if (copy) this.#become({ copy: after(copy) });
  }

  /** Drops the copy, which is for the signed-in person: the device may be in other hands by now. */
  #forget(connection: ConnectionState): void {
    this.connection.position.forget();
    this.#become({ connection, copy: undefined });
  }

  /** Takes a frame of the connection, or what an answer says before its event is there. */
  take(frame: ServerFrame): void {
    if (!this.makesSense(frame)) {
      report(new TypeError(`a frame that makes no sense: ${frame.type}`));
      return;
    }
    this.#waiting.push(frame);
    if (this.#isDue) return;
    this.#isDue = true;
    this.#soon(() => this.#apply());
  }

  #apply(): void {
    this.#isDue = false;
    const frames = this.#waiting;
    if (frames.length === 0) return;
    this.#waiting = [];
    let { copy, generation } = this.#state;
    for (const frame of frames) {
      // An error while applying a frame is reported as uncaught, and does not affect the other frames.
      try {
        if (is(frame, ready)) {
          copy = renewed(copy, copyFrom(frame.data));
          generation++;
        } else if (copy) copy = copyAfter(copy, frame);
      } catch (error) {
        report(error);
      }
    }
    this.#become({ copy, generation });
    for (const frame of frames) for (const listener of this.#listeners) this.#tell(listener, frame);
  }

  #tell(listener: (frame: ServerFrame) => void, frame: ServerFrame): void {
    try {
      listener(frame);
    } catch (error) {
      report(error);
    }
  }

  #become(change: Partial<ChatState>): void {
    const before = this.#state;
    this.#state = { ...before, ...change };
    const { copy, connection, generation } = this.#state;
    if (copy === before.copy && connection === before.connection && generation === before.generation) return;
    for (const watcher of this.#watchers) watcher();
  }
}

function report(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** True if the gateway no longer accepts this browser. */
export function isSignedOut(connection: ConnectionState): boolean {
  return connection.is === "ended" && ["not authenticated", "signed out"].includes(connection.why);
}

/** Keeps the visible messages until they are fetched again: nobody sees an empty page after a long sleep. */
function renewed(before: Copy | undefined, { ...copy }: Copy): Copy {
  if (!before || before.user.id !== copy.user.id) return copy;
  const { blocked } = before;
  const windows = valuesAfter(before.windows, (window) => ({ ...window, isStale: true }));
  // READY does not list them; whether they are still there is found out at their addresses.
  const atAddresses = [...before.direct].filter(([, { isListed }]) => !isListed);
  const direct = new Map([...atAddresses, ...copy.direct]);
  return { ...copy, direct, windows, blocked };
}
