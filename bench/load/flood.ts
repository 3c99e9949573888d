// Calls at a fixed rate, whether earlier ones are answered or not: an attacker does not wait.
import type { Attacker } from "../bystander/attack.ts";
import { type HttpConnection, openHttp } from "./http-connection.ts";

interface Flood {
  perSecond: number;
  /** Call n comes from address n modulo the number of addresses. */
  from: string[];
  request(number: number): string | Buffer;
  /** The total number of calls; by default they go on until the attack's time is over. */
  calls?: number;
}

/** The most connections; while all of them wait for answers, no further call is made. */
const mostInFlight = 400;
const tickMs = 2;
/** How long the last calls may wait for their answers, in milliseconds. */
const lastAnswersMs = 4000;

export async function flood(
  attacker: Attacker<unknown>,
  { perSecond, from, request, calls = Number.POSITIVE_INFINITY }: Flood,
): Promise<void> {
  const callers = new Callers(attacker);
  const begun = performance.now();
  for (let sent = 0; !attacker.isOver() && sent < calls; await Bun.sleep(tickMs)) {
    const due = Math.min(calls, ((performance.now() - begun) / 1000) * perSecond);
    for (; sent < due && callers.inFlight < mostInFlight; sent++) {
      void callers.call(from[sent % from.length]!, Buffer.from(request(sent)));
    }
  }
  const late = performance.now() + lastAnswersMs;
  while (callers.inFlight > 0 && !(attacker.isOver() && performance.now() > late)) await Bun.sleep(tickMs);
  for (let left = callers.inFlight; left > 0; left--) attacker.answered("no answer");
  callers.close();
}

/** A pool of connections by address, reused when they are free. */
class Callers {
  inFlight = 0;
  readonly #attacker: Attacker<unknown>;
  readonly #free = new Map<string, HttpConnection[]>();
  readonly #all = new Set<HttpConnection>();

  constructor(attacker: Attacker<unknown>) {
    this.#attacker = attacker;
  }

  async call(address: string, bytes: Buffer): Promise<void> {
    this.inFlight++;
    try {
      const connection = this.#freeOf(address).pop() ?? (await this.#open(address));
      this.#attacker.made();
      connection.send(bytes);
    } catch {
      this.#answered("no connection");
    }
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  async #open(address: string): Promise<HttpConnection> {
    const free = this.#freeOf(address);
    const { host, port } = this.#attacker.target;
    const connection = await openHttp(
      host,
      port,
      {
        onAnswer: (status) => {
          this.#answered(String(status));
          free.push(connection);
        },
        onClose: () => {
          if (!this.#all.delete(connection)) return;
          const at = free.indexOf(connection);
          if (at >= 0) free.splice(at, 1);
          else this.#answered("closed");
        },
      },
      address,
    );
    this.#all.add(connection);
    return connection;
  }

  #freeOf(address: string): HttpConnection[] {
    const known = this.#free.get(address);
    if (known) return known;
    const none: HttpConnection[] = [];
    this.#free.set(address, none);
    return none;
  }

  #answered(how: string): void {
    this.inFlight--;
    this.#attacker.answered(how);
  }
}
