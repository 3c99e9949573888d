// Gateway sockets that check every numbered event: none missing, none twice, none different for anyone.
import type { Listeners, Target } from "./jobs.ts";
import { createOutcome } from "./outcome.ts";
import { openWebSocket, type WebSocketConnection } from "./websocket-reader.ts";

export interface ListenerGroup {
  /** The number of the last event before the sockets were opened. */
  firstNumber: number;
  /** Deliveries checked so far. */
  deliveries(): number;
  /** Registers a callback for the moment when all sockets have received event `number`. */
  onHeardByAll(callback: (number: number) => void): void;
  /** Waits until every socket has received event `number`, and nothing after it; anything else is a failure. */
  heardByAll(number: number): Promise<void>;
  lastFrame(): string;
  sockets: WebSocketConnection[];
  close(): void;
}

export interface Frame {
  type: string;
  seq?: number;
  /** `@me` for an event of the person's own stream, which is numbered separately. */
  stream?: string;
  data: Record<string, unknown>;
}

interface Ready {
  servers?: { id: string; seq: number }[];
  personal?: { seq: number };
}

/** Callbacks of a workload about each socket, besides the checks of numbers made here. */
interface Ears {
  /** Socket `index` received a numbered event of the server. */
  onEvent?(index: number, frame: Frame): void;
  /** Socket `index` received an event of its person's own stream. */
  onPersonal?(index: number, frame: Frame): void;
}

/** An event that has not been delivered to every socket yet. */
interface Event {
  bytes: Buffer;
  frame: Frame;
  heardBy: number;
}

const connectingAtOnce = 32;
const patienceMs = 15_000;

export async function openListeners(
  called: Target,
  { path, serverId, tokens, sockets: count, mayMiss = false, at: target = called }: Listeners,
  onFailure: (reason: string) => void,
  { onEvent, onPersonal }: Ears = {},
): Promise<ListenerGroup> {
  const opening = createOutcome();
  const events = new Map<number, Event>();
  const sockets: WebSocketConnection[] = [];
  let firstNumber = -1;
  let deliveries = 0;
  let last: Buffer = Buffer.alloc(0);
  let notify: (number: number) => void = () => {};

  function fail(reason: string): void {
    opening.fail(reason);
    onFailure(reason);
  }

  function listen(index: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let next = -1;
    let nextPersonal = -1;

    /**
     * The first socket to receive an event parses its number; the others must receive identical bytes. Comparing bytes
     * is much cheaper than parsing, and proves more.
     */
    function onText(bytes: Buffer, start: number, end: number): void {
      const known = events.get(next);
      if (known && sameBytes(known.bytes, bytes, start, end)) {
        heard(known);
        return;
      }
      const frame = JSON.parse(bytes.toString("utf8", start, end)) as Frame;
      if (frame.type === "READY") {
        const { servers, personal } = frame.data as Ready;
        next = 1 + (servers?.find((server) => server.id === serverId)?.seq ?? Number.NaN);
        nextPersonal = 1 + (personal?.seq ?? Number.NaN);
        if (firstNumber < 0) firstNumber = next - 1;
        if (next !== firstNumber + 1) fail(`socket ${index} starts at ${next}, not ${firstNumber + 1}`);
        resolve();
      } else if (frame.type === "ERROR") {
        fail(`socket ${index}: ${bytes.toString("utf8", start, end)}`);
      } else if (frame.seq === undefined) {
        // A live event, like a partner's presence, has no number that could be checked.
      } else if (frame.stream === "@me") {
        if (frame.seq !== nextPersonal)
          fail(`socket ${index} heard its own event ${frame.seq}, not ${nextPersonal}`);
        nextPersonal++;
        onPersonal?.(index, frame);
      } else {
        if (mayMiss) next = Math.max(next, frame.seq);
        if (frame.seq !== next) fail(`socket ${index} heard event ${frame.seq} where ${next} was due`);
        else if (known && known === events.get(next))
          fail(`event ${next} reached socket ${index} with other bytes`);
        else {
          last = Buffer.from(bytes.subarray(start, end));
          const event = { bytes: last, frame, heardBy: 0 };
          events.set(next, event);
          heard(event);
        }
      }
    }

    function heard(event: Event): void {
      deliveries++;
      event.heardBy++;
      onEvent?.(index, event.frame);
      const number = next++;
      if (event.heardBy < count) return;
      events.delete(number);
      notify(number);
    }

    openWebSocket(target.host, target.port, path, {
      onText,
      onClose: (reason) => fail(`socket ${index}: ${reason}`),
    }).then(
      (socket) => {
        sockets.push(socket);
        const token = tokens[index % tokens.length];
        socket.send(JSON.stringify({ type: "AUTH", data: { token } }));
      },
      (error: unknown) => fail(`socket ${index}: ${error}`),
    );
    return promise;
  }

  let opened = 0;
  Promise.all(
    Array.from({ length: connectingAtOnce }, async () => {
      while (opened < count) await listen(opened++);
    }),
  ).then(opening.succeed);
  await opening.settled(() => opened);

  return {
    firstNumber,
    sockets,
    deliveries: () => deliveries,
    lastFrame: () => last.toString("utf8"),
    onHeardByAll: (callback) => {
      notify = callback;
    },
    heardByAll: async (number) => {
      const due = (number - firstNumber) * count;
      const deadline = performance.now() + patienceMs;
      while (deliveries < due && performance.now() < deadline) await Bun.sleep(5);
      // Nothing else may arrive in a short while after that.
      await Bun.sleep(50);
      if (deliveries !== due) onFailure(`${due} deliveries were due, ${deliveries} came`);
    },
    close: () => {
      for (const socket of sockets) socket.close();
    },
  };
}

function sameBytes(known: Buffer, bytes: Buffer, start: number, end: number): boolean {
  return end - start === known.length && known.compare(bytes, start, end) === 0;
}
