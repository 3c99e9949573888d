// A gateway client for one person, which reconnects after a lost connection and fetches the events it missed.

import { parseFrame } from "./frames.ts";
import { BEFORE_ALL, earlier, pagesAfter } from "./history.ts";
import type { Person } from "./person.ts";
import type { Frame, Message, Ready, ServerEntry } from "./wire.ts";

/**
 * `live` and `replayed` messages came over the socket; `recovered` ones were fetched by HTTP and may be known already.
 */
export type How = "live" | "replayed" | "recovered";
type Hear = (message: Message, how: How) => void;

// After these close codes, reconnecting with the same session is pointless.
const NOT_AUTHENTICATED = 4001;
const SESSION_ENDED = 4010;
const FIRST_RETRY_MS = 10;
const LONGEST_RETRY_MS = 500;
// Ids of concurrent writers can reach the log in another order than they were made; fetching starts this much earlier.
const OVERLAP_MS = 1_000;

export class Listener {
  readonly person: Person;
  /** Counters of the connection; `disorders` counts event numbers that did not increase. */
  readonly counts = { cuts: 0, losses: 0, readies: 0, resumes: 0, replayed: 0, disorders: 0 };
  /** Why this listener gave up. */
  failure: Error | undefined;

  readonly #hear: Hear;
  readonly #streams = new Map<string, number>();
  /** By server, the time of the event whose number is in `#streams`, so that a log that was set back is noticed. */
  readonly #seen = new Map<string, string>();
  readonly #newest = new Map<string, string>();
  readonly #recoveries = new Set<Promise<void>>();
  #socket: WebSocket | undefined;
  #epoch: string | undefined;
  #connected = false;
  #stopped = false;
  #retryMs = FIRST_RETRY_MS;
  #retry: Timer | undefined;
  #heartbeat: Timer | undefined;
  #heartbeatMs = 30_000;
  #answeredPing = true;

  constructor(person: Person, hear: Hear) {
    this.person = person;
    this.#hear = hear;
  }

  /** Connects and waits for the first READY. */
  async start(patienceMs = 120_000): Promise<void> {
    this.#connect();
    await this.untilListening(patienceMs);
  }

  /** True if it is signed in, has caught up over the socket, and has nothing left to fetch. */
  get listening(): boolean {
    return this.#connected && this.#recoveries.size === 0;
  }

  async untilListening(patienceMs: number): Promise<void> {
    const end = performance.now() + patienceMs;
    while (!this.listening) {
      if (this.failure !== undefined) throw this.failure;
      if (performance.now() > end)
        throw new Error(`${this.person.username} is not listening after ${patienceMs} ms.`);
      await Bun.sleep(2);
    }
  }

  /** Terminates the socket; frames in flight are lost. Reconnects after `awayMs`; without it, on `comeBack`. */
  cut(awayMs?: number): void {
    if (this.#socket === undefined) return;
    this.counts.cuts += 1;
    this.#leave().terminate();
    if (awayMs !== undefined) this.#retry = setTimeout(() => this.comeBack(), awayMs);
  }

  comeBack(): void {
    this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    if (this.#socket !== undefined) this.#leave().close(1000);
  }

  #connect(): void {
    const socket = new WebSocket(`${this.person.url.replace("http", "ws")}/ws`);
    this.#socket = socket;
    socket.onopen = () => this.#send("AUTH", { token: this.person.token, resume: this.#resumePoint() });
    // A socket that was cut still delivers its buffer; those frames count as lost with it.
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(String(event.data));
    };
    socket.onclose = (event) => {
      if (socket === this.#socket) this.#lost(event.code, event.reason);
    };
  }

  #resumePoint() {
    if (this.#epoch === undefined) return undefined;
    return {
      epoch: this.#epoch,
      streams: Object.fromEntries(this.#streams),
      seen: Object.fromEntries(this.#seen),
    };
  }

  #receive(text: string): void {
    const frame = parseFrame(text);
    if (frame.type === "READY") this.#ready(frame.data as Ready, frame.ts);
    else if (frame.type === "RESUMED") this.#resumed(frame.data as { replayed: number });
    else if (frame.type === "PONG") this.#answeredPing = true;
    else if (frame.type === "ERROR") this.#fail(`was told ${text}`);
    else if (frame.seq !== undefined && frame.server_id !== undefined)
      this.#event(frame, frame.server_id, frame.seq);
  }

  #event(frame: Frame, serverId: string, seq: number): void {
    if (seq <= (this.#streams.get(serverId) ?? 0)) this.counts.disorders += 1;
    else this.#heard(serverId, seq, frame.ts);
    if (frame.type !== "MESSAGE_CREATE") return;
    this.#take(frame.data as Message, this.#connected ? "live" : "replayed");
  }

  #heard(serverId: string, seq: number, ts: string): void {
    this.#streams.set(serverId, seq);
    this.#seen.set(serverId, ts);
  }

  #take(message: Message, how: How): void {
    if (message.id > (this.#newest.get(message.channel_id) ?? ""))
      this.#newest.set(message.channel_id, message.id);
    this.#hear(message, how);
  }

  #ready(ready: Ready, ts: string): void {
    this.counts.readies += 1;
    if (this.counts.readies > 1) this.#recover(ready.servers);
    this.#epoch = ready.epoch;
    this.#streams.clear();
    this.#seen.clear();
    for (const server of ready.servers) {
      this.#heard(server.id, server.seq, ts);
      for (const channel of server.channels)
        this.#newest.set(channel.id, channel.last_message_id ?? BEFORE_ALL);
    }
    this.#heartbeatMs = ready.heartbeat_interval_ms;
    this.#caughtUp();
  }

  #resumed(data: { replayed: number }): void {
    this.counts.resumes += 1;
    this.counts.replayed += data.replayed;
    this.#caughtUp();
  }

  #caughtUp(): void {
    this.#connected = true;
    this.#retryMs = FIRST_RETRY_MS;
    this.#startHeartbeat();
  }

  /** Fetches the missed messages: the server sent READY instead of resuming, so they are only in the history. */
  #recover(servers: ServerEntry[]): void {
    for (const channel of servers.flatMap((server) => server.channels)) {
      if (channel.last_message_id === null) continue;
      const newest = this.#newest.get(channel.id) ?? BEFORE_ALL;
      const fetching = this.#fetchAfter(channel.id, earlier(newest, OVERLAP_MS));
      this.#recoveries.add(fetching);
      fetching.finally(() => this.#recoveries.delete(fetching));
    }
  }

  async #fetchAfter(channelId: string, afterId: string): Promise<void> {
    for (let wait = FIRST_RETRY_MS; !this.#stopped; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      try {
        for await (const page of pagesAfter(this.person, channelId, afterId)) {
          for (const message of page.reverse()) this.#take(message, "recovered");
        }
        return;
      } catch {
        // The server may be gone again; the listener retries until it answers.
        await Bun.sleep(wait);
      }
    }
  }

  #startHeartbeat(): void {
    clearInterval(this.#heartbeat);
    this.#answeredPing = true;
    this.#heartbeat = setInterval(() => {
      // A connection can die without a close: one that was silent for a whole interval counts as dead.
      if (!this.#answeredPing) return void this.#socket?.terminate();
      this.#answeredPing = false;
      this.#send("PING", {});
    }, this.#heartbeatMs);
  }

  #send(type: string, data: unknown): void {
    this.#socket?.send(JSON.stringify({ type, data }));
  }

  #lost(code: number, reason: string): void {
    this.#leave();
    this.counts.losses += 1;
    if (code === NOT_AUTHENTICATED || code === SESSION_ENDED) {
      this.#fail(`was closed with ${code} ${reason}`);
      return;
    }
    this.#retry = setTimeout(() => this.#connect(), this.#retryMs * (0.5 + Math.random()));
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }

  #leave(): WebSocket {
    const socket = this.#socket;
    if (socket === undefined) throw new Error(`${this.person.username} has no socket to leave.`);
    this.#socket = undefined;
    this.#connected = false;
    clearInterval(this.#heartbeat);
    return socket;
  }

  #fail(what: string): void {
    this.failure = new Error(`${this.person.username} ${what}`);
  }
}
