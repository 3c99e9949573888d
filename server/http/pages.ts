// The pages beside the interface: health, readiness, metrics, the description, and the front page.

import { apiPrefix } from "../../protocol/operation.ts";
import type { Data } from "../blobs/blobs.ts";
import { StorageFault } from "../database/write-gate.ts";
import { deadline } from "../deadline.ts";
import type { DocsPage } from "../docs/page.ts";
import type { House } from "../house/house.ts";
import { kept } from "../kept.ts";
import { mayReadMetrics } from "./metrics-access.ts";

/** What a page is asked: which of its paths, and by headers what the caller takes and what it keeps already. */
export interface PageRequest {
  path: string;
  headers: Headers;
}

/** Text, or bytes as a blob, of which all who read them slowly share one; null with a status that has no body. */
export interface PageAnswer {
  status: number;
  /** The media type. */
  type: string;
  body: Data | null;
  /** In place of what every answer says: a policy of its own, how long it is kept; and others, an encoding for example. */
  headers?: Readonly<Record<string, string>>;
}

export interface Page {
  name: string;
  /** `/assets/*` is that and whatever lies below. */
  paths: readonly string[];
  /** Browsers that look for a page, at a path that is nobody's outside of the interface, get this one. */
  isElsewhere?: boolean;
  /** Whether this caller may see the page; others get a 404. Without it anybody may. */
  isOpenTo?(headers: Headers, clientIp: () => string): boolean;
  answer(asked: PageRequest): Promise<PageAnswer>;
}

const text = "text/plain; charset=utf-8";
const metricsType = "text/plain; version=0.0.4; charset=utf-8";
const html = "text/html; charset=utf-8";

/** The metrics are measured at most once in this time, as anybody may ask for them as often as they like. */
const metricsKeptMs = 1000;

export function pages(house: House): Page[] {
  // Loaded and made when somebody asks for them, which on most servers nobody does.
  let description: Promise<Blob> | undefined;
  let page: Promise<DocsPage> | undefined;
  let figures: Promise<() => Promise<string>> | undefined;
  const describe = () =>
    (description ??= import("../docs/swagger.ts").then(
      ({ swagger }) => new Blob([JSON.stringify(swagger(house))]),
    ));
  const show = () => (page ??= import("../docs/page.ts").then(({ docsPage }) => docsPage(house)));
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
    {
      name: "description",
      paths: ["/docs/swagger.json", `${apiPrefix}/docs/swagger.json`],
      answer: async () => ({ status: 200, type: "application/json; charset=utf-8", body: await describe() }),
    },
    {
      name: "docs",
      paths: ["/docs/", `${apiPrefix}/docs/`],
      answer: async () => {
        const { body, stylePolicy } = await show();
        return { status: 200, type: html, body, headers: { "Content-Security-Policy": stylePolicy } };
      },
    },
    {
      name: "docs",
      paths: ["/docs", `${apiPrefix}/docs`],
      // A relative link, because the page may be served below another folder.
      answer: async () => ({ status: 308, type: text, body: "docs/\n", headers: { Location: "docs/" } }),
    },
    {
      name: "front",
      paths: ["/"],
      answer: async () => ({ status: 200, type: html, body: front }),
    },
  ];
}

/** A folder on a network disk may not answer for hours. */
const inTime = deadline(5000, () => new StorageFault("the disk does not answer"));

async function readiness(house: House): Promise<PageAnswer> {
  try {
    await inTime(house.database.ping());
    await inTime(house.blobs.ping());
    return { status: 200, type: text, body: "ready\n" };
  } catch (error) {
    const sentence = error instanceof StorageFault ? error.message : "the database does not answer";
    return { status: 503, type: text, body: `${sentence}\n` };
  }
}

const front = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Hearth</title>
<h1>Hearth is running</h1>
<p>This server speaks HTTP under <code>${apiPrefix}</code> and WebSocket at <code>/ws</code>.
Its description is at <a href="/docs/">/docs/</a>.</p></html>
`;
