// From a routed request to an answer: rate, origin, caller, shape, then the handler in its lane, always in this order.
import type { z } from "zod";
import { type FieldProblem, notFound, Refusal } from "../../protocol/errors.ts";
import {
  type Lane,
  type Operation,
  type RateClass,
  rateClasses,
  readsAnything,
} from "../../protocol/operation.ts";
import { readAs } from "../../protocol/read-as.ts";
import type { Data } from "../blobs/blobs.ts";
import { authenticate, unauthenticated } from "../caller/authentication.ts";
import { costOf, costOfLength, DearCalls, lengthForOne } from "../caller/dear.ts";
import { Draws } from "../caller/draws.ts";
import { isTrustedOrigin } from "../caller/origin.ts";
import { asRefusal } from "../house/as-refusal.ts";
import type { Call, Caller, Handler, RequestFacts } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import { onceKnown, type Soon } from "../house/known.ts";
import { Bytes, Content, Json, Reply } from "../house/reply.ts";
import type { UnitOfWork } from "../house/unit.ts";
import { answer, jsonAnswer, refusalAnswer } from "./answer.ts";
import type { Facts } from "./arrival.ts";
import { readJson } from "./body.ts";
import { readQuery } from "./query.ts";
import { Unread, type Unsent } from "./unread.ts";

/** A call that waited longer than this for its body or its turn, in milliseconds, has its session checked again. */
const soonMs = 50;

const anonymous: Caller = { userId: "", isBot: false, sessionId: "" };

/**
 * The share of BACKLOG_MIB that unread HTTP answers may hold in addition to sockets: a client can request an answer
 * again.
 */
const ofAnswers = 1 / 4;

/** Runs one call of one operation; `given` are its path parameters. Never throws: a failure is an answer, too. */
type Dispatch = (
  handler: Handler,
  facts: Facts,
  request: Request,
  given: Record<string, string>,
) => Promise<Response>;

export function openDispatch(house: House): Dispatch {
  const limiter = house.config.rateLimits ? house.limits.of("calls", { ...house.config.rates }) : undefined;
  const dear = new DearCalls();
  const unread = new Unread(house.config.backlogBytes * ofAnswers, house.metrics);
  return async (handler, { requestId, clientIp }, request, given) => {
    const { operation } = handler;
    const draws = new Draws(limiter, clientIp);
    try {
      if (isCounted(operation.rate, "address")) await draws.take(operation.rate, draws.clientKey);
      if (operation.method !== "GET" && !isTrustedOrigin(house, request.headers)) throw untrusted();
      const caller =
        operation.caller === "public"
          ? anonymous
          : await counted(
              operation,
              draws,
              await authenticate(house, request.headers, () => draws.takeAsStranger()),
            );
      const known = performance.now();
      const params = operation.params && named(operation.params, given);
      const admitted =
        operation.caller === "public" && (await admission(house, handler, params, request, draws));
      const call: Omit<Call<unknown, unknown, unknown>, "unit"> = {
        caller,
        params,
        query: operation.query && checked(operation.query, readQuery(request.url), "query"),
        body: operation.body && checked(operation.body, bodyOf(operation, await readJson(request))),
        request: new RequestView(request, house.publicUrl, (work) =>
          limiter ? dear.withFile(caller, request.signal, work) : work(),
        ),
      };
      // A post whose body came at once has nothing to wait for.
      const looking = operation.body && stillKnown(house, caller, request, known);
      if (looking) await looking;
      const work = (unit: UnitOfWork) => handler.run({ ...call, unit }, admitted);
      const cost = limiter ? costOf(operation, call.query, call.body) : 1;
      const result = await (cost === 1
        ? inLane(house, work, operation.lane, caller)
        : dear.run(caller, countedAs(cost, draws, operation, request), async () => {
            await stillKnown(house, caller, request, known);
            return inLane(house, work, operation.lane, caller);
          }));
      draws.noteStranger();
      if (isLong(result)) await draws.countMore(caller.userId, costOfLength(lengthOf(result), cost));
      const bounded = (bytes: Unsent) => unread.bodyOf(bytes, caller.userId || draws.clientKey);
      return write(operation, result, requestId, draws.headers, bounded);
    } catch (error) {
      return refuse(house, error, requestId, draws);
    }
  };
}

/** Returns the caller, if the operation accepts it. A renewed cookie and the person's rate go into `draws`. */
async function counted(operation: Operation, draws: Draws, caller: Caller | null): Promise<Caller> {
  if (!caller) throw unauthenticated();
  draws.wasNoStranger();
  if (caller.renewal !== undefined) draws.headers["Set-Cookie"] = caller.renewal;
  await draws.take("all", caller.userId);
  if (isCounted(operation.rate, "person")) await draws.take(operation.rate, caller.userId);
  if (operation.caller === "person" && caller.isBot) throw new Refusal("forbidden", "Bots cannot do this.");
  return caller;
}

/** Counts a call of a public operation by client address before its query and body are read. */
async function admission(
  house: House,
  { operation, admit }: Handler,
  params: unknown,
  { headers }: Request,
  draws: Draws,
): Promise<unknown> {
  if (!readsAnything(operation) || isCounted(operation.rate, "address")) return undefined;
  await draws.takeAsStranger();
  if (!admit) return undefined;
  const take = (rateClass: RateClass, key: string) => draws.take(rateClass, key);
  const countAs = (rateClass: RateClass, key: string, cost: number) => draws.countAs(rateClass, key, cost);
  const admitted = await admit({ house, params, headers, clientKey: draws.clientKey, take, countAs });
  draws.wasNoStranger();
  return admitted;
}

function countedAs(cost: number, draws: Draws, { consumes, lane }: Operation, { signal }: Request) {
  return { draws, cost, bringsFile: consumes !== undefined, writes: lane !== "read", hungUp: signal };
}

/** Throws unauthenticated when the call waited, for its body or its turn, and the session has ended meanwhile. */
function stillKnown(house: House, caller: Caller, request: Request, known: number): Soon<void> {
  if (caller === anonymous || performance.now() - known <= soonMs) return;
  return onceKnown(authenticate(house, request.headers), (still) => {
    if (!still) throw unauthenticated();
  });
}

function isCounted(rate: RateClass | undefined, per: "address" | "person"): rate is RateClass {
  return rate !== undefined && rateClasses[rate].per === per;
}

function refuse(house: House, error: unknown, requestId: string, draws: Draws): Response {
  const refusal = asRefusal(house, error, requestId);
  // A call that an empty bucket stopped looked nothing up, and without the database no caller can be known: neither
  // counts as a stranger's.
  if (refusal.code === "rate_limited" || refusal.status >= 500) draws.wasNoStranger();
  draws.noteStranger();
  return refusalAnswer(refusal, requestId, draws.headers);
}

function inLane<T>(
  house: House,
  work: (unit: UnitOfWork) => Promise<T>,
  lane: Lane,
  caller: Caller,
): Promise<T> {
  const known = caller === anonymous ? undefined : caller;
  switch (lane) {
    case "read":
    case "own":
      return house.read(work, known);
    case "write":
      return house.write(work, known);
    case "shared":
      return house.share(work, known);
  }
}

/** The request as a handler sees it; its parts are read only when the handler uses them. */
class RequestView implements RequestFacts {
  readonly raw: Request;
  readonly publicUrl: string;
  readonly carryOut: RequestFacts["carryOut"];

  constructor(request: Request, publicUrl: string, carryOut: RequestFacts["carryOut"]) {
    this.raw = request;
    this.publicUrl = publicUrl;
    this.carryOut = carryOut;
  }

  get userAgent(): string {
    return (this.raw.headers.get("user-agent") ?? "").slice(0, 256);
  }
}

/** A path parameter that does not fit its shape cannot name anything, so it is answered like an unknown id: 404. */
function named(schema: z.ZodType, params: Record<string, string>): unknown {
  const path = readAs(schema, params);
  if (!path.success) throw notFound();
  return path.data;
}

function bodyOf(operation: Operation, body: unknown): unknown {
  if (body === undefined && operation.bodyOptional) return {};
  if (body === undefined) throw new Refusal("malformed_json", "This needs a JSON body.");
  return body;
}

const mostFields = 20;

function checked(schema: z.ZodType, value: unknown, whole = "body"): unknown {
  const result = readAs(schema, value);
  if (result.success) return result.data;
  // Several checks of one field may fail: the first message is kept.
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

/** Returns the length of an answer's JSON if a feature made it, as it does for lists: in bytes, or characters of a text. */
function lengthOf(result: unknown): number {
  const body = result instanceof Reply ? result.body : result;
  if (!(body instanceof Json)) return 0;
  return typeof body.text === "string" ? body.text.length : body.text.size;
}

function isLong(result: unknown): boolean {
  return lengthOf(result) >= lengthForOne;
}

function write(
  operation: Operation,
  result: unknown,
  requestId: string,
  headers: Record<string, string>,
  bounded: (bytes: Unsent) => Data,
): Response {
  const reply = result instanceof Reply ? result : undefined;
  const body = reply ? reply.body : result;
  const status = reply?.status ?? operation.successStatus;
  if (reply) Object.assign(headers, reply.headers);
  if (status === 204 || body === undefined) return answer(null, status, requestId, headers);
  if (body instanceof Content) {
    // A file is sent from the local disk directly; a stream from elsewhere is bounded.
    const data = body.data instanceof ReadableStream ? bounded(body.data) : body.data;
    return answer(data, status, requestId, { "Content-Type": body.type, ...headers });
  }
  if (body instanceof Bytes) {
    return answer(bounded(body.data), status, requestId, { "Content-Type": body.type, ...headers });
  }
  const json = body instanceof Json ? body.text : JSON.stringify(body);
  return jsonAnswer(bounded(json), status, requestId, headers);
}

function untrusted(): Refusal {
  return new Refusal(
    "untrusted_origin",
    "Calls from this origin are not accepted. Its owner can add it to TRUSTED_ORIGINS.",
  );
}
