// From a routed request to an answer: rate, origin, who, shape, then the handler in its lane. In this order, for all.
import type { z } from "zod";
import { type FieldProblem, notFound, Refusal } from "../protocol/errors.ts";
import type { Operation } from "../protocol/operation.ts";
import { readAs } from "../protocol/read-as.ts";
import { answer, jsonAnswer, refusalAnswer } from "./answer.ts";
import { readJson } from "./body.ts";
import { rateKey } from "./client-ip.ts";
import type { Call, Caller, Handler, RequestFacts } from "./feature.ts";
import type { House } from "./house.ts";
import type { Limiter, Taken } from "./limiter.ts";
import { isTrustedOrigin } from "./origin.ts";
import { Content, Json, Reply } from "./reply.ts";
import type { Facts } from "./routes.ts";
import { callerOf, unauthenticated } from "./who.ts";

/** What is longer names nothing, and would be kept as the name of a bucket. */
const idLength = 36;
/** A body may take its time. After this much of it, whoever sent it may have been signed out meanwhile. */
const soonMs = 50;

const anonymous: Caller = { userId: "", isBot: false, sessionId: "" };

/** Answers one call of one operation. Never throws: every failure is an answer. */
export async function dispatch(
  house: House,
  limiter: Limiter,
  handler: Handler,
  { requestId, clientIp }: Facts,
  request: Request,
  params: Record<string, string>,
): Promise<Response> {
  const { operation } = handler;
  const headers: Record<string, string> = {};
  const take = (rateClass: string, key: string) => {
    if (house.config.rateLimits) note(headers, limiter.take(rateClass, key));
  };
  try {
    if (operation.rate === "auth" || operation.rate === "invites") take(operation.rate, rateKey(clientIp()));
    if (operation.rate === "webhooks") {
      // Its id is known to all who read it. So that they cannot use up its calls, its token counts for itself.
      const [id = "", token = ""] = Object.values(params);
      take("webhooks", `${id.slice(0, idLength)} ${rateKey(clientIp())}`);
      take("webhooks", `${id.slice(0, idLength)}/${token.slice(0, idLength)}`);
    }
    if (operation.method !== "GET" && !isTrustedOrigin(house, request.headers)) throw untrusted();
    const caller = operation.caller === "public" ? anonymous : await callerOf(house, request.headers);
    if (!caller) throw unauthenticated();
    const known = performance.now();
    if (caller.renewal !== undefined) headers["Set-Cookie"] = caller.renewal;
    if (caller !== anonymous) {
      take("all", caller.userId);
      if (operation.rate === "messages") take("messages", caller.userId);
    }
    if (operation.caller === "person" && caller.isBot) throw new Refusal("forbidden", "Bots cannot do this.");
    const call: Omit<Call<unknown, unknown, unknown>, "unit"> = {
      caller,
      // A path that cannot name anything names nothing.
      params: operation.params && named(operation.params, params),
      query: operation.query && checked(operation.query, readQuery(request.url), "query"),
      body: operation.body && checked(operation.body, await bodyOf(operation, request)),
      request: new RequestView(request, house.publicUrl),
    };
    const isLate = operation.body && performance.now() - known > soonMs;
    if (isLate && caller !== anonymous && !(await callerOf(house, request.headers))) throw unauthenticated();
    return write(operation, await inLane(house, handler, call), requestId, headers);
  } catch (error) {
    return refusalAnswer(asRefusal(house, error, requestId), requestId, headers);
  }
}

function inLane(
  house: House,
  handler: Handler,
  call: Omit<Call<unknown, unknown, unknown>, "unit">,
): Promise<unknown> {
  const work = (unit: Call<unknown, unknown, unknown>["unit"]) => handler.run({ ...call, unit });
  switch (handler.operation.lane) {
    case "read":
    case "own":
      return house.read(work);
    case "write":
      return house.write(work);
    case "shared":
      return house.share(work);
  }
}

/** What a handler may know of the request itself; read only when it asks. */
class RequestView implements RequestFacts {
  readonly raw: Request;
  readonly publicUrl: string;

  constructor(request: Request, publicUrl: string) {
    this.raw = request;
    this.publicUrl = publicUrl;
  }

  get userAgent(): string {
    return (this.raw.headers.get("user-agent") ?? "").slice(0, 256);
  }
}

function named(schema: z.ZodType, params: Record<string, string>): unknown {
  const path = readAs(schema, params);
  if (!path.success) throw notFound();
  return path.data;
}

async function bodyOf(operation: Operation, request: Request): Promise<unknown> {
  const body = await readJson(request);
  if (body === undefined && operation.bodyOptional) return {};
  if (body === undefined) throw new Refusal("malformed_json", "This needs a JSON body.");
  return body;
}

const mostFields = 20;

function checked(schema: z.ZodType, value: unknown, whole = "body"): unknown {
  const result = readAs(schema, value);
  if (result.success) return result.data;
  // A fault may trip several checks of its field: the first one names it.
  const byPath = new Map<string, string>();
  for (const { path, message } of result.issues) {
    const dotted = path.join(".");
    if (!byPath.has(dotted)) byPath.set(dotted, message.replace(/^Invalid input: /, ""));
    if (byPath.size === mostFields) break;
  }
  const fields: FieldProblem[] = [...byPath].map(([path, message]) => ({ path, message }));
  const [first] = fields;
  throw new Refusal(
    "invalid_request",
    first ? `${first.path || whole}: ${first.message}` : "Invalid request.",
    { fields },
  );
}

function readQuery(url: string): Record<string, string | string[]> {
  const at = url.indexOf("?");
  if (at < 0) return {};
  // One plain parameter, the usual case, needs no parser.
  const [, name, plain] = /^(\w+)=([\w-]*)$/.exec(url.slice(at + 1)) ?? [];
  if (name !== undefined && plain !== undefined) return { [name]: plain };
  const query: Record<string, string | string[]> = {};
  for (const [key, value] of new URLSearchParams(url.slice(at + 1))) {
    const before = query[key];
    // A parameter given twice has no one value; the schema refuses the array.
    query[key] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

function write(
  operation: Operation,
  result: unknown,
  requestId: string,
  headers: Record<string, string>,
): Response {
  const reply = result instanceof Reply ? result : undefined;
  const body = reply ? reply.body : result;
  const status = reply?.status ?? operation.successStatus;
  if (reply) Object.assign(headers, reply.headers);
  if (status === 204 || body === undefined) return answer(null, status, requestId, headers);
  if (body instanceof Content) {
    return answer(body.data, status, requestId, { "Content-Type": body.type, ...headers });
  }
  return jsonAnswer(body instanceof Json ? body.text : JSON.stringify(body), status, requestId, headers);
}

function note(headers: Record<string, string>, taken: Taken): void {
  // Of several buckets the one that is nearest to its end is told.
  if (taken.remaining <= Number(headers["X-RateLimit-Remaining"] ?? Number.POSITIVE_INFINITY)) {
    headers["X-RateLimit-Limit"] = String(taken.limit);
    headers["X-RateLimit-Remaining"] = String(taken.remaining);
    headers["X-RateLimit-Reset-After"] = taken.resetAfterS.toFixed(3);
  }
  if (!taken.allowed) {
    throw new Refusal("rate_limited", "Too many calls. Wait a moment.", { retryAfter: taken.resetAfterS });
  }
}

function untrusted(): Refusal {
  return new Refusal(
    "untrusted_origin",
    "Calls from this origin are not accepted. Its owner can add it to TRUSTED_ORIGINS.",
  );
}

export function asRefusal(house: House, error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  if (house.database.isAway(error)) {
    return new Refusal("unavailable", "The database does not answer at the moment. Try again shortly.", {
      retryAfter: 2,
    });
  }
  house.log.error({ request_id: requestId, err: error }, "an operation failed");
  return new Refusal("internal", "Something went wrong on our side. Tell the operator the request id.");
}
