// What /metrics tells, in the Prometheus format.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { RequestTimes } from "./request-times.ts";

export type Metrics = ReturnType<typeof openMetrics>;

export function openMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: "hearth_", eventLoopMonitoringPrecision: 50 });
  return {
    registry,
    requests: new RequestTimes(registry),
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
