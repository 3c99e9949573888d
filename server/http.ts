// URL → operation, on Hono: routes, aliases, what is not found; and one log line and one measurement a request.
import { Hono } from "hono";
import { notFound, Refusal } from "../protocol/errors.ts";
import { answer, refusalAnswer } from "./answer.ts";
import type { ClientIp } from "./client-ip.ts";
import { asRefusal, dispatch } from "./dispatch.ts";
import type { Handler } from "./feature.ts";
import type { House } from "./house.ts";
import { Limiter } from "./limiter.ts";
import { withoutSecrets } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { pages } from "./pages.ts";
import { newId } from "./tokens.ts";

export const apiPrefix = "/api/v1";

/** What is known of a request before its route, and the operation it turned out to be. */
interface Facts {
  requestId: string;
  clientIp: string;
  operation: string;
}

type Fetch = (request: Request, socketAddress: string) => Promise<Response>;

/** The whole HTTP side as one function; it needs no port. */
export function openHttp(house: House, clientIp: ClientIp): Fetch {
  const app = new Hono<{ Bindings: Facts }>();
  const limiter = new Limiter({ ...house.config.rates });

  for (const { path, variants } of routesOf(house.features.flatMap((feature) => feature.operations))) {
    app.all(path, (c) => {
      const { requestId, clientIp } = c.env;
      const method = c.req.method === "HEAD" ? "GET" : c.req.method;
      const given = c.req.param() as Record<string, string>;
      // By name: the router hands the parameters out in an order of its own.
      const values = Object.keys(given).map((_, i) => given[`p${i + 1}`]);
      const here = variants.filter((each) =>
        each.places.every((place, i) => place.word === undefined || place.word === values[i]),
      );
      const found = here.find((each) => each.handler.operation.method === method);
      if (!found)
        return refusalAnswer(
          wrongMethod([...new Set(here.map((each) => each.handler.operation.method))]),
          requestId,
        );
      c.env.operation = found.handler.operation.name;
      const params: Record<string, string> = {};
      found.places.forEach(({ name }, i) => {
        if (name) params[name] = values[i] ?? "";
      });
      return dispatch(house, limiter, found.handler, { request: c.req.raw, requestId, clientIp, params });
    });
  }
  for (const page of pages(house)) {
    for (const path of page.paths) {
      app.all(path, async (c) => {
        if (!["GET", "HEAD"].includes(c.req.method))
          return refusalAnswer(wrongMethod(["GET"]), c.env.requestId);
        c.env.operation = page.name;
        const { status, type, body, headers } = await page.answer();
        return answer(body, status, c.env.requestId, { "Content-Type": type, ...headers });
      });
    }
  }
  app.notFound((c) => refusalAnswer(notFound(), c.env.requestId));
  app.onError((error, c) => refusalAnswer(asRefusal(house, error, c.env.requestId), c.env.requestId));

  const measure = measurer(house.metrics);
  return async (request, socketAddress) => {
    const started = performance.now();
    const facts: Facts = {
      requestId: newId(),
      clientIp: clientIp(socketAddress, request.headers.get("x-forwarded-for")),
      operation: "none",
    };
    const response = await app.fetch(request, facts);
    const ms = performance.now() - started;
    measure(facts.operation, response.status, ms);
    house.logRequest({
      request_id: facts.requestId,
      method: request.method,
      path: withoutSecrets(pathOf(request.url)),
      status: response.status,
      ms: Math.round(ms * 1000) / 1000,
      ip: facts.clientIp,
    });
    return response;
  };
}

/** The operations behind one shape of path. A place of it holds a parameter, or a word like `@me` that reads as one. */
interface Route {
  path: string;
  variants: { handler: Handler; places: { name?: string; word?: string }[] }[];
}

// One route a shape, whatever its operations call the parameters: Hono's fast router wants one name a place and no
// word beside a parameter. A word goes before the parameter that would take it too.
function routesOf(handlers: readonly Handler[]): Route[] {
  const routes = new Map<string, Route>();
  for (const handler of handlers) {
    const places: { name?: string; word?: string }[] = [];
    const shape = handler.operation.path.replace(/\{(\w+)\}|@\w+/g, (word, name?: string) => {
      places.push(name ? { name } : { word });
      return `:p${places.length}`;
    });
    const path = apiPrefix + shape;
    const route = routes.get(path) ?? { path, variants: [] };
    if (places.some((place) => place.word)) route.variants.unshift({ handler, places });
    else route.variants.push({ handler, places });
    routes.set(path, route);
  }
  return [...routes.values()];
}

/** Counts and times answers; the series of each operation is looked up once. */
function measurer({ requests, latency }: Metrics): (operation: string, status: number, ms: number) => void {
  const counters = new Map<string, { inc(): void }>();
  const timers = new Map<string, { observe(seconds: number): void }>();
  return (operation, status, ms) => {
    const key = `${operation} ${status}`;
    const counter = counters.get(key) ?? requests.labels({ operation, status });
    counters.set(key, counter);
    counter.inc();
    const timer = timers.get(operation) ?? latency.labels({ operation });
    timers.set(operation, timer);
    timer.observe(ms / 1000);
  };
}

function wrongMethod(methods: readonly string[]): Refusal {
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].join(", ");
  return new Refusal("method_not_allowed", `This address answers ${allow}.`, { allow });
}

/** The path alone: queries may hold what a log should not. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : end);
}
