// URL → operation, on Hono: routes, aliases, what is not found; and one log line and one measurement a request.
import { Hono } from "hono";
import { notFound, Refusal } from "../protocol/errors.ts";
import { headersFor, refusalAnswer } from "./answer.ts";
import type { ClientIp } from "./client-ip.ts";
import { asRefusal, dispatch } from "./dispatch.ts";
import type { Handler } from "./feature.ts";
import type { House } from "./house.ts";
import { Limiter } from "./limiter.ts";
import { withoutSecrets } from "./log.ts";
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
  const handlers = house.features.flatMap((feature) => feature.operations);

  for (const handler of handlers) {
    const { method, path, name } = handler.operation;
    app.on(method, apiPrefix + honoPath(path), (c) => {
      c.env.operation = name;
      return dispatch(house, limiter, handler, { request: c.req.raw, params: c.req.param(), ...c.env });
    });
  }
  for (const [path, methods] of methodsByPath(handlers)) {
    app.all(apiPrefix + honoPath(path), (c) => refusalAnswer(wrongMethod(methods), c.env.requestId));
  }
  for (const page of pages(house)) {
    for (const path of page.paths) {
      app.get(path, async (c) => {
        c.env.operation = page.name;
        const { status, type, body, headers } = await page.answer();
        return new Response(body, { status, headers: { ...headersFor(c.env.requestId, type), ...headers } });
      });
      app.all(path, (c) => refusalAnswer(wrongMethod(["GET"]), c.env.requestId));
    }
  }
  app.notFound((c) => refusalAnswer(notFound(), c.env.requestId));
  app.onError((error, c) => refusalAnswer(asRefusal(house, error, c.env.requestId), c.env.requestId));

  const { log, metrics } = house;
  return async (request, socketAddress) => {
    const started = performance.now();
    const facts: Facts = {
      requestId: newId(),
      clientIp: clientIp(socketAddress, request.headers.get("x-forwarded-for")),
      operation: "none",
    };
    const response = await app.fetch(request, facts);
    const ms = performance.now() - started;
    metrics.requests.inc({ operation: facts.operation, status: response.status });
    metrics.latency.observe({ operation: facts.operation }, ms / 1000);
    log.info({
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

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function methodsByPath(handlers: readonly Handler[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { operation } of handlers) {
    const shape = operation.path.replace(/\{\w+\}/g, "{}");
    byPath.set(shape, [...(byPath.get(shape) ?? []), operation.method]);
  }
  return new Map([...byPath].map(([shape, methods]) => [shape.replaceAll("{}", "{any}"), methods]));
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
