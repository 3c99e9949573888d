// The Swagger 2.0 description, generated from the declarations that validate requests.
import { apiPrefix, type Operation } from "../../protocol/operation.ts";
import { sessionCookie } from "../caller/authentication.ts";
import type { House } from "../house/house.ts";
import { about } from "./about.ts";
import {
  describedFeatures,
  form,
  headOf,
  json,
  parametersOf,
  pathsOf,
  type Response,
  responsesOf,
} from "./operations.ts";
import { namedSchemaOf, type Schema, schemaOf } from "./schemas.ts";
import { swaggerDialect as dialect } from "./swagger-schemas.ts";

export function swagger(house: House): Schema {
  const definitions: Record<string, Schema> = {};
  return {
    swagger: "2.0",
    info: about,
    basePath: apiPrefix,
    schemes: ["http", "https"],
    consumes: [json],
    produces: [json],
    // The specification asks for a cookie, though Swagger 2.0 itself only knows header and query.
    securityDefinitions: { [sessionCookie]: { type: "apiKey", in: "cookie", name: sessionCookie } },
    tags: describedFeatures(house).map(({ name }) => ({ name })),
    paths: pathsOf(house, (operation, tag) => describe(operation, tag, definitions)),
    definitions,
  };
}

function describe(operation: Operation, tag: string, definitions: Record<string, Schema>): Schema {
  const { consumes, produces, caller } = operation;
  const responses = Object.entries(responsesOf(operation));
  return {
    ...headOf(operation, tag),
    ...(consumes && { consumes: [consumes] }),
    ...(produces && { produces: [produces, json] }),
    parameters: [
      ...parametersOf(dialect, operation).map(({ schema, ...place }) => ({ ...place, ...schema })),
      ...bodyOf(operation),
    ],
    responses: Object.fromEntries(
      responses.map(([status, response]) => [status, describeResponse(response, definitions)]),
    ),
    ...(caller !== "public" && { security: [{ [sessionCookie]: [] }] }),
  };
}

function bodyOf({ body, bodyOptional, consumes, fields = {} }: Operation): Schema[] {
  if (body) {
    const schema = schemaOf(dialect, body, "input");
    return [{ in: "body", name: "body", required: bodyOptional !== true, schema }];
  }
  if (consumes === undefined) return [];
  if (consumes === form) {
    const numbers = Object.entries(fields).map(([name, description]) => {
      return { in: "formData", name, type: "integer", required: false, description };
    });
    return [
      { in: "formData", name: "file", type: "file", required: true, description: "The file" },
      ...numbers,
    ];
  }
  return [{ in: "body", name: "body", required: true, schema: { type: "object" } }];
}

function describeResponse(
  { description, headers, body, fileType }: Response,
  definitions: Record<string, Schema>,
): Schema {
  const said = Object.entries(headers).map(([name, shape]) => [name, schemaOf(dialect, shape, "output")]);
  return {
    description,
    ...(body && { schema: namedSchemaOf(dialect, body, definitions) }),
    ...(fileType && { schema: { type: "file" } }),
    ...(said.length > 0 && { headers: Object.fromEntries(said) }),
  };
}
