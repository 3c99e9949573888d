// Counts and times of answered requests, for /metrics. Adding one up touches two numbers; the library's own series
// hash and check their labels each time, which cost a tenth of a page.
import { Counter, type Registry } from "prom-client";

const boundsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

interface Series {
  byStatus: Map<number, number>;
  /** Answers that took at most the bound of the same place, and longer than the one before; the rest in the last. */
  byBound: number[];
  seconds: number;
}

export class RequestTimes {
  readonly #series = new Map<string, Series>();

  constructor(registry: Registry) {
    const counter = new Counter({
      name: "hearth_http_requests_total",
      help: "Answered requests",
      labelNames: ["operation", "status"] as const,
      registers: [registry],
      collect: () => {
        counter.reset();
        for (const [operation, { byStatus }] of this.#series)
          for (const [status, count] of byStatus) counter.inc({ operation, status }, count);
      },
    });
    const name = "hearth_http_request_duration_seconds";
    const help = "Time from a request to its answer";
    const histogram = { name, help, type: "histogram", aggregator: "sum", reset: () => this.#series.clear() };
    registry.registerMetric({
      ...histogram,
      get: async () => ({ ...histogram, values: this.#values(name) }),
    } as never);
  }

  add(operation: string, status: number, ms: number): void {
    let series = this.#series.get(operation);
    if (!series) {
      series = { byStatus: new Map(), byBound: new Array(boundsS.length + 1).fill(0), seconds: 0 };
      this.#series.set(operation, series);
    }
    const seconds = ms / 1000;
    let place = 0;
    while (place < boundsS.length && seconds > boundsS[place]!) place++;
    series.byBound[place]!++;
    series.seconds += seconds;
    series.byStatus.set(status, (series.byStatus.get(status) ?? 0) + 1);
  }

  #values(name: string): { metricName: string; labels: Record<string, string | number>; value: number }[] {
    return [...this.#series].flatMap(([operation, { byBound, seconds }]) => {
      let count = 0;
      const buckets = byBound.map((here, place) => {
        count += here;
        const labels = { le: boundsS[place] ?? "+Inf", operation };
        return { metricName: `${name}_bucket`, labels, value: count };
      });
      const labels = { operation };
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: seconds },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  }
}
