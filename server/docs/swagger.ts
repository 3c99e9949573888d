// The Swagger 2.0 description, made from the declarations that validate requests.
import type { z } from "zod";
import { errorStatus } from "../../protocol/errors.ts";
import { apiPrefix, type Operation } from "../../protocol/operation.ts";
import type { House } from "../house/house.ts";
import { refusalsOf } from "./refusals.ts";
import { namedSchemaOf, type Schema, schemaOf } from "./schemas.ts";

const json = "application/json";

export function swagger(house: House): Schema {
  const paths: Record<string, Schema> = {};
  const definitions: Record<string, Schema> = { Error: errorShape };
  const features = house.features.filter((feature) => feature.operations.length > 0);
  for (const feature of features) {
    for (const { operation } of feature.operations) {
      paths[operation.path] ??= {};
      (paths[operation.path] as Schema)[operation.method.toLowerCase()] = describe(
        feature.name,
        operation,
        definitions,
      );
    }
  }
  return {
    swagger: "2.0",
    info: {
      title: "Hearth",
      version: "1.0",
      description:
        "A self-hosted, real-time chat platform. Live events come over the WebSocket at `/ws`; `/docs/` tells of them. Every answer carries `X-Request-Id`. Bots send `Authorization: Bot <token>`.",
      license: { name: "Apache-2.0" },
    },
    basePath: apiPrefix,
    schemes: ["http", "https"],
    consumes: [json],
    produces: [json],
    // The specification asks for a cookie, though Swagger 2.0 itself only knows header and query.
    securityDefinitions: { app_session: { type: "apiKey", in: "cookie", name: "app_session" } },
    tags: features.map(({ name }) => ({ name })),
    paths,
    definitions,
  };
}

function describe(tag: string, operation: Operation, definitions: Record<string, Schema>): Schema {
  return {
    tags: [tag],
    operationId: operation.name,
    summary: operation.summary,
    ...(operation.atRoot && {
      description: `Answers below the origin's root as well as below ${apiPrefix}.`,
    }),
    ...(operation.consumes && { consumes: [operation.consumes] }),
    ...(operation.produces && { produces: [operation.produces, json] }),
    parameters: parametersOf(operation),
    responses: { ...successes(operation, definitions), ...failures(operation) },
    ...(operation.caller !== "public" && { security: [{ app_session: [] }] }),
  };
}

/** The parameters of the path, the query and the body. */
export function parametersOf(operation: Operation): Schema[] {
  return [
    ...parameters("path", operation.params),
    ...parameters("query", operation.query),
    ...bodyOf(operation),
  ];
}

function parameters(place: "path" | "query", shape: z.ZodObject | undefined): Schema[] {
  if (!shape) return [];
  const { properties = {}, required = [] } = schemaOf(shape, "input") as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    in: place,
    name,
    required: place === "path" || required.includes(name),
    ...(property.type === undefined && { type: "string" }),
    ...property,
  }));
}

function bodyOf({ body, bodyOptional, consumes }: Operation): Schema[] {
  if (body) {
    return [{ in: "body", name: "body", required: bodyOptional !== true, schema: schemaOf(body, "input") }];
  }
  if (consumes === undefined) return [];
  if (consumes === "multipart/form-data") {
    return [{ in: "formData", name: "file", type: "file", required: true, description: "The file" }];
  }
  return [{ in: "body", name: "body", required: true, schema: { type: "object" } }];
}

function successes(operation: Operation, definitions: Record<string, Schema>): Schema {
  return Object.fromEntries(
    Object.entries(operation.answers).map(([status, { description, body, headers }]) => [
      status,
      {
        description,
        ...(body && { schema: namedSchemaOf(body, definitions) }),
        ...(!body && operation.produces && status === "200" && { schema: { type: "file" } }),
        ...(headers && {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, shape]) => [name, schemaOf(shape, "output")]),
          ),
        }),
      },
    ]),
  );
}

const retryAfter = { type: "integer", minimum: 1, description: "Seconds until a further try makes sense" };

function failures(operation: Operation): Schema {
  const refused = { schema: { $ref: "#/definitions/Error" } };
  return {
    ...Object.fromEntries(
      [...refusalsOf(operation)].map(([status, words]) => [
        status,
        {
          description: words.map((word) => `\`${word}\``).join(", "),
          ...refused,
          ...(status === 429 && { headers: { "Retry-After": retryAfter } }),
        },
      ]),
    ),
    default: { description: "Any other refusal", ...refused },
  };
}

const errorShape: Schema = {
  type: "object",
  required: ["error", "code", "request_id"],
  properties: {
    error: { type: "string", description: "A sentence for a person" },
    code: { type: "string", enum: Object.keys(errorStatus), description: "A stable word for programs" },
    request_id: { type: "string", format: "uuid" },
    fields: {
      type: "array",
      description: "Which fields were refused, and why",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: {
          path: { type: "string", description: "Dotted: `role_ids.3`" },
          message: { type: "string" },
        },
      },
    },
    retry_after: retryAfter,
  },
};
