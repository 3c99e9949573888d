// The OpenAPI 3.1 description: valid, complete, and equal to Swagger 2.0 wherever both can express the same.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { everythingIn, found, type Schema } from "./documents.ts";
import { routes, titleOf } from "./walk.ts";

interface Described {
  operationId: string;
  summary: string;
  description: string;
  parameters?: { in: string; name: string; required: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<
    string,
    { description: string; headers?: Schema; content?: Record<string, { schema: Schema }> }
  >;
  security: Schema[];
}

interface Document extends Schema {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Schema> };
}

interface Swagger extends Schema {
  paths: Record<string, Record<string, Described & { parameters: Schema[] }>>;
  definitions: Record<string, Schema>;
}

let house: TestHouse;
let document: Document;
let swagger: Swagger;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  document = (await (await fetch(`${house.url}/docs/openapi.json`)).json()) as Document;
  swagger = (await (await fetch(`${house.url}/docs/swagger.json`)).json()) as Swagger;
});
afterAll(() => house.end());

async function verdict(given: object) {
  const { valid, errors } = await new Validator().validate(structuredClone(given) as Record<string, unknown>);
  return { valid, errors: errors ?? [] };
}

test("a validator for OpenAPI 3.1 finds nothing wrong with it, and would", async () => {
  expect(document.openapi).toBe("3.1.1");
  expect(await verdict(document)).toEqual({ valid: true, errors: [] });
  const { info: _, ...headless } = document;
  expect((await verdict(headless)).valid).toBe(false);
  const [path = ""] = Object.keys(document.paths);
  const wrong = { ...document, paths: { [path]: { get: { responses: { 200: {} } } } } };
  expect((await verdict(wrong)).valid).toBe(false);
});

test("it is JSON, the same at the root and under /api/v1, below which all paths are", async () => {
  const root = await fetch(`${house.url}/docs/openapi.json`);
  expect(root.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(await (await fetch(`${house.url}/api/v1/docs/openapi.json`)).text()).toBe(await root.text());
  expect(document.servers).toEqual([{ url: "/api/v1" }]);
});

test("every $ref of it leads to a schema", () => {
  const refs = [...everythingIn(document)].flatMap(([at, { $ref }]) =>
    typeof $ref === "string" ? [{ at, to: typeof found(document, $ref) }] : [],
  );
  expect(refs.length).toBeGreaterThan(routes.length);
  expect(refs.filter(({ to }) => to !== "object")).toEqual([]);
});

test("every resource is a component, those that Swagger 2.0 defines", () => {
  expect(Object.keys(document.components.schemas).sort()).toEqual(Object.keys(swagger.definitions).sort());
  expect(document.components.schemas.Message?.properties).toMatchObject({
    author: { $ref: "#/components/schemas/Author" },
    reply_to: { anyOf: [{ type: "string", format: "uuid" }, { type: "null" }] },
  });
});

test("it has every operation of the house, and nothing else", () => {
  const there = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => `${method.toUpperCase()} ${path} ${each.operationId}`),
  );
  expect(there.sort()).toEqual(
    routes.map(({ operation }) => `${titleOf(operation)} ${operation.name}`).sort(),
  );
});

test("callers are asked for what their rule says: a cookie, a token of a session, or that of a bot", () => {
  expect(document.components.securitySchemes).toMatchObject({
    app_session: { type: "apiKey", in: "cookie", name: "app_session" },
    bearer: { type: "http", scheme: "bearer" },
    bot: { type: "apiKey", in: "header", name: "Authorization" },
  });
  const keys = { public: [], person: ["app_session", "bearer"], account: ["app_session", "bearer", "bot"] };
  for (const { operation } of routes) {
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()];
    const asked = described?.security.flatMap(Object.keys) as unknown;
    expect([operation.name, asked]).toEqual([operation.name, keys[operation.caller]]);
  }
});

test("an example stands beside nearly every body, and fits its schema", () => {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  ajv.addSchema(document, "openapi");
  const bodies = [...everythingIn(document)].filter(([, { schema }]) => schema !== undefined);
  const shown = bodies.filter(([, { example }]) => example !== undefined);
  expect(shown.length).toBeGreaterThan(80);
  for (const [at, { schema, example }] of shown) {
    const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
    const fits = ajv.compile(whole);
    fits(example);
    expect([at, fits.errors ?? []]).toEqual([at, []]);
  }
  const calls = routes.filter(({ operation }) => operation.body).map(({ operation }) => operation);
  const bare = calls.filter(({ path, method }) => {
    const { content } = document.paths[path]?.[method.toLowerCase()]?.requestBody ?? {};
    return content?.["application/json"]?.example === undefined;
  });
  // Bodies whose values a browser or its key generates.
  expect(bare.map(({ name }) => name).sort()).toEqual(["addPasskey", "loginWithPasskey", "subscribeToPush"]);
});

for (const { operation } of routes) {
  test(`${titleOf(operation)} is described as in Swagger 2.0`, () => {
    const [here, there] = [document, swagger].map(
      ({ paths }) => paths[operation.path]?.[operation.method.toLowerCase()] as Described,
    );
    if (!here || !there) throw new Error("it is not described");
    expect([here.summary, here.description]).toEqual([there.summary, there.description]);
    const outline = ({ parameters = [] }: Described) =>
      parameters
        .filter((each) => ["path", "query"].includes(each.in))
        .map(({ in: place, name, required }) => ({ place, name, required }));
    expect(outline(here)).toEqual(outline(there));
    for (const each of here.parameters ?? []) expect(each.schema.type ?? each.schema.anyOf).toBeDefined();

    const type = operation.consumes ?? (operation.body ? "application/json" : undefined);
    expect(here.requestBody ? Object.keys(here.requestBody.content) : []).toEqual(type ? [type] : []);
    if (here.requestBody) expect(here.requestBody.required).toBe(operation.bodyOptional !== true);

    const answers = ({ responses }: Described) =>
      Object.entries(responses).map(([status, { description, headers = {} }]) => ({
        status,
        description,
        headers: Object.keys(headers),
      }));
    expect(answers(here)).toEqual(answers(there));
    for (const [status, { content }] of Object.entries(here.responses)) {
      const declared = operation.answers[Number(status)];
      if (!declared)
        expect(content).toEqual({ "application/json": { schema: { $ref: "#/components/schemas/Error" } } });
      else if (declared.body) expect(content?.["application/json"]?.schema).toBeDefined();
      else
        expect(Object.keys(content ?? {})).toEqual(/^20[06]$/.test(status) ? [operation.produces ?? ""] : []);
    }
  });
}
