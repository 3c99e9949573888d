// The counters of the process: plain numbers, because every request and every frame adds to them. The page that shows
// them is loaded with the first request for it.

/** The number of values up to each bound, and their sum. */
export class Histogram {
  readonly bounds: readonly number[];
  /** `counts[i]` values are at most `bounds[i]` and above the bound before; the last count has the rest. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array(bounds.length + 1).fill(0);
  }

  add(value: number): void {
    let place = 0;
    while (place < this.bounds.length && value > this.bounds[place]!) place++;
    this.counts[place]!++;
    this.sum += value;
  }
}

const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

class OperationMetrics {
  readonly byStatus = new Map<number, number>();
  readonly seconds = new Histogram(secondsBounds);
}

export class Metrics {
  /** By the name of the operation. */
  readonly operations = new Map<string, OperationMetrics>();
  readonly rowsPerCommit = new Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256]);
  sockets = 0;
  deliveries = 0;
  commits = 0;
  /** Bytes of large answers that have not been sent completely. */
  unreadBytes = 0;

  answered(operation: string, status: number, ms: number): void {
    let series = this.operations.get(operation);
    if (!series) {
      series = new OperationMetrics();
      this.operations.set(operation, series);
    }
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
    series.seconds.add(ms / 1000);
  }
}
