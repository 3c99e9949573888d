// The text of /metrics, in the format of Prometheus. Measuring the lag of the event loop begins with the first request.
import { readdir } from "node:fs/promises";
import { measureLag } from "../telemetry/event-loop-lag.ts";
import type { Histogram, Metrics } from "../telemetry/metrics.ts";

/** Only names of operations and numbers, which need no escaping. */
type Labels = Record<string, string | number>;
type Sample = [Labels, number];

/** Returns a function that writes the page from the current figures. */
export function openMetricsPage(metrics: Metrics): () => Promise<string> {
  const lagS = measureLag();
  return async () =>
    [
      gauge("sockets", "Open gateway sockets", metrics.sockets),
      gauge("unread_answer_bytes", "Large HTTP answers that are not sent to their end", metrics.unreadBytes),
      counter("deliveries_total", "Frames handed to sockets", metrics.deliveries),
      counter("commits_total", "Committed transactions", metrics.commits),
      family("http_requests_total", "counter", "Answered requests", answersOf(metrics)),
      histogram("rows_per_shared_commit", "Operations that shared one commit", [[{}, metrics.rowsPerCommit]]),
      histogram(
        "http_request_duration_seconds",
        "Time from a request to its answer",
        [...metrics.operations].map(([operation, { seconds }]) => [{ operation }, seconds]),
      ),
      gauge("event_loop_lag_seconds", "Longest delay of the event loop since the last look", lagS()),
      ...(await processFamilies()),
    ].join("");
}

function* answersOf({ operations }: Metrics): Iterable<Sample> {
  for (const [operation, { byStatus }] of operations)
    for (const [status, answers] of byStatus) yield [{ operation, status }, answers];
}

async function processFamilies(): Promise<string[]> {
  const { user, system } = process.cpuUsage();
  const descriptors = await openDescriptors();
  const startedAt = (performance.timeOrigin / 1000).toFixed(3);
  return [
    counter("process_cpu_user_seconds_total", "Processor time of the process itself", user / 1e6),
    counter("process_cpu_system_seconds_total", "Processor time of the kernel for it", system / 1e6),
    counter("process_cpu_seconds_total", "Both together", (user + system) / 1e6),
    gauge("process_resident_memory_bytes", "Memory in use", process.memoryUsage.rss()),
    gauge("process_start_time_seconds", "When it started, since 1970", Number(startedAt)),
    ...(descriptors === undefined
      ? []
      : [gauge("process_open_fds", "Open files and connections", descriptors)]),
  ];
}

/** Undefined where the kernel does not report the number. */
async function openDescriptors(): Promise<number | undefined> {
  try {
    return (await readdir("/proc/self/fd")).length;
  } catch {
    return undefined;
  }
}

function gauge(name: string, help: string, value: number): string {
  return family(name, "gauge", help, [[{}, value]]);
}

function counter(name: string, help: string, value: number): string {
  return family(name, "counter", help, [[{}, value]]);
}

function family(name: string, type: string, help: string, samples: Iterable<Sample>): string {
  let text = heading(name, type, help);
  for (const [labels, value] of samples) text += sample(name, labels, value);
  return text;
}

function histogram(name: string, help: string, series: [Labels, Histogram][]): string {
  let text = heading(name, "histogram", help);
  for (const [labels, { bounds, counts, sum }] of series) {
    let upToHere = 0;
    counts.forEach((here, place) => {
      upToHere += here;
      text += sample(`${name}_bucket`, { ...labels, le: bounds[place] ?? "+Inf" }, upToHere);
    });
    text += sample(`${name}_sum`, labels, sum) + sample(`${name}_count`, labels, upToHere);
  }
  return text;
}

function heading(name: string, type: string, help: string): string {
  return `# HELP hearth_${name} ${help}.\n# TYPE hearth_${name} ${type}\n`;
}

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
  return `hearth_${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}\n`;
}
