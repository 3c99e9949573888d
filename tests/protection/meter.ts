// Measures the cost of calls: the processor time of the server's event loop, which the kernel counts in nanoseconds.
import { processorMs } from "../house/machine/processor.ts";

/** How many plain calls one call may cost: some milliseconds, and several times the cost of the most expensive call. */
const mostPlainCalls = 75;

interface Cost {
  title: string;
  ms: number;
}

export class Meter {
  readonly #pid: number;
  readonly #url: string;
  readonly #plain: number[] = [];
  readonly costs: Cost[] = [];

  constructor(pid: number, url: string) {
    this.#pid = pid;
    this.#url = url;
  }

  /** Takes the cheapest of up to three runs of a call that is near the bound: one-time loading does not count. */
  async measure(title: string, call: () => Promise<unknown>): Promise<void> {
    let ms = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 3; i++) {
      ms = Math.min(ms, await this.#msOf(call));
      if (this.ratio(ms) < mostPlainCalls / 2) break;
    }
    this.costs.push({ title, ms });
  }

  /** Measures a plain call to compare with, five times, because the machine is not always equally fast. */
  async measurePlain(call: () => Promise<unknown>): Promise<void> {
    for (let i = 0; i < 5; i++) this.#plain.push(await this.#msOf(call));
  }

  get plainMs(): number {
    return (
      this.#plain.toSorted((one, other) => one - other)[Math.floor(this.#plain.length / 2)] ?? Number.NaN
    );
  }

  /** Table lines of the most expensive calls, the most expensive first, with how many plain calls they cost. */
  worst(count: number): string[] {
    return this.costs
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, count)
      .map(
        ({ title, ms }) =>
          `${this.ratio(ms).toFixed(1).padStart(7)}  ${ms.toFixed(2).padStart(6)} ms  ${title}`,
      );
  }

  ratio(ms: number): number {
    return ms / this.plainMs;
  }

  async #msOf(call: () => Promise<unknown>): Promise<number> {
    const before = processorMs(this.#pid);
    await call();
    // Work after the answer counts as well.
    await (await fetch(`${this.#url}/healthz`)).text();
    return processorMs(this.#pid) - before;
  }
}

/** Fails if a call since the index `from` is beyond the bound, and lists the most expensive calls so far. */
export function expectWithinBounds(meter: Meter, from: number): void {
  const beyond = meter.costs.slice(from).filter(({ ms }) => !(meter.ratio(ms) <= mostPlainCalls));

  if (beyond.length === 0) return;
  const heading = `plain calls (of ${meter.plainMs.toFixed(3)} ms) that one call costs, at most ${mostPlainCalls}:`;
  throw new Error([heading, ...meter.worst(25)].join("\n"));
}
