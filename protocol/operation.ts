// Operations of the HTTP API, declared once for routing, validation, types, the description and the tests.
import type { z } from "zod";
import type { Cost } from "./cost.ts";
import type { ErrorCode } from "./errors.ts";

/** The path prefix of every operation. */
export const apiPrefix = "/api/v1";

/**
 * Which callers an operation accepts; `access.ts` decides what a caller may do to the thing in the path. `public`:
 * anyone. `person`: a signed-in person, bots are refused (403). `account`: a signed-in person or a bot.
 */
export type CallerRule = "public" | "person" | "account";

/**
 * The token buckets that a call may draw from, besides that of every signed-in call and that of anonymous ones. Each
 * counts calls by the client's address, by the person, or by the key that the operation's admission names.
 */
export const rateClasses = {
  auth: { per: "address", meaning: "counted with the authentication calls of one address" },
  invites: { per: "address", meaning: "counted with the invite calls of one address" },
  messages: { per: "person", meaning: "counted with the caller's messages" },
  direct: { per: "person", meaning: "counted with the people whom the caller begins to write to" },
  calls: { per: "person", meaning: "counted with the calls by which the caller rings others" },
  avatars: { per: "person", meaning: "counted with the pictures that the caller puts up" },
  webhooks: { per: "admission", meaning: "counted by webhook" },
} as const;

export type RateClass = keyof typeof rateClasses;

/**
 * How the handler uses the database. `read`: no change. `write`: a transaction of its own, checks included. `shared`:
 * the handler hands over its rows and shares one commit with other calls that arrived at the same time. `own`: the
 * handler opens its transaction itself, because slow work (a password hash) comes first.
 */
export type Lane = "read" | "write" | "shared" | "own";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface Answer {
  description: string;
  body?: z.ZodType;
  /** Headers of this response that clients read, by name. */
  headers?: Readonly<Record<string, z.ZodType>>;
}

export type Answers = Readonly<Record<number, Answer>>;

/** `Verb`, `Path` and `Given` keep the literal types of the declaration, by which `client/call.ts` is checked. */
interface Declaration<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Verb extends Method = Method,
  Path extends string = string,
  Given extends Answers = Answers,
> {
  /** Unique, camelCase: `createMessage`. */
  name: string;
  method: Verb;
  /** Below `apiPrefix`, with `{name}` for parameters. */
  path: Path;
  summary: string;
  caller: CallerRule;
  lane: Lane;
  rate?: RateClass;
  /** By default a call counts as one. Public operations, which are counted by address, have no cost. */
  cost?: Cost;
  /** A path parameter that does not match its shape gives a 404, like an unknown thing. */
  params?: Params;
  query?: Query;
  body?: Body;
  /** A call without a body counts as a call with `{}`. */
  bodyOptional?: boolean;
  /** The media type of a body that is not JSON; the handler reads it from `request.raw`. */
  consumes?: string;
  /** Whole numbers that a form may have beside its file, by name, with their meaning. */
  fields?: Readonly<Record<string, string>>;
  /** The media type of a response that is not JSON. */
  produces?: string;
  /** The path parameter that is a secret: the log omits it. */
  secretParam?: string;
  /** True if the operation is served at the origin root as well as below `apiPrefix`. */
  atRoot?: boolean;
  /**
   * The responses by status. A handler that returns a plain value responds with 201 if declared, else the lowest
   * status.
   */
  answers: Given;
  /** Errors of this operation alone; the description adds those of its caller rule, rate and shapes. */
  errors?: readonly ErrorCode[];
}

export type Operation<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Verb extends Method = Method,
  Path extends string = string,
  Given extends Answers = Answers,
> = Declaration<Params, Query, Body, Verb, Path, Given> & { readonly successStatus: number };

/** True if a call has input to read or a thing to look up. An operation without either responds from memory. */
export function readsAnything({ params, query, body, consumes }: Operation): boolean {
  return (params ?? query ?? body ?? consumes) !== undefined;
}

/** Declares an operation; a feature's `contract.ts` lists its own. */
export function operation<
  Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodObject<Record<never, never>>,
  Verb extends Method = Method,
  Path extends string = string,
  Given extends Answers = Answers,
>(
  declaration: Declaration<Params, Query, Body, Verb, Path, Given>,
): Operation<Params, Query, Body, Verb, Path, Given> {
  const statuses = Object.keys(declaration.answers).map(Number);
  const successStatus = statuses.includes(201) ? 201 : (statuses[0] ?? 200);
  return { ...declaration, successStatus };
}

/** An operation of any shape: plain `Operation` would require each to accept the input of every other. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes stand in positions that vary both ways.
export type AnyOperation = Operation<any, any, any>;

type Taken<Shape, Name extends string> = Shape extends z.ZodType
  ? Record<never, never> extends z.input<Shape>
    ? { [name in Name]?: z.input<Shape> }
    : { [name in Name]: z.input<Shape> }
  : unknown;

/** The input of a call: the parameters of its path, of its query, and its body. */
export type Input<O extends AnyOperation> = Taken<O["params"], "params"> &
  Taken<O["query"], "query"> &
  Taken<O["body"], "body">;

type BodyOf<Given> = Given extends { body: infer Body }
  ? Body extends z.ZodType
    ? z.output<Body>
    : undefined
  : undefined;

/** The output of a successful call; undefined when the response has no body. */
export type Output<O extends AnyOperation> = O["answers"] extends infer Given
  ? Given extends { 201: infer Created }
    ? BodyOf<Created>
    : Given extends { 200: infer Ok }
      ? BodyOf<Ok>
      : undefined
  : never;
