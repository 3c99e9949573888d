// The parts of an operation that all description formats share: name and rules, parameters, answers and refusals.
import type { z } from "zod";
import { type Cost, dearAtOnce } from "../../protocol/cost.ts";
import { apiPrefix, type CallerRule, type Operation, rateClasses } from "../../protocol/operation.ts";
import type { Feature } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import { errorBody, refusalsOf, retryAfter } from "./refusals.ts";
import { type Dialect, type Schema, schemaOf } from "./schemas.ts";

export const json = "application/json";

/** The media type of a form with a file. */
export const form = "multipart/form-data";

/** The features that have operations, in order. */
export function describedFeatures(house: House): Feature[] {
  return house.features.filter((feature) => feature.operations.length > 0);
}

/** Returns the result of `describe` for each operation, by path and method. */
export function pathsOf(
  house: House,
  describe: (operation: Operation, tag: string) => Schema,
): Record<string, Schema> {
  const paths: Record<string, Schema> = {};
  for (const { name, operations } of describedFeatures(house)) {
    for (const { operation } of operations) {
      paths[operation.path] ??= {};
      (paths[operation.path] as Schema)[operation.method.toLowerCase()] = describe(operation, name);
    }
  }
  return paths;
}

const callers: Record<CallerRule, string> = {
  public: "anybody, signed in or not",
  person: "a signed-in person; bots are refused",
  account: "a signed-in person or a bot",
};

/** Returns the head of an operation's description. */
export function headOf(operation: Operation, tag: string): Schema {
  const { name, summary, caller, rate, cost, atRoot } = operation;
  const facts = [
    `For ${callers[caller]}`,
    rate && rateClasses[rate].meaning,
    cost && costInWords(cost, operation),
    atRoot && `answers below the origin's root as well as below \`${apiPrefix}\``,
  ];
  return {
    tags: [tag],
    operationId: name,
    summary,
    description: `${facts.filter(Boolean).join("; ")}.`,
    ...(cost && { "x-cost": cost.worst }),
  };
}

function costInWords({ worst, how }: Cost, { consumes }: Operation): string {
  const counts = how === undefined ? `counts as ${worst} calls` : `counts as up to ${worst} calls, ${how}`;
  const since = consumes === undefined ? "" : "once its body is there, ";
  return `${counts}; ${since}an account has ${dearAtOnce} such calls carried out at a time, a further one waits`;
}

/** A path or query parameter. */
interface Parameter {
  in: "path" | "query";
  name: string;
  required: boolean;
  schema: Schema;
}

export function parametersOf(dialect: Dialect, { params, query }: Operation): Parameter[] {
  return [...parametersIn("path", dialect, params), ...parametersIn("query", dialect, query)];
}

function parametersIn(place: Parameter["in"], dialect: Dialect, shape: z.ZodObject | undefined): Parameter[] {
  if (!shape) return [];
  const { properties = {}, required = [] } = schemaOf(dialect, shape, "input") as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    in: place,
    name,
    required: place === "path" || required.includes(name),
    // In a URL everything is text, unless a number is required.
    schema: schema.type === undefined && schema.anyOf === undefined ? { type: "string", ...schema } : schema,
  }));
}

/** An answer or refusal, independent of the format. */
export interface Response {
  description: string;
  headers: Readonly<Record<string, z.ZodType>>;
  body?: z.ZodType;
  /** The media type of a body that is not JSON. */
  fileType?: string;
  isRefusal?: boolean;
}

/** Returns the possible answers of an operation, by status; `default` stands for any other refusal. */
export function responsesOf(operation: Operation): Record<string, Response> {
  const responses: Record<string, Response> = {};
  for (const [status, { description, headers = {}, body }] of Object.entries(operation.answers)) {
    const isFile = operation.produces !== undefined && /^20[06]$/.test(status);
    responses[status] = {
      description,
      headers,
      ...(body && { body }),
      ...(isFile && { fileType: operation.produces }),
    };
  }
  for (const [status, codes] of refusalsOf(operation)) {
    const description = codes.map((code) => `\`${code}\``).join(", ");
    responses[status] = { ...refused, description, headers: status === 429 ? tooMany : {} };
  }
  return { ...responses, default: { ...refused, description: "Any other refusal" } };
}

const refused = { headers: {}, body: errorBody, isRefusal: true };

const tooMany = { "Retry-After": retryAfter };
