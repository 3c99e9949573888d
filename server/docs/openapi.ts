// The OpenAPI 3.1 description, generated from the same declarations as the Swagger 2.0 one.
import type { z } from "zod";
import { apiPrefix, type Operation } from "../../protocol/operation.ts";
import { sessionCookie } from "../caller/authentication.ts";
import type { House } from "../house/house.ts";
import { about } from "./about.ts";
import { exampleOf, type Named } from "./examples.ts";
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
import { openapiDialect as dialect, namedSchemaOf, type Schema, schemaOf } from "./schemas.ts";

const securitySchemes = {
  [sessionCookie]: {
    type: "apiKey",
    in: "cookie",
    name: sessionCookie,
    description:
      "The session of a person, which a browser keeps from registering or signing in; pages cannot set it.",
  },
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "The same session for programs: the token of `X-Session-Token`. It counts where no cookie comes along.",
  },
  bot: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "A bot: the word `Bot`, a space, and the bot's token.",
  },
};

const ofPeople = [{ [sessionCookie]: [] }, { bearer: [] }];

/** The alternative credentials of each caller rule. */
const security = { person: ofPeople, account: [...ofPeople, { bot: [] }] };

export function openapi(house: House): Schema {
  const schemas: Record<string, Schema> = {};
  return {
    openapi: "3.1.1",
    info: about,
    servers: [{ url: apiPrefix }],
    tags: describedFeatures(house).map(({ name }) => ({ name })),
    paths: pathsOf(house, (operation, tag) => describe(operation, tag, schemas)),
    components: { schemas, securitySchemes },
  };
}

function describe(operation: Operation, tag: string, schemas: Record<string, Schema>): Schema {
  const parameters = parametersOf(dialect, operation);
  const requestBody = bodyOf(operation);
  const responses = Object.entries(responsesOf(operation));
  return {
    ...headOf(operation, tag),
    ...(parameters.length > 0 && { parameters: parameters.map(describeParameter) }),
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(
      responses.map(([status, response]) => [status, describeResponse(response, schemas)]),
    ),
    security: operation.caller === "public" ? [] : security[operation.caller],
  };
}

/** In OpenAPI, a parameter's description is beside its schema. */
function describeParameter<T extends { schema: Schema }>({ schema, ...place }: T): Schema {
  const { description, ...rest } = schema;
  return { ...place, ...(description !== undefined && { description }), schema: rest };
}

function bodyOf({ body, bodyOptional, consumes, fields }: Operation): Schema | undefined {
  if (body) {
    const schema = schemaOf(dialect, body, "input");
    const content = { [json]: { schema, ...exampleFor(body, schema) } };
    return { required: bodyOptional !== true, content };
  }
  if (consumes === undefined) return undefined;
  const schema = consumes === form ? formOf(fields) : { type: "object" };
  return { required: true, content: { [consumes]: { schema } } };
}

/** Tools recognize bytes by the format, which JSON Schema leaves open. */
const bytes = { type: "string", format: "binary" };

function formOf(fields: Operation["fields"] = {}): Schema {
  const numbers = Object.entries(fields).map(([name, description]) => [
    name,
    { type: "integer", description },
  ]);
  return {
    type: "object",
    required: ["file"],
    properties: { file: { ...bytes, description: "The file" }, ...Object.fromEntries(numbers) },
  };
}

function describeResponse(response: Response, schemas: Record<string, Schema>): Schema {
  const { description, headers } = response;
  const said = Object.entries(headers).map(([name, shape]) => [
    name,
    describeParameter({ schema: schemaOf(dialect, shape, "output") }),
  ]);
  const content = contentOf(response, schemas);
  return {
    description,
    ...(content && { content }),
    ...(said.length > 0 && { headers: Object.fromEntries(said) }),
  };
}

function contentOf(
  { body, fileType, isRefusal }: Response,
  schemas: Record<string, Schema>,
): Schema | undefined {
  if (!body) return fileType === undefined ? undefined : { [fileType]: { schema: bytes } };
  const schema = namedSchemaOf(dialect, body, schemas);
  // All refusals look alike: an example of each would only make the document longer.
  return { [json]: { schema, ...(!isRefusal && exampleFor(body, schema, schemas)) } };
}

/** Returns an example that the shape itself accepts. Without one, tools make up their own. */
function exampleFor(body: z.ZodType, schema: Schema, named?: Named): Schema {
  const example = exampleOf(schema, named);
  return body.safeParse(example).success ? { example } : {};
}
