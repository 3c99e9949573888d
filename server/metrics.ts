// What /metrics tells, in the Prometheus format.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = ReturnType<typeof openMetrics>;

export function openMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: "hearth_", eventLoopMonitoringPrecision: 50 });
  return {
    registry,
    requests: new Counter({
      name: "hearth_http_requests_total",
      help: "Answered requests",
      labelNames: ["operation", "status"] as const,
      registers,
    }),
    latency: new Histogram({
      name: "hearth_http_request_duration_seconds",
      help: "Time from a request to its answer",
      labelNames: ["operation"] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    sockets: new Gauge({ name: "hearth_sockets", help: "Open gateway sockets", registers }),
    deliveries: new Counter({
      name: "hearth_deliveries_total",
      help: "Frames handed to sockets",
      registers,
    }),
    commits: new Counter({
      name: "hearth_commits_total",
      help: "Committed transactions that changed something",
      registers,
    }),
    rowsPerCommit: new Histogram({
      name: "hearth_rows_per_shared_commit",
      help: "Operations that shared one commit",
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
  };
}
