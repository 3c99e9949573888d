// An operation of the HTTP interface, declared once: routing, validation, types, the description and the tests read it.
import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";

/** Below it the interface answers. */
export const apiPrefix = "/api/v1";

/**
 * Who may call at all; what they may do to the thing they name is decided by access.
 * `public`: anyone. `person`: a signed-in person, bots are refused (403). `account`: a signed-in person or a bot.
 */
export type CallerRule = "public" | "person" | "account";

/**
 * The token buckets that a call may draw from, besides the one that every signed-in call draws from and that of
 * strangers. Each counts calls by the client's address, by the person, or by what the operation's admission names.
 */
export const rateClasses = {
  auth: { per: "address", meaning: "counted with the authentication calls of one address" },
  invites: { per: "address", meaning: "counted with the invite calls of one address" },
  messages: { per: "person", meaning: "counted with the caller's messages" },
  webhooks: { per: "admission", meaning: "counted by webhook" },
} as const;

export type RateClass = keyof typeof rateClasses;

/**
 * How the work meets the database. `read`: no change. `write`: a transaction of its own, checks included.
 * `shared`: a hot change that hands its rows over and shares one commit with whatever else arrived.
 * `own`: the handler opens its transaction itself, because it has slow work to do first.
 */
export type Lane = "read" | "write" | "shared" | "own";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Answer {
  description: string;
  body?: z.ZodType;
  /** Headers of this answer that a client wants to know of, by name. */
  headers?: Readonly<Record<string, z.ZodType>>;
}

export interface Declaration<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> {
  /** Unique, camelCase: `createMessage`. */
  name: string;
  method: Method;
  /** Below `apiPrefix`, with `{name}` for parameters. */
  path: string;
  summary: string;
  caller: CallerRule;
  lane: Lane;
  rate?: RateClass;
  /** A value that does not fit is an unknown thing: 404. */
  params?: Params;
  query?: Query;
  body?: Body;
  /** Whether a call without any body is a call with `{}`. */
  bodyOptional?: boolean;
  /** The body is no JSON: the handler reads it from `request.raw`, and this is its media type. */
  consumes?: string;
  /** The media type of the answer when it is no JSON. */
  produces?: string;
  /** The parameter of its path that is a secret: the log does not repeat it. */
  secretParam?: string;
  /** It answers at the origin root as well as below `apiPrefix`. */
  atRoot?: boolean;
  /** By status; 201, or else the lowest, is what a handler answers that returns a plain value. */
  answers: Readonly<Record<number, Answer>>;
  /** Refusals particular to this operation; those of its caller rule, rate and shape are added by the description. */
  errors?: readonly ErrorCode[];
}

export type Operation<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> = Declaration<Params, Query, Body> & { readonly successStatus: number };

/** Whether there is anything of a call's to look up or to read; else its answer comes from memory. */
export function readsAnything({ params, query, body, consumes }: Operation): boolean {
  return (params ?? query ?? body ?? consumes) !== undefined;
}

/** Declares an operation; a feature's `contract.ts` is a list of these. */
export function operation<
  Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodObject<Record<never, never>>,
>(declaration: Declaration<Params, Query, Body>): Operation<Params, Query, Body> {
  const statuses = Object.keys(declaration.answers).map(Number);
  const successStatus = statuses.includes(201) ? 201 : (statuses[0] ?? 200);
  return { ...declaration, successStatus };
}
