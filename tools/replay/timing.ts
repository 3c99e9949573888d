// Records when each message was posted, and when the last listener received it.

import type { How } from "../client/listener.ts";

interface Times {
  posted: number | undefined;
  lastLive: number;
  live: number;
  last: number;
  heard: number;
}

export interface Percentiles {
  p50: number;
  p99: number;
}

export class Timing {
  readonly #times = new Map<string, Times>();
  deliveries = 0;
  lastDelivery = 0;

  posted(messageId: string, at: number): void {
    this.#of(messageId).posted = at;
  }

  heard(messageId: string, how: How, at: number): void {
    const times = this.#of(messageId);
    this.deliveries += 1;
    this.lastDelivery = at;
    times.heard += 1;
    times.last = at;
    if (how !== "live") return;
    times.live += 1;
    times.lastLive = at;
  }

  /** The time until the last listener that was connected at the time had the message. */
  toLastConnected(): Percentiles {
    return percentiles(
      [...this.#times.values()].flatMap((t) => (t.live === 0 ? [] : since(t.posted, t.lastLive))),
    );
  }

  /** The time until the last of all listeners had it, including the time that cut ones were disconnected. */
  toLastOfAll(): Percentiles {
    return percentiles(
      [...this.#times.values()].flatMap((t) => (t.heard === 0 ? [] : since(t.posted, t.last))),
    );
  }

  #of(messageId: string): Times {
    let times = this.#times.get(messageId);
    if (times === undefined) {
      times = { posted: undefined, lastLive: 0, live: 0, last: 0, heard: 0 };
      this.#times.set(messageId, times);
    }
    return times;
  }
}

function since(posted: number | undefined, at: number): number[] {
  return posted === undefined ? [] : [at - posted];
}

function percentiles(values: number[]): Percentiles {
  const sorted = values.sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
