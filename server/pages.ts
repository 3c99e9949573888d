// The pages beside the interface: health, readiness, metrics, the description, and the front door.

import { docsPage } from "./docs-page.ts";
import { stylePolicy } from "./docs-style.ts";
import type { House } from "./house.ts";
import { apiPrefix } from "./routes.ts";
import { swagger } from "./swagger.ts";

export interface Page {
  name: string;
  paths: string[];
  answer(): Promise<{ status: number; type: string; body: string; headers?: Record<string, string> }>;
}

const text = "text/plain; charset=utf-8";
const html = "text/html; charset=utf-8";

export function pages(house: House): Page[] {
  let description: string | undefined;
  let page: string | undefined;
  const describe = () => (description ??= JSON.stringify(swagger(house)));
  const show = () => (page ??= docsPage(house));
  return [
    {
      name: "health",
      paths: ["/healthz"],
      answer: async () => ({ status: 200, type: text, body: "alive\n" }),
    },
    { name: "readiness", paths: ["/readyz"], answer: () => readiness(house) },
    {
      name: "metrics",
      paths: ["/metrics"],
      answer: async () => ({
        status: 200,
        type: house.metrics.registry.contentType,
        body: await house.metrics.registry.metrics(),
      }),
    },
    {
      name: "description",
      paths: ["/docs/swagger.json", `${apiPrefix}/docs/swagger.json`],
      answer: async () => ({ status: 200, type: "application/json; charset=utf-8", body: describe() }),
    },
    {
      name: "docs",
      paths: ["/docs/", `${apiPrefix}/docs/`],
      answer: async () => ({
        status: 200,
        type: html,
        body: show(),
        headers: { "Content-Security-Policy": stylePolicy },
      }),
    },
    {
      name: "docs",
      paths: ["/docs", `${apiPrefix}/docs`],
      // Links on the page are relative to its folder, wherever that is.
      answer: async () => ({ status: 308, type: text, body: "docs/\n", headers: { Location: "docs/" } }),
    },
    {
      name: "front",
      paths: ["/"],
      answer: async () => ({ status: 200, type: html, body: front }),
    },
  ];
}

async function readiness(house: House) {
  try {
    await house.database.ping();
    return { status: 200, type: text, body: "ready\n" };
  } catch {
    return { status: 503, type: text, body: "the database does not answer\n" };
  }
}

const front = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Hearth</title>
<h1>Hearth is running</h1>
<p>This server speaks HTTP under <code>/api/v1</code> and WebSocket at <code>/ws</code>.
Its description is at <a href="/docs/">/docs/</a>.</p></html>
`;
