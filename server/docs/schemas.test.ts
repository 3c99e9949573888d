// Zod shapes as schemas: Swagger 2.0 must not misstate what it cannot express, OpenAPI and AsyncAPI express all of it.
import { expect, test } from "bun:test";
import { z } from "zod";
import { name } from "../../protocol/shapes.ts";
import { fieldTable } from "./html.ts";
import { asyncapiDialect, namedSchemaOf, openapiDialect, type Schema, schemaOf } from "./schemas.ts";
import { swaggerDialect } from "./swagger-schemas.ts";

test("null is x-nullable, whatever it stands beside", () => {
  expect(schemaOf(swaggerDialect, z.string().max(5).nullable(), "input")).toEqual({
    type: "string",
    maxLength: 5,
    "x-nullable": true,
  });
  expect(schemaOf(swaggerDialect, z.enum(["on", "off"]).nullable(), "output")).toEqual({
    type: "string",
    enum: ["on", "off"],
    "x-nullable": true,
  });
});

test("alternatives say no more than what they have in common", () => {
  const kinds = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
  expect(schemaOf(swaggerDialect, kinds, "input")).toEqual({ type: "object" });
  expect(schemaOf(swaggerDialect, z.union([z.string(), z.int(), z.null()]), "input")).toEqual({
    "x-nullable": true,
  });
});

test("a literal is a list of one, and a tuple a list of anything", () => {
  expect(schemaOf(swaggerDialect, z.literal("x"), "input")).toEqual({ type: "string", enum: ["x"] });
  expect(schemaOf(swaggerDialect, z.tuple([z.string(), z.int()]), "input")).toMatchObject({
    type: "array",
    items: {},
  });
});

test("bounds are said where they are ours", () => {
  expect(schemaOf(swaggerDialect, z.int(), "output")).toEqual({ type: "integer" });
  expect(schemaOf(swaggerDialect, z.int().min(0).max(9), "input")).toEqual({
    type: "integer",
    minimum: 0,
    maximum: 9,
  });
  expect(schemaOf(swaggerDialect, name(20), "input")).toMatchObject({
    type: "string",
    minLength: 1,
    maxLength: 20,
  });
});

test("only what is taken may forbid further fields; answers may get some any day", () => {
  const strict = z.strictObject({ a: z.string() });
  expect(schemaOf(swaggerDialect, strict, "input").additionalProperties).toBe(false);
  expect(schemaOf(swaggerDialect, strict, "output").additionalProperties).toBeUndefined();
  expect(schemaOf(swaggerDialect, z.record(z.string(), z.int()), "output")).toEqual({
    type: "object",
    additionalProperties: { type: "integer" },
  });
});

test("a field may be called like a word of the format", () => {
  const shape = z.object({ const: z.string(), type: z.string(), anyOf: z.string().optional() });
  expect(schemaOf(swaggerDialect, shape, "input")).toEqual({
    type: "object",
    properties: { const: { type: "string" }, type: { type: "string" }, anyOf: { type: "string" } },
    required: ["const", "type"],
  });
});

test("a table for people has each field with its type and its limits, and no text of it is markup", () => {
  const shape = z.object({
    name: z.string().min(1).max(20),
    tags: z
      .array(z.object({ id: z.uuid(), note: z.string().max(5).optional() }))
      .min(1)
      .max(3),
    level: z.int().min(0).max(9).nullable(),
    exact: z.array(z.enum(["a<b", "c"])).length(2),
    most: z.string().max(7).default("x"),
    odd: z.string().regex(/^<i>$/).meta({ description: 'Not <b>"bold"</b> & not `<code>`' }),
  });
  const table = fieldTable(schemaOf(swaggerDialect, shape, "input"));
  const rows = [...table.matchAll(/<tr><td>(.*?)<\/td><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/g)];
  const quiet = (text: string) => ` <span class="quiet">${text}</span>`;
  expect(rows.map(([, ...cells]) => cells)).toEqual([
    ["<code>name</code>", "string", "1 to 20 characters"],
    ["<code>tags</code>", "list of object", "1 to 3 items"],
    ["<code>tags[].id</code>", `string${quiet("uuid")}`, ""],
    [`<code>tags[].note</code>${quiet("optional")}`, "string", "at most 5 characters"],
    ["<code>level</code>", "integer or null", "0 to 9"],
    ["<code>exact</code>", "list of string", "2 items; each: <code>a&lt;b</code> | <code>c</code>"],
    [
      `<code>most</code>${quiet("optional")}`,
      "string",
      "at most 7 characters; default <code>&quot;x&quot;</code>",
    ],
    [
      "<code>odd</code>",
      "string",
      "matches <code>^&lt;i&gt;$</code>; Not &lt;b&gt;&quot;bold&quot;&lt;/b&gt; &amp; not <code>&lt;code&gt;</code>",
    ],
  ]);
  expect(fieldTable({})).toBe("");
  const long = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`field${i}`, z.string()]));
  const folded = fieldTable(schemaOf(swaggerDialect, z.object(long), "input"));
  expect(folded).toStartWith("<details><summary>Fields: <code>field0</code>, <code>field1</code>");
});

test("what has a name is named where it is answered, also where it may be missing, and written out where it is taken", () => {
  const key = z.object({ teeth: z.int() }).meta({ id: "Key" });
  const ring = z.object({ first: key, spare: key.nullable(), lent: key.optional() });
  const written = { type: "object", properties: { teeth: { type: "integer" } }, required: ["teeth"] };
  const definitions: Record<string, Schema> = {};
  const $ref = "#/definitions/Key";
  expect(namedSchemaOf(swaggerDialect, ring, definitions).properties).toEqual({
    first: { $ref },
    spare: { allOf: [{ $ref }], "x-nullable": true },
    lent: { allOf: [{ $ref }] },
  });
  expect(definitions).toEqual({ Key: written });
  expect(schemaOf(swaggerDialect, ring, "input").properties).toEqual({
    first: written,
    spare: { ...written, "x-nullable": true },
    lent: written,
  });
});

test("OpenAPI says null, alternatives and tuples as they are, and no bounds or promises but ours", () => {
  const shape = z.strictObject({
    when: z.iso.datetime().nullable(),
    kind: z.union([z.literal("x"), z.int()]),
    pair: z.tuple([z.string(), z.int()]),
  });
  const { properties, additionalProperties } = schemaOf(openapiDialect, shape, "output") as Schema & {
    properties: Record<string, Schema>;
  };
  expect(additionalProperties).toBeUndefined();
  expect(schemaOf(openapiDialect, shape, "input").additionalProperties).toBe(false);
  expect(properties.when?.anyOf).toEqual([expect.objectContaining({ type: "string" }), { type: "null" }]);
  expect(properties.kind).toEqual({ anyOf: [{ type: "string", const: "x" }, { type: "integer" }] });
  expect(properties.pair).toMatchObject({ prefixItems: [{ type: "string" }, { type: "integer" }] });
});

test("OpenAPI and AsyncAPI name what is answered among their components", () => {
  const lock = z.object({ bolts: z.int() }).meta({ id: "Lock" });
  const door = z.object({ lock, chain: lock.nullable() });
  for (const dialect of [openapiDialect, asyncapiDialect]) {
    const schemas: Record<string, Schema> = {};
    const $ref = "#/components/schemas/Lock";
    expect(namedSchemaOf(dialect, door, schemas).properties).toEqual({
      lock: { $ref },
      chain: { anyOf: [{ $ref }, { type: "null" }] },
    });
    expect(schemas).toEqual({
      Lock: { type: "object", properties: { bolts: { type: "integer" } }, required: ["bolts"] },
    });
    expect(JSON.stringify(schemaOf(dialect, door, "output"))).not.toContain("$ref");
  }
});
