// URL → operation, on Hono: the routes of all features, the pages beside them, and what is not found.
import { Hono } from "hono";
import { notFound, Refusal } from "../protocol/errors.ts";
import { answer, refusalAnswer } from "./answer.ts";
import { asRefusal, dispatch } from "./dispatch.ts";
import type { Handler } from "./feature.ts";
import type { House } from "./house.ts";
import { Limiter } from "./limiter.ts";
import { pages } from "./pages.ts";

export const apiPrefix = "/api/v1";

/** What is known of a request before its route, and the operation it turns out to be. */
export interface Facts {
  requestId: string;
  clientIp(): string;
  operation: string;
}

/** Answers a request by its route. */
export function openRoutes(house: House): (request: Request, facts: Facts) => Response | Promise<Response> {
  const app = new Hono<{ Bindings: Facts }>();
  const limiter = new Limiter({ ...house.config.rates });

  for (const { path, variants } of routesOf(house.features.flatMap((feature) => feature.operations))) {
    app.all(path, (c) => {
      const { env } = c;
      const { method } = c.req;
      const given = c.req.param() as Record<string, string>;
      for (const { handler, places } of variants) {
        if (handler.operation.method !== method || !fits(places, given)) continue;
        env.operation = handler.operation.name;
        const params: Record<string, string> = {};
        for (const { name, key } of places) if (name) params[name] = given[key] ?? "";
        return dispatch(house, limiter, handler, env, c.req.raw, params);
      }
      const here = variants.filter(({ places }) => fits(places, given));
      return refusalAnswer(wrongMethod(here.map(({ handler }) => handler.operation.method)), env.requestId);
    });
  }
  for (const page of pages(house)) {
    for (const path of page.paths) {
      app.all(path, async (c) => {
        if (c.req.method !== "GET") return refusalAnswer(wrongMethod(["GET"]), c.env.requestId);
        c.env.operation = page.name;
        const { status, type, body, headers } = await page.answer();
        return answer(body, status, c.env.requestId, { "Content-Type": type, ...headers });
      });
    }
  }
  app.notFound((c) => refusalAnswer(notFound(), c.env.requestId));
  app.onError((error, c) => refusalAnswer(asRefusal(house, error, c.env.requestId), c.env.requestId));
  return (request, facts) => app.fetch(request, facts);
}

/** A place of a path holds a parameter, or a word like `@me` that reads as one; `key` is the router's name for it. */
interface Place {
  key: string;
  name?: string;
  word?: string;
}

/** The operations behind one shape of path. */
interface Route {
  path: string;
  variants: { handler: Handler; places: Place[] }[];
}

// One route a shape, whatever its operations call the parameters: Hono's fast router wants one name a place and no
// word beside a parameter. A word goes before the parameter that would take it too.
function routesOf(handlers: readonly Handler[]): Route[] {
  const routes = new Map<string, Route>();
  for (const handler of handlers) {
    const places: Place[] = [];
    const shape = handler.operation.path.replace(/\{(\w+)\}|@\w+/g, (word, name?: string) => {
      const key = `p${places.length}`;
      places.push(name ? { key, name } : { key, word });
      return `:${key}`;
    });
    const path = apiPrefix + shape;
    const route = routes.get(path) ?? { path, variants: [] };
    if (places.some((place) => place.word)) route.variants.unshift({ handler, places });
    else route.variants.push({ handler, places });
    routes.set(path, route);
  }
  return [...routes.values()];
}

function fits(places: readonly Place[], given: Readonly<Record<string, string>>): boolean {
  for (const { key, word } of places) if (word !== undefined && word !== given[key]) return false;
  return true;
}

function wrongMethod(methods: readonly string[]): Refusal {
  const allow = [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : [])])].join(", ");
  return new Refusal("method_not_allowed", `This address answers ${allow}.`, { allow });
}
