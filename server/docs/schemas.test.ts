// Zod's shapes as Swagger 2.0 has them: what it cannot say must not be said wrongly.
import { expect, test } from "bun:test";
import { z } from "zod";
import { name } from "../../protocol/shapes.ts";
import { namedSchemaOf, type Schema, schemaOf } from "./schemas.ts";

test("null is x-nullable, whatever it stands beside", () => {
  expect(schemaOf(z.string().max(5).nullable(), "input")).toEqual({
    type: "string",
    maxLength: 5,
    "x-nullable": true,
  });
  expect(schemaOf(z.enum(["on", "off"]).nullable(), "output")).toEqual({
    type: "string",
    enum: ["on", "off"],
    "x-nullable": true,
  });
});

test("alternatives say no more than what they have in common", () => {
  const kinds = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
  expect(schemaOf(kinds, "input")).toEqual({ type: "object" });
  expect(schemaOf(z.union([z.string(), z.int(), z.null()]), "input")).toEqual({ "x-nullable": true });
});

test("a literal is a list of one, and a tuple a list of anything", () => {
  expect(schemaOf(z.literal("x"), "input")).toEqual({ type: "string", enum: ["x"] });
  expect(schemaOf(z.tuple([z.string(), z.int()]), "input")).toMatchObject({ type: "array", items: {} });
});

test("bounds are said where they are ours", () => {
  expect(schemaOf(z.int(), "output")).toEqual({ type: "integer" });
  expect(schemaOf(z.int().min(0).max(9), "input")).toEqual({ type: "integer", minimum: 0, maximum: 9 });
  expect(schemaOf(name(20), "input")).toMatchObject({ type: "string", minLength: 1, maxLength: 20 });
});

test("only what is taken may forbid further fields; answers may get some any day", () => {
  const strict = z.strictObject({ a: z.string() });
  expect(schemaOf(strict, "input").additionalProperties).toBe(false);
  expect(schemaOf(strict, "output").additionalProperties).toBeUndefined();
  expect(schemaOf(z.record(z.string(), z.int()), "output")).toEqual({
    type: "object",
    additionalProperties: { type: "integer" },
  });
});

test("a field may be called like a word of the format", () => {
  const shape = z.object({ const: z.string(), type: z.string(), anyOf: z.string().optional() });
  expect(schemaOf(shape, "input")).toEqual({
    type: "object",
    properties: { const: { type: "string" }, type: { type: "string" }, anyOf: { type: "string" } },
    required: ["const", "type"],
  });
});

test("what has a name is named where it is answered, also where it may be missing, and written out where it is taken", () => {
  const key = z.object({ teeth: z.int() }).meta({ id: "Key" });
  const ring = z.object({ first: key, spare: key.nullable(), lent: key.optional() });
  const written = { type: "object", properties: { teeth: { type: "integer" } }, required: ["teeth"] };
  const definitions: Record<string, Schema> = {};
  const $ref = "#/definitions/Key";
  expect(namedSchemaOf(ring, definitions).properties).toEqual({
    first: { $ref },
    spare: { allOf: [{ $ref }], "x-nullable": true },
    lent: { allOf: [{ $ref }] },
  });
  expect(definitions).toEqual({ Key: written });
  expect(schemaOf(ring, "input").properties).toEqual({
    first: written,
    spare: { ...written, "x-nullable": true },
    lent: written,
  });
});
