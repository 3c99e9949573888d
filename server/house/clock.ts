// Decides whether the machine's clock can be trusted: with a doubtful clock nothing is deleted.
import { timeText } from "../../protocol/clock.ts";
import type { Database } from "../database/database.ts";
import { keep, kept } from "../database/instance.ts";
import type { Log } from "../telemetry/log.ts";
import { madeAt, newId } from "../tokens.ts";

const hourMs = 3600_000;
/** A clock that is further than this from the expected time is doubted. */
const toleranceMs = 48 * hourMs;
/** A doubted clock that has run for this long without a jump is trusted. */
const trialMs = hourMs;

/** A time of the machine's clock (milliseconds since 1970), and of the monotonic clock, which nobody can set. */
interface Moment {
  at: number;
  steady: number;
}

/**
 * Compares the machine's clock with the time at which the server was last known to be alive, and while it runs with the
 * monotonic clock. Three cases look the same to it: a clock that is ahead, a clock that was set right, and a server
 * that slept for days.
 */
export class Clock {
  readonly #log: Log;
  readonly #read: () => Moment;
  /** The last moment whose time was trusted. */
  #believed: Moment;
  #last: Moment;
  /** When the process began, or the machine's clock last jumped, by the monotonic clock. */
  #runsSince: number;
  #isDoubted = false;

  /** `lastAliveAt`: in milliseconds since 1970; undefined on a new database. */
  constructor(log: Log, lastAliveAt: number | undefined, read = readClocks) {
    this.#log = log;
    this.#read = read;
    this.#last = read();
    this.#runsSince = this.#last.steady;
    this.#believed = { at: lastAliveAt ?? this.#last.at, steady: this.#last.steady };
    this.#look();
  }

  /** Returns false while the clock seems days ahead: by it, rows of yesterday look old enough to be deleted. */
  mayDelete(): boolean {
    return this.#look() <= toleranceMs;
  }

  get isBelieved(): boolean {
    return Math.abs(this.#look()) <= toleranceMs;
  }

  /**
   * Returns whether `now` (milliseconds since 1970) is days before a trusted time: a row with such a time looks older
   * than it is.
   */
  isBehind(now: number): boolean {
    return now < this.#believed.at - toleranceMs;
  }

  /** Returns how far the clock is ahead of the expected time, in milliseconds; 0 once it is trusted. */
  #look(): number {
    const now = this.#read();
    if (Math.abs(ahead(now, this.#last)) > toleranceMs) this.#runsSince = now.steady;
    this.#last = now;
    const off = ahead(now, this.#believed);
    if (Math.abs(off) > toleranceMs && now.steady - this.#runsSince < trialMs) {
      this.#doubt(now, off);
      return off;
    }
    this.#believed = now;
    if (this.#isDoubted) this.#log.warn({ clock: timeText(now.at) }, "the clock is believed from now on");
    this.#isDoubted = false;
    return 0;
  }

  #doubt(now: Moment, off: number): void {
    if (this.#isDoubted) return;
    this.#isDoubted = true;
    this.#log.warn(
      { clock: timeText(now.at), expected: timeText(now.at - off) },
      off > 0
        ? "the clock is days past the last time that this server was alive: nothing is deleted for its age until it has run for an hour"
        : "the clock is days before the last time that this server was alive: is it right?",
    );
  }
}

function ahead(now: Moment, then: Moment): number {
  return now.at - then.at - (now.steady - then.steady);
}

function readClocks(): Moment {
  return { at: Date.now(), steady: performance.now() };
}

const aliveKey = "alive_at";
const idKey = "last_id";

/** Returns the time and id that the server recorded last. `highestId` dates a database without a time. */
export async function recallTime(
  { read }: Database,
  highestId: string | undefined,
): Promise<{ aliveAt: number | undefined; lastId: string | undefined }> {
  const aliveAt = Number((await kept(read, aliveKey)) ?? (highestId && madeAt(highestId)));
  return { aliveAt: aliveAt || undefined, lastId: await kept(read, idKey) };
}

/** Records the current time, if the clock is trusted, and the highest id so far. */
export async function noteTime(database: Database, clock: Clock): Promise<void> {
  await database.transaction(async (db) => {
    if (clock.isBelieved) await keep(db, aliveKey, String(Date.now()));
    // Clients may still know the ids of deleted rows, so new ids must rise above every id ever made, not only above the
    // stored ones.
    await keep(db, idKey, newId());
  });
}
