// Repeats an act at a fixed interval, and measures how long each took from the moment when it was due.

export interface Waits {
  count: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

export interface Habit {
  everyMs: number;
  /** Acts once. Throws on failure. */
  act(): Promise<void>;
}

/** How long an answer may take beyond the measured time, in milliseconds. */
const patienceMs = 10_000;

export class Waiting {
  readonly #waits: number[] = [];
  readonly lost: Record<string, number>;

  /** `lost` counts failures by reason. */
  constructor(lost: Record<string, number>) {
    this.lost = lost;
  }

  /**
   * Repeats the act until `until`. Acts that come due while one is running are not begun, but each counts as a wait
   * since its own due time: that is the latency that independent people would see.
   */
  async keep({ everyMs, act }: Habit, begin: number, until: number): Promise<void> {
    for (let due = begin; due < until; ) {
      await Bun.sleep(Math.max(0, due - performance.now()));
      const failure = await failureOf(act(), until + patienceMs - performance.now());
      const now = performance.now();
      if (failure) this.lost[failure] = (this.lost[failure] ?? 0) + 1;
      for (const end = Math.min(now, until); due <= end; due += everyMs) this.#waits.push(now - due);
    }
  }

  result(): Waits {
    return waitsOf(this.#waits);
  }
}

export function waitsOf(times: readonly number[]): Waits {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

async function failureOf(work: Promise<void>, patience: number): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve("no answer"), Math.max(0, patience));
  const failure = work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  try {
    return await Promise.race([failure, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
