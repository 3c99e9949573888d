// URL → operation, by Hono's router: the routes of all features, the pages beside them, and the 404.
import type { ParamIndexMap, ParamStash } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { notFound, Refusal } from "../../protocol/errors.ts";
import { apiPrefix } from "../../protocol/operation.ts";
import { asRefusal } from "../house/as-refusal.ts";
import type { Handler } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import { answer, refusalAnswer } from "./answer.ts";
import type { Facts } from "./arrival.ts";
import { openDispatch } from "./dispatch.ts";
import type { Page } from "./page.ts";
import { pages } from "./pages.ts";

/** Routes match any method, so that the refusal of a wrong one can name the right ones. */
const anyMethod = "ALL";

/** The prefix of the API, in all its versions. */
const apiRoot = "/api";

/** The path parameters in order, as they were sent. */
type Given = readonly string[];

type AnswerAt = (request: Request, facts: Facts, given: Given) => Response | Promise<Response>;

/** Routes a request by the path of its URL; never throws. */
export function openRoutes(
  house: House,
  served: readonly Page[] = pages(house),
): (request: Request, path: string, facts: Facts) => Response | Promise<Response> {
  const router = new RegExpRouter<AnswerAt>();
  const dispatch = openDispatch(house);
  for (const { path, variants } of routesOf(house.features.flatMap((feature) => feature.operations))) {
    router.add(anyMethod, path, (request, facts, given) => {
      const here = variants.filter(({ places }) => fits(places, given));
      const variant = here.find(({ handler }) => handler.operation.method === request.method);
      if (!variant) {
        return refusalAnswer(
          wrongMethod(here.map(({ handler }) => handler.operation.method)),
          facts.requestId,
        );
      }
      const { handler, places } = variant;
      facts.operation = handler.operation.name;
      const params: Record<string, string> = {};
      places.forEach(({ name }, i) => {
        if (name !== undefined) params[name] = decoded(given[i] ?? "");
      });
      return dispatch(handler, facts, request, params);
    });
  }
  for (const page of served) {
    for (const path of page.paths)
      router.add(anyMethod, path, (request, facts) => answerPage(house, page, request, facts));
  }
  const elsewhere = served.find((page) => page.isElsewhere);

  return (request, path, facts) => {
    const [[found], stash] = router.match(anyMethod, path) as [[AnswerAt, ParamIndexMap][], ParamStash];
    if (!found) {
      if (elsewhere && looksForPage(request, path)) return answerPage(house, elsewhere, request, facts);
      return refusalAnswer(notFound(), facts.requestId);
    }
    const [answerHere, indexes] = found;
    const given: string[] = [];
    for (const key in indexes) given[Number(key.slice(1))] = stash[indexes[key] ?? 0] ?? "";
    return answerHere(request, facts, given);
  };
}

async function answerPage(house: House, page: Page, request: Request, facts: Facts): Promise<Response> {
  const isOpen = page.isOpenTo?.(request.headers, facts.clientIp) ?? true;
  if (!isOpen) return refusalAnswer(notFound(), facts.requestId);
  if (request.method !== "GET") return refusalAnswer(wrongMethod(["GET"]), facts.requestId);
  facts.operation = page.name;
  try {
    const { pathname: path } = new URL(request.url);
    const { status, type, body, headers } = await page.answer({ path, headers: request.headers });
    return answer(body, status, facts.requestId, { "Content-Type": type, ...headers });
  } catch (error) {
    return refusalAnswer(asRefusal(house, error, facts.requestId), facts.requestId);
  }
}

/** True if a request may get the page for unused paths: programs do not accept HTML, and the API has no pages. */
function looksForPage({ method, headers }: Request, path: string): boolean {
  if (path === apiRoot || path.startsWith(`${apiRoot}/`)) return false;
  return method === "GET" && (headers.get("accept") ?? "").includes("text/html");
}

/** A parameter that cannot be decoded stays as it is; it will fit no shape. */
function decoded(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * A segment of a path that is a parameter, or a fixed word like `@me` where other routes have a parameter. The router
 * names parameters by number.
 */
interface Place {
  name?: string;
  word?: string;
}

/** The operations whose paths have the same shape. */
interface Route {
  path: string;
  variants: { handler: Handler; places: Place[] }[];
}

// One route for each shape of path, whatever its operations call the parameters: Hono's fast router allows one name per
// segment and no fixed word beside a parameter. A fixed word is tried before a parameter that would match it, too.
function routesOf(handlers: readonly Handler[]): Route[] {
  const routes = new Map<string, Route>();
  for (const handler of handlers) {
    const places: Place[] = [];
    const shape = handler.operation.path.replace(/\{(\w+)\}|@\w+/g, (word, name?: string) => {
      return `:p${places.push(name ? { name } : { word }) - 1}`;
    });
    for (const prefix of handler.operation.atRoot ? [apiPrefix, ""] : [apiPrefix]) {
      const path = prefix + shape;
      const route = routes.get(path) ?? { path, variants: [] };
      if (places.some((place) => place.word)) route.variants.unshift({ handler, places });
      else route.variants.push({ handler, places });
      routes.set(path, route);
    }
  }
  return [...routes.values()];
}

function fits(places: readonly Place[], given: Given): boolean {
  return places.every(({ word }, i) => word === undefined || word === given[i]);
}

function wrongMethod(methods: readonly string[]): Refusal {
  const allow = [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : [])])].join(", ");
  return new Refusal("method_not_allowed", `This address answers ${allow}.`, { allow });
}
