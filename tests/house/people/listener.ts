// A listener that uses the client of pages and bots: keeps its frames, and reconnects when it is cut off.
import { Connection, type ConnectionOptions, type ConnectionState } from "../../../client/connection.ts";
import type { Resume } from "../../../protocol/client-frames.ts";
import { until } from "../machine/waiting.ts";
import { atRest } from "./at-rest.ts";
import { allHeard } from "./beside.ts";
import { Heard } from "./heard.ts";

export type ListenerOptions = Pick<ConnectionOptions, "url" | "token" | "later" | "random">;

export class Listener extends Heard {
  readonly connection: Connection;
  readonly states: ConnectionState[] = [];
  readonly #house: string;

  constructor(options: ListenerOptions) {
    super();
    this.#house = options.url.replace(/^ws/, "http").replace(/\/ws$/, "");
    this.connection = new Connection({
      ...options,
      onFrame: (frame) => this.keep(JSON.stringify(frame)),
      onState: (state) => this.states.push(state),
    });
    this.connection.start();
  }

  /** Opens a connection and waits for READY. */
  static async open(options: ListenerOptions): Promise<Listener> {
    const listener = new Listener(options);
    await listener.next("READY");
    return listener;
  }

  say(type: string, data: unknown = {}): void {
    if (!this.connection.say(type, data)) throw new Error(`${type} could not be said`);
  }

  untilIt(is: ConnectionState["is"]): Promise<void> {
    return until(() => this.connection.state.is === is, `it never was ${is}: ${JSON.stringify(this.states)}`);
  }

  override async settle(): Promise<void> {
    await super.settle();
    await allHeard(this.#house);
    await atRest(this.#house);
    await super.settle();
  }

  /** The position from which it would resume now. */
  get resume(): Resume | undefined {
    return this.connection.position.resume;
  }

  close(): void {
    this.connection.stop();
  }
}
