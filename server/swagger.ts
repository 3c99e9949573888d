// The Swagger 2.0 description, made from the very declarations that validate requests.
import { z } from "zod";
import { type ErrorCode, errorStatus } from "../protocol/errors.ts";
import type { Operation } from "../protocol/operation.ts";
import type { House } from "./house.ts";

type Schema = Record<string, unknown>;

export function swagger(house: House): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const feature of house.features) {
    for (const { operation } of feature.operations) {
      paths[operation.path] ??= {};
      (paths[operation.path] as Schema)[operation.method.toLowerCase()] = describe(feature.name, operation);
    }
  }
  return {
    swagger: "2.0",
    info: {
      title: "Hearth",
      version: "1.0",
      description: "A self-hosted, real-time chat platform.",
      license: { name: "Apache-2.0" },
    },
    basePath: "/api/v1",
    schemes: ["http", "https"],
    consumes: ["application/json"],
    produces: ["application/json"],
    // The specification asks for a cookie, though Swagger 2.0 itself only knows header and query.
    securityDefinitions: { app_session: { type: "apiKey", in: "cookie", name: "app_session" } },
    paths,
    definitions: { Error: errorShape },
  };
}

function describe(tag: string, operation: Operation): Schema {
  return {
    tags: [tag],
    operationId: operation.name,
    summary: operation.summary,
    parameters: [
      ...parameters("path", operation.params),
      ...parameters("query", operation.query),
      ...(operation.body
        ? [
            {
              in: "body",
              name: "body",
              required: operation.bodyOptional !== true,
              schema: schemaOf(operation.body, "input"),
            },
          ]
        : []),
    ],
    responses: { ...successes(operation), ...failures(operation) },
    ...(operation.caller !== "public" && { security: [{ app_session: [] }] }),
  };
}

function parameters(place: "path" | "query", shape: z.ZodObject | undefined): Schema[] {
  if (!shape) return [];
  const schema = schemaOf(shape, "input") as { properties?: Record<string, Schema>; required?: string[] };
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    in: place,
    name,
    required: place === "path" || (schema.required ?? []).includes(name),
    ...(property.type === undefined && { type: "string" }),
    ...property,
  }));
}

function successes(operation: Operation): Schema {
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, { description, body }]) => [
      status,
      { description, ...(body && { schema: schemaOf(body, "output") }) },
    ]),
  );
}

function failures(operation: Operation): Schema {
  const codes = new Set<ErrorCode>(operation.errors);
  codes.add("internal");
  if (operation.caller !== "public") codes.add("unauthenticated");
  if (operation.caller === "person") codes.add("forbidden");
  if (operation.caller !== "public" || operation.rate) codes.add("rate_limited");
  if (operation.method !== "GET") codes.add("untrusted_origin");
  if (operation.params) codes.add("not_found");
  if (operation.query || operation.body) codes.add("invalid_request");
  if (operation.body)
    for (const code of ["malformed_json", "too_large", "unsupported_type"] as const) codes.add(code);
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, words]) => [
      status,
      { description: words.map((word) => `\`${word}\``).join(", "), schema: { $ref: "#/definitions/Error" } },
    ]),
  );
}

const errorShape: Schema = {
  type: "object",
  required: ["error", "code", "request_id"],
  properties: {
    error: { type: "string", description: "A sentence for a person." },
    code: { type: "string", enum: Object.keys(errorStatus) },
    request_id: { type: "string" },
    fields: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: { path: { type: "string" }, message: { type: "string" } },
      },
    },
    retry_after: { type: "integer" },
  },
};

function schemaOf(shape: z.ZodType, io: "input" | "output"): unknown {
  return toSwagger(z.toJSONSchema(shape, { io, unrepresentable: "any", target: "draft-4" }));
}

/** JSON Schema as Swagger 2.0 has it: no null type, no const, no alternatives. */
function toSwagger(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toSwagger);
  if (typeof schema !== "object" || schema === null) return schema;
  const {
    $schema: _,
    anyOf,
    const: only,
    additionalProperties,
    propertyNames: __,
    ...rest
  } = schema as Schema;
  const mended = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === "properties"
        ? Object.fromEntries(Object.entries(value as Schema).map(([name, each]) => [name, toSwagger(each)]))
        : toSwagger(value),
    ]),
  );
  if (only !== undefined) mended.enum = [only];
  if (Array.isArray(mended.type)) {
    mended.type = mended.type.find((type) => type !== "null");
    mended["x-nullable"] = true;
  }
  if (typeof additionalProperties === "object") mended.additionalProperties = toSwagger(additionalProperties);
  if (!Array.isArray(anyOf)) return mended;
  const choices = anyOf.filter((each) => (each as Schema).type !== "null");
  const nullable = choices.length < anyOf.length ? { "x-nullable": true } : {};
  return choices.length === 1
    ? { ...(toSwagger(choices[0]) as Schema), ...mended, ...nullable }
    : { ...mended, ...nullable };
}
