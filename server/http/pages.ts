// The pages beside the API: health, readiness, metrics, documentation, and the web client.
import type { House } from "../house/house.ts";
import { kept } from "../kept.ts";
import { docsPages } from "./docs-pages.ts";
import { mayReadMetrics } from "./metrics-access.ts";
import type { Page, PageAnswer } from "./page.ts";
import { readinessOf, readinessText } from "./readiness.ts";
import { webPages } from "./web-pages.ts";

const text = "text/plain; charset=utf-8";
const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** The metrics are measured at most once in this time, as anybody may request them as often as they like. */
const metricsKeptMs = 1000;

export function pages(house: House): Page[] {
  // Loaded on the first request, which many servers never get.
  let figures: Promise<() => Promise<string>> | undefined;
  // Never cached: a load balancer asks this page whether the server is ready now.
  const look = kept(0, () => readiness(house));
  const measure = kept(metricsKeptMs, async () => {
    figures ??= import("./metrics-page.ts").then(({ openMetricsPage }) => openMetricsPage(house.metrics));
    return (await figures)();
  });
  return [
    {
      name: "health",
      paths: ["/healthz"],
      answer: async () => ({ status: 200, type: text, body: "alive\n" }),
    },
    { name: "readiness", paths: ["/readyz"], answer: look },
    {
      name: "metrics",
      paths: ["/metrics"],
      isOpenTo: (headers, clientIp) => mayReadMetrics(house.config, headers, clientIp),
      answer: async () => ({ status: 200, type: metricsType, body: await measure() }),
    },
    ...docsPages(house),
    ...webPages(house),
  ];
}

async function readiness(house: House): Promise<PageAnswer> {
  const found = await readinessOf(house);
  return { status: found.isReady ? 200 : 503, type: text, body: readinessText(found) };
}
