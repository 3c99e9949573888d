// Whether the clock of the machine can be believed: by the time that a wrong one tells nothing is deleted.
import { timeText } from "../../protocol/clock.ts";
import type { Database } from "../database/database.ts";
import { keep, kept } from "../database/instance.ts";
import type { Log } from "../telemetry/log.ts";
import { madeAt, newId } from "../tokens.ts";

const hourMs = 3600_000;
/** A clock that is further than this from where it should be is doubted. */
const toleranceMs = 48 * hourMs;
/** After it has run for this long without a leap, it is believed. */
const trialMs = hourMs;

/** A time of the clock (milliseconds since 1970), and what the steady one said then, which nobody sets. */
interface Moment {
  at: number;
  steady: number;
}

/**
 * Compares the clock with when the server was last known to be alive, and while it runs with a steady clock. Three
 * things look the same to it: a clock that is ahead, one that has been set right, and a server that slept for days.
 */
export class Clock {
  readonly #log: Log;
  readonly #read: () => Moment;
  /** The last time that was believed. */
  #believed: Moment;
  #last: Moment;
  /** When the process began, or the clock leaped last, by the steady clock. */
  #runsSince: number;
  #isDoubted = false;

  /** `lastAliveAt`: undefined in a house that is new. */
  constructor(log: Log, lastAliveAt: number | undefined, read = readClocks) {
    this.#log = log;
    this.#read = read;
    this.#last = read();
    this.#runsSince = this.#last.steady;
    this.#believed = { at: lastAliveAt ?? this.#last.at, steady: this.#last.steady };
    this.#look();
  }

  /** False while the clock is doubtfully late: what is old by it may be of yesterday. */
  mayDelete(): boolean {
    return this.#look() <= toleranceMs;
  }

  get isBelieved(): boolean {
    return Math.abs(this.#look()) <= toleranceMs;
  }

  /** Whether a time is days before one that was believed: something then looks older than it is. */
  isBehind(now: number): boolean {
    return now < this.#believed.at - toleranceMs;
  }

  /** How far the clock is ahead of where it should be, in milliseconds; 0 once it is believed. */
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

/** What the server wrote down last of its time and ids. `highestId`: for a database that has been told neither. */
export async function recallTime(
  { read }: Database,
  highestId: string | undefined,
): Promise<{ aliveAt: number | undefined; lastId: string | undefined }> {
  const aliveAt = Number((await kept(read, aliveKey)) ?? (highestId && madeAt(highestId)));
  return { aliveAt: aliveAt || undefined, lastId: await kept(read, idKey) };
}

/** Writes down that the server is alive at this time, if that is believed, and how far its ids have come. */
export async function noteTime(database: Database, clock: Clock): Promise<void> {
  await database.transaction(async (db) => {
    if (clock.isBelieved) await keep(db, aliveKey, String(Date.now()));
    // Also of ids whose things are deleted somebody may still know.
    await keep(db, idKey, newId());
  });
}
