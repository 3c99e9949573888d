// The arithmetic of weekly windows in a time zone: whether a moment lies in one, and when that changes next.
import { IANAZone } from "luxon";
import type { Window } from "./contract.ts";

interface WeeklyHours {
  time_zone: string;
  windows: readonly Window[];
}

export interface Reachable {
  now: boolean;
  /** Null: never, because there are no windows or they leave no gap. */
  nextChangeAt: number | null;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/**
 * Days searched for the next change: a weekly pattern has all its changes within a week, and a change of the clocks may
 * skip those of one week.
 */
const daysAhead = 16;

export function reachableAt({ time_zone, windows }: WeeklyHours, at: number): Reachable {
  if (windows.length === 0) return { now: true, nextChangeAt: null };
  const zone = new Clock(time_zone);
  const today = zone.dayOf(at);
  const spans: [from: number, to: number][] = [];
  // From the day before yesterday: a window of yesterday may end today, and the clocks may change at midnight.
  for (let day = today - 2; day <= today + daysAhead; day++) {
    for (const window of windows) {
      if (window.day !== weekday(day)) continue;
      const [start, end] = [minutesOf(window.start), minutesOf(window.end)];
      spans.push([zone.momentOf(day, start), zone.momentOf(end > start ? day : day + 1, end)]);
    }
  }
  const horizon = zone.momentOf(today + daysAhead, 0);
  const [next] = joined(spans).filter(([, to]) => to > at);
  if (!next) return { now: false, nextChangeAt: null };
  const now = next[0] <= at;
  const change = now ? next[1] : next[0];
  return { now, nextChangeAt: change < horizon ? change : null };
}

/** Returns the spans in order, without empty ones, with touching ones joined. */
function joined(spans: readonly [number, number][]): [number, number][] {
  const result: [number, number][] = [];
  for (const [from, to] of spans.filter(([from, to]) => to > from).sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/**
 * The clocks of a time zone. Days are counted from 1 January 1970. A time that a change of the clocks skips stands for
 * the moment of the change; a time that comes twice stands for the first. So a later time on the clock is never an
 * earlier moment, and windows that touch on the clock touch in real time.
 */
class Clock {
  readonly #zone: IANAZone;
  /** Offsets from UTC, in milliseconds, before and after a change of the clocks on a day, by day. */
  readonly #offsets = new Map<number, [before: number, after: number]>();

  constructor(timeZone: string) {
    this.#zone = IANAZone.create(timeZone);
  }

  dayOf(at: number): number {
    return Math.floor((at + this.#offset(at)) / dayMs);
  }

  momentOf(day: number, minutes: number): number {
    const shown = day * dayMs + minutes * minuteMs;
    const [before, after] = this.#offsetsOf(day);
    const first = shown - Math.max(before, after);
    // No change near this day. Looking for one is the expensive part.
    if (before === after) return first;
    if (first + this.#offset(first) === shown) return first;
    // After the change, or skipped by it: searches for the first moment that shows this time or a later one.
    let [low, high] = [first - minuteMs, shown - Math.min(before, after)];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (middle + this.#offset(middle) >= shown) high = middle;
      else low = middle;
    }
    return high;
  }

  #offsetsOf(day: number): [number, number] {
    const known = this.#offsets.get(day);
    if (known) return known;
    // Time zones are at most 14 hours ahead of UTC and 12 behind.
    const start = day * dayMs;
    const offsets: [number, number] = [
      this.#offset(start - 15 * 60 * minuteMs),
      this.#offset(start + dayMs + 13 * 60 * minuteMs),
    ];
    this.#offsets.set(day, offsets);
    return offsets;
  }

  #offset(at: number): number {
    return this.#zone.offset(at) * minuteMs;
  }
}

function weekday(day: number): number {
  // 1 January 1970 was a Thursday.
  return (((day + 4) % 7) + 7) % 7;
}

function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}
