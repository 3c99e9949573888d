// Tracks which people are active: those with a socket on which a frame other than PING came recently.
import type { Activity } from "../house/activity.ts";
import type { StreamKey } from "../place.ts";
import type { ClientFrame } from "./client-frames.ts";
import type { Socket } from "./socket.ts";

/** How long a socket is active after its last frame, in milliseconds. */
export const activeMs = 60_000;

type ActiveAmong = Activity["activeAmong"];

export class SocketActivity implements Activity {
  readonly #socketsOf: (userId: string) => Iterable<Socket>;
  readonly #elsewhere: ActiveAmong;
  /** The clock. Tests set it by hand. */
  now = () => performance.now();

  readonly follows: (stream: StreamKey) => boolean;

  /** `elsewhere` tells who is active at other processes. */
  constructor(
    socketsOf: (userId: string) => Iterable<Socket>,
    follows: (stream: StreamKey) => boolean,
    elsewhere: ActiveAmong = async () => new Set(),
  ) {
    this.#socketsOf = socketsOf;
    this.follows = follows;
    this.#elsewhere = elsewhere;
  }

  /** Records a frame. Returns whether it shows activity: all frames but PING do, which clients send by themselves. */
  note(socket: Socket, { type }: ClientFrame): boolean {
    if (type === "PING") return false;
    socket.saidAt = this.now();
    return true;
  }

  silentMs(userId: string): number | undefined {
    const said = Math.max(...[...this.#socketsOf(userId)].map(({ saidAt }) => saidAt));
    return Number.isFinite(said) ? Math.round(this.now() - said) : undefined;
  }

  async activeAmong(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    const since = this.now() - activeMs;
    const isActive = (socket: Socket) => socket.saidAt > since;
    const here = new Set(userIds.filter((id) => [...this.#socketsOf(id)].some(isActive)));
    return here.union(await this.#elsewhere(userIds.filter((id) => !here.has(id))));
  }
}
