// Keep-alive connections to one service: over TLS, and to a distant service, most of a small request's time is spent on
// a new connection.
import { Queue } from "../queue.ts";
import type { Answer } from "./answer.ts";
import type { Connection, Exchange } from "./connection.ts";

/** The most requests at once. */
const mostAtOnce = 256;
/** How long an idle connection is kept, in milliseconds: routers in between silently forget idle connections. */
const restMs = 30_000;

export class KeptConnections {
  readonly #queue = new Queue({ atOnce: mostAtOnce });
  /** Free connections; the most recently used is the last. */
  readonly #free = new Map<Connection, ReturnType<typeof setTimeout>>();

  /** True if a long body waits for "100 Continue"; not after the host has ignored or rejected that once. */
  waitsForWord = true;

  /** Sends the request on a free connection, or on a new one. */
  exchange(request: Exchange, connect: () => Connection): Promise<Answer> {
    return this.#queue.run(async () => {
      const connection = this.#take() ?? connect();
      try {
        const answer = await connection.exchange(request);
        if (connection.isFree) this.#keep(connection);
        return answer;
      } catch (error) {
        // The failure may affect all connections, and the free ones have not noticed.
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
