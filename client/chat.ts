// What a page has of Hearth while somebody is signed in: the connection, the copy that it keeps true, and who watches it.
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
   * Rises with each READY that replaced a copy: what was fetched before it may miss something. 0: there was none yet, and
   * a copy that is there was kept by an earlier page.
   */
  generation: number;
}

/** Calls `run` soon, once: in a page before the next frame is drawn. */
type Soon = (run: () => void) => void;

interface ChatOptions {
  url: string;
  token?: string;
  soon: Soon;
}

/** Frames that wait are taken into the copy all at once, so that a busy channel is drawn once a frame of the screen. */
export class Chat {
  readonly connection: Connection;
  /** Whether a frame can be taken into the copy. A page asks `sense.ts`, once that is there; until then all can. */
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
      onFrame: (frame) => this.#take(frame),
      onState: (connection) => {
        // What came before counts before what its end means.
        this.#apply();
        if (isSignedOut(connection)) this.#forget(connection);
        else this.#become({ connection });
      },
    });
  }

  get state(): ChatState {
    return this.#state;
  }

  /** Calls `watcher` after each change of the state. Returns the function that ends it. */
  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Calls `listener` with each frame, once it is in the copy. Returns the function that ends it. */
  listen(listener: (frame: ServerFrame) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes what waits into the copy now: what was fetched may be older than it. */
  catchUp(): void {
    this.#apply();
  }

  /** Shows what an earlier page kept, until READY replaces it. Returns whether it is shown: READY may have been faster. */
  begin(copy: Copy): boolean {
    this.#apply();
    const { connection, generation } = this.#state;
    if (generation > 0 || isSignedOut(connection)) return false;
    this.#become({ copy });
    return true;
  }

  /** Changes the copy by what was fetched, or done here before the server says so. */
  change(after: (copy: Copy) => Copy): void {
    this.#apply();
    const { copy } = this.#state;
    if (copy) this.#become({ copy: after(copy) });
  }

  /** Servers and messages are for somebody who is signed in: the device may be in other hands by now. */
  #forget(connection: ConnectionState): void {
    this.connection.position.forget();
    this.#become({ connection, copy: undefined });
  }

  #take(frame: ServerFrame): void {
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
      // A frame that makes no sense is reported as uncaught, and takes nothing of the others along.
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

/** The gateway does not let this browser in any more. */
export function isSignedOut(connection: ConnectionState): boolean {
  return connection.is === "ended" && ["not authenticated", "signed out"].includes(connection.why);
}

/** What was on the screen stays there until it is fetched anew: nobody sees an empty page after a long sleep. */
function renewed(before: Copy | undefined, { ...copy }: Copy): Copy {
  if (!before || before.user.id !== copy.user.id) return copy;
  const { blocked } = before;
  const windows = valuesAfter(before.windows, (window) => ({ ...window, isStale: true }));
  return { ...copy, windows, blocked };
}
