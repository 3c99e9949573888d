// A wire between two programs that can be cut, slowed down, and fall silent.
import { connect, createServer, type Server, type Socket } from "node:net";

/** What a port of this machine leads to. */
export class Wire {
  readonly port: number;
  readonly #server: Server;
  readonly #ends = new Set<Socket>();
  #isCut = false;
  #isSilent = false;
  /** Their other ends are gone, which they are to learn once it is mended. */
  #leftBehind: Socket[] = [];
  /** The ends of connections that are dead for good. */
  readonly #stranded = new WeakSet<Socket>();
  #delayMs = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as { port: number }).port;
  }

  /** `ports`: tried in turn, each connection beginning with the next one. */
  static async open(ports: readonly number[]): Promise<Wire> {
    let next = 0;
    const server = createServer((near) => {
      wire.#keep(near);
      if (wire.#isCut) near.destroy();
      else wire.#join(near, [...ports.slice(next++ % ports.length), ...ports]);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const wire = new Wire(server);
    return wire;
  }

  /** Ends what goes through it, and lets nothing through until it is mended. */
  cut(): void {
    this.#isCut = true;
    for (const end of this.#ends) end.destroy();
  }

  mend(): void {
    this.#isCut = false;
    this.#isSilent = false;
    for (const end of this.#ends) if (!this.#stranded.has(end)) end.resume();
    for (const end of this.#leftBehind.splice(0)) end.destroy();
  }

  /** Carries nothing and ends nothing, as when a machine on the way has lost power, until it is mended. */
  fallSilent(): void {
    this.#isSilent = true;
    for (const end of this.#ends) end.pause();
  }

  /** Carries nothing any more of what goes through it now, and ends none of it; new connections are as good as ever. */
  strand(): void {
    for (const end of this.#ends) this.#stranded.add(end.pause());
  }

  /** What comes in from now on goes out so much later, in its order. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #keep(end: Socket): void {
    this.#ends.add(end);
    end.on("error", () => {});
    end.once("close", () => this.#ends.delete(end));
  }

  #join(near: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined || near.destroyed) return void near.destroy();
    const far = connect(port, "127.0.0.1");
    this.#keep(far);
    far.once("error", () => this.#join(near, others));
    far.once("connect", () => {
      far.removeAllListeners("error").on("error", () => {});
      this.#carry(near, far);
      this.#carry(far, near);
    });
  }

  #carry(from: Socket, to: Socket): void {
    const waiting: (() => void)[] = [];
    // In its order also where what comes later is delayed less.
    const later = (act: () => void) => {
      if (this.#delayMs === 0 && waiting.length === 0) return act();
      waiting.push(act);
      setTimeout(() => waiting.shift()?.(), this.#delayMs);
    };
    from.on("data", (bytes) => later(() => void to.write(bytes)));
    from.once("close", () => later(() => (this.#isSilent ? this.#leftBehind.push(to) : to.destroy())));
    to.setNoDelay(true);
    if (this.#isSilent) from.pause();
  }
}
