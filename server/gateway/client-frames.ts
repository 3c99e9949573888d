// The frames of signed-in clients: counted, validated, and handled one after the other.

import { clientFrame } from "../../protocol/client-frames.ts";
import { Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { readAs } from "../../protocol/read-as.ts";
import { asRefusal } from "../house/as-refusal.ts";
import type { FrameHandler } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import { countMembers } from "../json-text.ts";
import { newId } from "../tokens.ts";
import type { Bounds } from "./bounds.ts";
import type { Devices } from "./devices.ts";
import { frameText, type Socket } from "./socket.ts";

/** A parsed frame; `data` is as the client sent it, until it is parsed by its type's schema. */
export interface ClientFrame {
  type: string;
  data?: unknown;
}

/**
 * Returns undefined for a message that is not text or not JSON, and a frame with an empty type for JSON that is not a
 * frame, or has more members than any frame.
 */
export function parseFrame(message: string | Uint8Array): ClientFrame | undefined {
  if (typeof message !== "string") return undefined;
  try {
    if (!isBounded(message)) return { type: "" };
    const frame = clientFrame.safeParse(JSON.parse(message));
    return frame.success ? frame.data : { type: "" };
  } catch {
    return undefined;
  }
}

function isBounded(message: string): boolean {
  try {
    countMembers(message);
    return true;
  } catch {
    return false;
  }
}

export class ClientFrames {
  readonly #house: House;
  readonly #bounds: Bounds;
  readonly #devices: Devices;
  readonly #handlers: Map<string, FrameHandler>;

  constructor(house: House, bounds: Bounds, devices: Devices) {
    this.#house = house;
    this.#bounds = bounds;
    this.#devices = devices;
    const handlers = house.features.flatMap((feature) => feature.frames ?? []);
    this.#handlers = new Map(handlers.map((handler) => [handler.type, handler]));
  }

  /** Counts a frame of the socket, of any type. Returns whether the socket exceeds the limit per minute. */
  isTooFast(socket: Socket): boolean {
    if (!this.#house.config.rateLimits) return false;
    const now = performance.now();
    if (now - socket.framesSince > 60_000) {
      socket.framesSince = now;
      socket.frames = 0;
    }
    return ++socket.frames > limits.frames_per_minute;
  }

  /** True for a frame that says that nobody touches the socket's device. */
  isIdle({ type, data }: ClientFrame): boolean {
    const handler = this.#handlers.get(type);
    if (!handler?.idle) return false;
    const read = readAs(handler.data, data ?? {});
    return read.success && handler.idle(read.data) === true;
  }

  /** Handles a frame in its turn, or refuses it at once. Never throws. */
  async take(socket: Socket, { type, data }: ClientFrame): Promise<void> {
    if (socket.caller && !(await this.#bounds.maySay(socket.caller.userId))) {
      const sentence = "Too many frames over all your connections. Wait a moment.";
      return refuse(socket, new Refusal("rate_limited", sentence));
    }
    return this.#inTurn(socket, type, () => this.#act(socket, type, data));
  }

  /** Frames are handled in order, so that the last one wins; those in a row with `lastHolds` begin at once. */
  #inTurn(socket: Socket, type: string, act: () => Promise<void>): Promise<void> {
    const { row, acting } = socket;
    if (!this.#handlers.get(type)?.lastHolds) {
      socket.row = undefined;
      socket.acting = acting.then(act);
      return socket.acting;
    }
    const after = row?.type === type ? row.after : acting;
    socket.row = { type, after };
    socket.acting = Promise.all([acting, after.then(act)]).then(() => {});
    return socket.acting;
  }

  async #act(socket: Socket, type: string, data: unknown): Promise<void> {
    const { caller } = socket;
    if (type === "PING") return socket.send(frameText("PONG", {}));
    if (!caller) return;
    let isIdle: boolean | undefined;
    try {
      if (type === "AUTH") throw new Refusal("invalid_request", "This socket is signed in already.");
      const handler = this.#handlers.get(type);
      if (!handler) throw new Refusal("invalid_request", "There is no such frame.");
      const read = readAs(handler.data, data ?? {});
      if (!read.success) throw new Refusal("invalid_request", `The data of ${type} has the wrong shape.`);
      isIdle = handler.idle?.(read.data);
      if (isIdle === undefined)
        await this.#house.read((unit) => handler.run(unit, caller, read.data), caller);
    } catch (error) {
      refuse(socket, asRefusal(this.#house, error, newId()));
    }
    if (type !== "AUTH") this.#devices.said(socket, isIdle);
  }
}

function refuse(socket: Socket, refusal: Refusal): void {
  socket.send(frameText("ERROR", { error: refusal.message, code: refusal.code }));
}
