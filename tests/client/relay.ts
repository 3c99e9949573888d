// A proxy between a client and a house that can cut connections, stay down, or fall silent.
import { connect, createServer, type Server, type Socket } from "node:net";

export class Relay {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isSilent = false;
  #isHeld = false;
  #waiting: (() => void)[] = [];
  #isAway = false;
  /** Number of connections that were let through. */
  passed = 0;

  private constructor(target: () => string) {
    this.#server = createServer((near) => {
      near.on("error", () => {});
      if (this.#isAway) {
        near.destroy();
        return;
      }
      this.passed++;
      const { hostname, port } = new URL(target());
      const far = connect(Number(port), hostname);
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      for (const [from, to] of [pair, [far, near] as const]) {
        from.on("data", (bytes) => {
          if (this.#isHeld && from === far) this.#waiting.push(() => to.write(bytes));
          else if (!this.#isSilent) to.write(bytes);
        });
        from.on("error", () => {});
        from.on("close", () => {
          this.#pairs.delete(pair);
          to.destroy();
        });
      }
    });
  }

  /** `target`: called for each new connection. */
  static async to(target: () => string): Promise<Relay> {
    const relay = new Relay(target);
    await new Promise<void>((resolve) => relay.#server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  /** The address of the house behind it, for a browser. */
  get origin(): string {
    return `http://${this.#host}`;
  }

  /** The address of the gateway behind it. */
  get gateway(): string {
    return `ws://${this.#host}/ws`;
  }

  get #host(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it does not listen");
    return `127.0.0.1:${address.port}`;
  }

  /** Closes every connection, and refuses new ones until restore(). */
  cut(): void {
    this.#isAway = true;
    for (const [near, far] of this.#pairs) {
      near.destroy();
      far.destroy();
    }
  }

  /** Drops all data in both directions without closing anything. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Holds the server's chunks back until passNext() or restore(). */
  hold(): void {
    this.#isHeld = true;
  }

  /** The number of chunks held back. */
  get held(): number {
    return this.#waiting.length;
  }

  /** Sends the first chunk that is held back. */
  passNext(): void {
    this.#waiting.shift()?.();
  }

  restore(): void {
    this.#isHeld = false;
    for (const pass of this.#waiting.splice(0)) pass();
    this.#isAway = false;
    this.#isSilent = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }
}
