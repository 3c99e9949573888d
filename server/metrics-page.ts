// What /metrics shows, in the Prometheus format. The figures of the process itself are counted from the first look on.
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Metrics, Spread } from "./metrics.ts";

type Labels = Record<string, string | number>;

/** A registry that reads the figures anew at each look. */
export function openRegistry(metrics: Metrics): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: "hearth_", eventLoopMonitoringPrecision: 50 });
  new Gauge({
    name: "hearth_sockets",
    help: "Open gateway sockets",
    registers,
    collect() {
      this.set(metrics.sockets);
    },
  });
  const count = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  count("hearth_deliveries_total", "Frames handed to sockets", () => metrics.deliveries);
  count("hearth_commits_total", "Committed transactions", () => metrics.commits);
  new Counter({
    name: "hearth_http_requests_total",
    help: "Answered requests",
    labelNames: ["operation", "status"] as const,
    registers,
    collect() {
      this.reset();
      for (const [operation, { byStatus }] of metrics.operations)
        for (const [status, answers] of byStatus) this.inc({ operation, status }, answers);
    },
  });
  showSpread(registry, "hearth_rows_per_shared_commit", "Operations that shared one commit", () => [
    [{}, metrics.rowsPerCommit],
  ]);
  showSpread(registry, "hearth_http_request_duration_seconds", "Time from a request to its answer", () =>
    [...metrics.operations].map(([operation, { seconds }]) => [{ operation }, seconds]),
  );
  return registry;
}

/** The library's own histogram counts by itself and can be told no counts; so this is one only by its form. */
function showSpread(registry: Registry, name: string, help: string, series: () => [Labels, Spread][]): void {
  const histogram = { name, help, type: "histogram", aggregator: "sum" };
  const values = () => series().flatMap(([labels, spread]) => valuesOf(name, labels, spread));
  registry.registerMetric({ ...histogram, get: async () => ({ ...histogram, values: values() }) } as never);
}

function valuesOf(name: string, labels: Labels, { bounds, counts, sum }: Spread) {
  let upToHere = 0;
  const buckets = counts.map((here, place) => {
    upToHere += here;
    return {
      metricName: `${name}_bucket`,
      labels: { le: bounds[place] ?? "+Inf", ...labels },
      value: upToHere,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: upToHere },
  ];
}
