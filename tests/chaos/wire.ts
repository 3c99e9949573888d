// A proxy between two programs that can cut, delay or silence connections.
import { connect, createServer, type Server, type Socket } from "node:net";

/** Listens on a port of this machine and forwards to others. */
export class Wire {
  readonly port: number;
  readonly #server: Server;
  readonly #ends = new Set<Socket>();
  #isCut = false;
  #isSilent = false;
  /** Sockets whose peer is gone, to be closed once the wire is mended. */
  #leftBehind: Socket[] = [];
  /** Sockets of stranded connections, which never carry data again. */
  readonly #stranded = new WeakSet<Socket>();
  #delayMs = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as { port: number }).port;
  }

  /** `ports`: targets; each connection begins with the next one, and tries the others after it. */
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

  /** Closes all connections, and refuses new ones until the wire is mended. */
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

  /** Carries nothing and closes nothing until it is mended, as when a router on the way has lost power. */
  fallSilent(): void {
    this.#isSilent = true;
    for (const end of this.#ends) end.pause();
  }

  /** Stops carrying data on the present connections without closing them; new connections work. */
  strand(): void {
    for (const end of this.#ends) this.#stranded.add(end.pause());
  }

  /** Delays data that arrives from now on, in its order. */
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
    // Keeps the order also when the delay gets shorter.
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
