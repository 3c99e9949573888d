// The machine-readable description: valid Swagger 2.0, complete, and true to the declarations.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { z } from "zod";
import { errorStatus } from "../../protocol/errors.ts";
import { type Operation, rateClasses, readsAnything } from "../../protocol/operation.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { everythingIn, found, type Schema } from "./documents.ts";
import { placeholders, routes, titleOf } from "./walk.ts";

interface Parameter extends Schema {
  in: string;
  name: string;
  required?: boolean;
  type?: string;
  schema?: Schema;
}

interface Described {
  operationId: string;
  summary: string;
  description: string;
  "x-cost"?: number;
  parameters: Parameter[];
  consumes?: string[];
  produces?: string[];
  responses: Record<string, { description: string; schema?: Schema; headers?: Schema }>;
  security?: Record<string, string[]>[];
}

interface Description extends Schema {
  paths: Record<string, Record<string, Described>>;
  definitions: Record<string, Schema>;
}

let house: TestHouse;
let description: Description;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  description = (await (await fetch(`${house.url}/docs/swagger.json`)).json()) as Description;
});
afterAll(() => house.end());

function describedAs({ method, path }: Operation): Described | undefined {
  return description.paths[path]?.[method.toLowerCase()];
}

const whoCalls = {
  public: "anybody",
  person: "a signed-in person; bots",
  account: "a signed-in person or a bot",
};

/** The definition that a reference points to; any other schema as it is. */
function resolved(schema: Schema | undefined): Schema | undefined {
  if (typeof schema?.$ref !== "string") return schema;
  return description.definitions[schema.$ref.replace("#/definitions/", "")];
}

describe("the document", () => {
  test("is Swagger 2.0, version 1.0, for http and https, under /api/v1", () => {
    expect(description.swagger).toBe("2.0");
    expect(description.info).toMatchObject({ title: "Hearth", version: "1.0" });
    expect([...(description.schemes as string[])].sort()).toEqual(["http", "https"]);
    expect(description.basePath).toBe("/api/v1");
    expect([description.consumes, description.produces]).toEqual([
      ["application/json"],
      ["application/json"],
    ]);
  });

  test("declares the session cookie as its single security scheme", () => {
    expect(description.securityDefinitions).toEqual({
      app_session: { type: "apiKey", in: "cookie", name: "app_session" },
    });
  });

  test("is JSON, the same at the root and under /api/v1", async () => {
    const root = await fetch(`${house.url}/docs/swagger.json`);
    expect(root.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await (await fetch(`${house.url}/api/v1/docs/swagger.json`)).text()).toBe(await root.text());
  });

  test("has every operation of the house, and nothing else", () => {
    const there = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, each]) => `${method.toUpperCase()} ${path} ${each.operationId}`),
    );
    expect(there.sort()).toEqual(
      routes.map(({ operation }) => `${titleOf(operation)} ${operation.name}`).sort(),
    );
  });

  test("every $ref resolves", () => {
    const refs = [...everythingIn(description)].filter(([, each]) => typeof each.$ref === "string");
    expect(refs.length).toBeGreaterThan(routes.length);
    for (const [at, { $ref }] of refs) {
      expect({ at, to: typeof found(description, String($ref)) }).toEqual({ at, to: "object" });
    }
  });

  test("names every resource once, and names it wherever it stands in an answer", () => {
    const resources = [
      ...[
        "User",
        "Me",
        "Badge",
        "Author",
        "Server",
        "Member",
        "Ban",
        "Channel",
        "Role",
        "Message",
        "Reaction",
      ],
      ...[
        "Attachment",
        "Gif",
        "Invite",
        "InviteInfo",
        "InvitePreview",
        "Bot",
        "NewBot",
        "Command",
        "Webhook",
        "NewWebhook",
      ],
      ...[
        "SeenChannel",
        "Override",
        "Session",
        "Passkey",
        "VoiceParticipant",
        "ScheduledEvent",
        "Availability",
        "Error",
      ],
    ];
    expect(Object.keys(description.definitions)).toEqual(expect.arrayContaining(resources));
    const texts = new Map(
      Object.entries(description.definitions).map(([name, each]) => [JSON.stringify(each), name]),
    );
    expect(texts.size).toBe(Object.keys(description.definitions).length);
    const repeated = [...everythingIn(description)].filter(
      ([at, each]) => texts.has(JSON.stringify(each)) && !/^#\/definitions\/\w+$/.test(at),
    );
    // Inputs are written out, because they have limits that answers do not have.
    expect(repeated.map(([at]) => at).filter((at) => !at.includes("/parameters/"))).toEqual([]);
    const unnamed = routes.flatMap(({ operation }) =>
      Object.values(describedAs(operation)?.responses ?? {}).flatMap(({ schema }) => {
        const shape = (schema?.type === "array" ? schema.items : schema) as Schema | undefined;
        return shape?.type === "object" ? [operation.name] : [];
      }),
    );
    // Answers with just an id, a key or a token, and those of a single operation.
    expect([...new Set(unnamed)].toSorted()).toEqual([
      "addPasskey",
      "beginPasskey",
      "beginPasskeyLogin",
      "createVoiceToken",
      "explainPermissions",
      "getVapidKey",
      "loginWithPasskey",
      "loginWithPassword",
      "regenerateBotToken",
      "register",
    ]);
  });

  test("has a message hold its author and its files by their names", () => {
    const posted = description.definitions.Message?.properties as Record<string, Schema>;
    expect(posted.author).toEqual({ $ref: "#/definitions/Author" });
    expect(posted.attachments).toEqual({ type: "array", items: { $ref: "#/definitions/Attachment" } });
  });

  test("uses no word of JSON Schema that Swagger 2.0 does not know", () => {
    const foreign = [
      "$schema",
      "anyOf",
      "oneOf",
      "not",
      "const",
      "propertyNames",
      "prefixItems",
      "examples",
      "nullable",
    ];
    const wrong: string[] = [];
    const schemas = [...everythingIn(description)].filter(([at]) => !at.endsWith("/properties"));
    for (const [at, each] of schemas) {
      for (const word of foreign) if (word in each) wrong.push(`${at}: ${word}`);
      if (Array.isArray(each.type) || each.type === "null") wrong.push(`${at}: type ${String(each.type)}`);
      if (each.type === "array" && typeof each.items !== "object") wrong.push(`${at}: a list of nothing`);
      for (const word of ["exclusiveMinimum", "exclusiveMaximum"])
        if (word in each && typeof each[word] !== "boolean") wrong.push(`${at}: ${word} is no boolean`);
    }
    expect(wrong).toEqual([]);
  });

  test("its error shape is the error body, with every code there is", () => {
    const shape = description.definitions.Error as { required: string[]; properties: Record<string, Schema> };
    expect(shape.required).toEqual(["error", "code", "request_id"]);
    expect(Object.keys(shape.properties).sort()).toEqual([
      "code",
      "error",
      "fields",
      "request_id",
      "retry_after",
    ]);
    expect(shape.properties.code?.enum).toEqual(Object.keys(errorStatus));
    const about = (description.info as { description: string }).description;
    for (const [code, status] of Object.entries(errorStatus))
      expect(about).toMatch(new RegExp(`^\\| ${status} \\| .*\`${code}\``, "m"));
  });
});

for (const { operation } of routes) {
  test(`${titleOf(operation)} is described whole`, () => {
    const described = describedAs(operation);
    if (!described) throw new Error("it is not described");
    const { parameters, responses, security } = described;

    const inPath = parameters.filter((each) => each.in === "path");
    expect(inPath.map((each) => each.name).sort()).toEqual(placeholders(operation.path).sort());
    for (const each of inPath) expect(each.required).toBe(true);
    expect(responses.default?.schema).toEqual({ $ref: "#/definitions/Error" });
    if (responses[429]) expect(Object.keys(responses[429].headers ?? {})).toEqual(["Retry-After"]);
    const inQuery = parameters.filter((each) => each.in === "query").map((each) => each.name);
    expect(inQuery).toEqual(Object.keys(operation.query?.shape ?? {}));
    for (const [name, shape] of Object.entries(operation.query?.shape ?? {})) {
      const isOptional = (shape as z.ZodType).safeParse(undefined).success;
      const told = parameters.find((each) => each.in === "query" && each.name === name);
      expect([name, told?.required]).toEqual([name, !isOptional]);
    }
    for (const each of parameters.filter((one) => one.in !== "body")) {
      const known = each.in === "formData" ? ["file", "integer"] : ["string", "integer", "number", "boolean"];
      expect(known).toContain(each.type as string);
    }
    const bodies = parameters.filter((each) => each.in === "body");
    const isForm = operation.consumes === "multipart/form-data";
    expect(bodies.length).toBe(operation.body || (operation.consumes && !isForm) ? 1 : 0);
    expect(parameters.some((each) => each.in === "formData")).toBe(isForm);
    expect(described.consumes).toEqual(operation.consumes ? [operation.consumes] : undefined);
    expect(described.produces?.[0]).toBe(operation.produces);
    for (const body of bodies) {
      expect(body.required).toBe(operation.bodyOptional !== true);
      expect(body.schema?.type).toBe("object");
    }

    for (const [status, answer] of Object.entries(operation.answers)) {
      expect(responses[status]?.description).toBe(answer.description);
      const kind = resolved(responses[status]?.schema)?.type;
      if (answer.body) expect(["object", "array"]).toContain(kind as string);
      else expect(kind).toBe(operation.produces && /^20[06]$/.test(status) ? "file" : undefined);
      expect(Object.keys(responses[status]?.headers ?? {})).toEqual(Object.keys(answer.headers ?? {}));
    }
    const errors = [
      ...(operation.errors ?? []),
      ...(operation.caller === "public" ? [] : (["unauthenticated", "rate_limited"] as const)),
      ...(operation.caller === "person" ? (["forbidden"] as const) : []),
      ...(readsAnything(operation) ? (["rate_limited"] as const) : []),
      ...(operation.query || operation.consumes ? (["invalid_request"] as const) : []),
      ...(operation.consumes ? (["too_large", "unsupported_type"] as const) : []),
      ...(operation.method === "GET" ? [] : (["untrusted_origin"] as const)),
      ...(operation.body
        ? (["malformed_json", "invalid_request", "too_large", "unsupported_type"] as const)
        : []),
      ...(operation.params ? (["not_found"] as const) : []),
      ...(["internal", "unavailable"] as const),
    ];
    for (const code of errors) {
      const answer = responses[errorStatus[code]];
      expect(answer?.description).toContain(`\`${code}\``);
      expect(answer?.schema).toEqual({ $ref: "#/definitions/Error" });
    }
    expect(security).toEqual(operation.caller === "public" ? undefined : [{ app_session: [] }]);
    const mayCome: number[] = errors.map((code) => errorStatus[code]);
    const described400 = Object.keys(responses)
      .map(Number)
      .filter((status) => status >= 400);
    expect(described400.filter((status) => !mayCome.includes(status))).toEqual([]);
    expect(described.description).toStartWith(`For ${whoCalls[operation.caller]}`);
    if (operation.rate) expect(described.description).toContain(rateClasses[operation.rate].meaning);
    expect(described["x-cost"]).toBe(operation.cost?.worst);
    if (operation.cost)
      expect(described.description).toMatch(new RegExp(` ${operation.cost.worst} calls\\b`));
    expect(described.description.includes("below the origin's root")).toBe(operation.atRoot === true);
  });
}
