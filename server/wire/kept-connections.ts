// Connections to one service that are kept for the next request: over TLS, and to a service that is far away, most of a
// small request's time is that of a new connection.
import { Queue } from "../queue.ts";
import type { Answer } from "./answer.ts";
import type { Connection, Exchange } from "./connection.ts";

/** Requests at once. */
const mostAtOnce = 256;
/** Routers in between forget a connection of which nothing is heard, and say so to nobody. */
const restMs = 30_000;

export class KeptConnections {
  readonly #queue = new Queue({ atOnce: mostAtOnce });
  /** Connections that are free; the one that was used last is the last. */
  readonly #free = new Map<Connection, ReturnType<typeof setTimeout>>();

  /** Whether a long body waits for the word of the host, which has not been silent so far. */
  waitsForWord = true;

  /** Makes the request on a connection that is free, or on a new one. */
  exchange(request: Exchange, connect: () => Connection): Promise<Answer> {
    return this.#queue.run(async () => {
      const connection = this.#take() ?? connect();
      try {
        const answer = await connection.exchange(request);
        if (connection.isFree) this.#keep(connection);
        return answer;
      } catch (error) {
        // What ended this one may have ended all, and those that are free have not noticed.
        this.#forget();
        throw error;
      }
    }, request.ending);
  }

  #forget(): void {
    for (const [connection, timer] of this.#free) {
      clearTimeout(timer);
      connection.close();
    }
    this.#free.clear();
  }

  #take(): Connection | undefined {
    for (const [connection, timer] of [...this.#free].reverse()) {
      this.#free.delete(connection);
      clearTimeout(timer);
      if (!connection.isFree) continue;
      connection.wake();
      return connection;
    }
    return undefined;
  }

  #keep(connection: Connection): void {
    connection.rest();
    const timer = setTimeout(() => {
      this.#free.delete(connection);
      connection.close();
    }, restMs);
    timer.unref();
    this.#free.set(connection, timer);
  }
}
