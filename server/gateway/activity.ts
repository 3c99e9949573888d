// Knows which people are active: on one of whose sockets a frame other than PING came a short while ago.
import type { Activity } from "../house/activity.ts";
import type { StreamKey } from "../place.ts";
import type { ClientFrame } from "./client-frames.ts";
import type { Socket } from "./socket.ts";

/** For so long after its last frame a socket is active, in milliseconds. */
export const activeMs = 60_000;

export class SocketActivity implements Activity {
  readonly #socketsOf: (userId: string) => Iterable<Socket>;
  /** Tells the time. Tests turn it by hand. */
  now = () => performance.now();

  readonly follows: (stream: StreamKey) => boolean;

  constructor(socketsOf: (userId: string) => Iterable<Socket>, follows: (stream: StreamKey) => boolean) {
    this.#socketsOf = socketsOf;
    this.follows = follows;
  }

  /** Takes note of a frame: a client sends PING by itself, all else because somebody is there. */
  note(socket: Socket, { type }: ClientFrame): void {
    if (type !== "PING") socket.saidAt = this.now();
  }

  async activeAmong(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    const since = this.now() - activeMs;
    const isActive = (socket: Socket) => socket.saidAt > since;
    return new Set(userIds.filter((id) => [...this.#socketsOf(id)].some(isActive)));
  }
}
