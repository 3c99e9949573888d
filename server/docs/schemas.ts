// Zod's shapes as JSON Schema, in the words of each format that describes the interface.
import { z } from "zod";

export type Schema = Record<string, unknown>;

/** `input`: a value before defaults and trimming. `output`: a value in an answer. */
export type Direction = "input" | "output";

/** How a format writes schemas. */
export interface Dialect {
  /** The draft of JSON Schema that the format goes by. */
  draft: "draft-4" | "draft-7" | "draft-2020-12";
  /** How the address of a named schema begins: `#/definitions/`. */
  named: string;
  /** Returns a schema in the words of the format. The schemas inside it are translated already. */
  translate(schema: Schema): Schema;
}

const asItIs = (schema: Schema) => schema;

/** OpenAPI 3.1 takes JSON Schema as it is. */
export const openapiDialect: Dialect = {
  draft: "draft-2020-12",
  named: "#/components/schemas/",
  translate: asItIs,
};

/** So does AsyncAPI 3.0, in an older draft. */
export const asyncapiDialect: Dialect = { ...openapiDialect, draft: "draft-7" };

/** Returns the schema of a shape, with everything inside it written out. */
export function schemaOf(dialect: Dialect, shape: z.ZodType, direction: Direction): Schema {
  const { schema, named } = toJsonSchema(dialect, shape, direction);
  return said(dialect, inPlace(schema, named), direction);
}

/**
 * Returns the schema of what is answered: a shape that has a name (its `id`) is added to `known`, unless it is there, and
 * referred to.
 */
export function namedSchemaOf(dialect: Dialect, shape: z.ZodType, known: Record<string, Schema>): Schema {
  const name = shape.meta()?.id;
  if (name !== undefined && known[name]) return dialect.translate({ $ref: dialect.named + name });
  const { schema, named } = toJsonSchema(dialect, shape, "output");
  for (const [name, each] of Object.entries(named)) known[name] ??= said(dialect, each, "output");
  return said(dialect, schema, "output");
}

interface WithNamed {
  schema: Schema;
  /** The shapes that have a name, by it. */
  named: Record<string, Schema>;
}

function toJsonSchema({ draft }: Dialect, shape: z.ZodType, io: Direction): WithNamed {
  const {
    $schema: _draft,
    definitions,
    $defs = definitions ?? {},
    ...schema
  } = z.toJSONSchema(shape, { io, unrepresentable: "any", target: draft }) as Schema;
  return { schema, named: $defs as Record<string, Schema> };
}

/** Zod puts named shapes below `definitions` or `$defs`, as the draft has it. */
const reference = /^#\/(definitions|\$defs)\//;

/** Writes out what is referred to. Older drafts ignore every word beside a `$ref`, so there Zod wraps it in `allOf`. */
function inPlace(schema: Schema, named: Record<string, Schema>): Schema {
  const { $ref, allOf, ...rest } = schema;
  const [wrapped] = Array.isArray(allOf) ? (allOf as Schema[]) : [];
  const address = $ref ?? wrapped?.$ref;
  if (typeof address === "string")
    return inPlace({ ...named[address.replace(reference, "")], ...rest }, named);
  return withInside(schema, (each) => inPlace(each, named));
}

/** Returns the schema as the format says it: named shapes at their address, and no bounds or promises but ours. */
function said(dialect: Dialect, schema: Schema, direction: Direction): Schema {
  const inside = withInside(schema, (each) => said(dialect, each, direction));
  const kept = Object.entries(inside).filter(
    ([word, value]) =>
      !isBoundOfNumbers(word, value) && !(direction === "output" && isNoPromise(word, inside)),
  );
  const mine: Schema = Object.fromEntries(kept);
  if (typeof mine.$ref === "string") mine.$ref = mine.$ref.replace(reference, dialect.named);
  return dialect.translate(mine);
}

/** The bounds of JavaScript's safe integers are not limits of ours. */
function isBoundOfNumbers(word: string, value: unknown): boolean {
  return (word === "minimum" || word === "maximum") && Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
}

/**
 * An answer may get further fields in any version, so `additionalProperties: false` is no promise. Of an id its format
 * says enough.
 */
function isNoPromise(word: string, { additionalProperties, format }: Schema): boolean {
  if (word === "pattern") return format === "uuid";
  return word === "additionalProperties" && additionalProperties === false;
}

const wordsOfOne = new Set(["items", "additionalProperties", "propertyNames", "additionalItems", "not"]);
const wordsOfSeveral = new Set(["anyOf", "oneOf", "allOf", "items", "prefixItems"]);

/** Returns the schema with each schema that stands directly in it changed. */
function withInside(schema: Schema, change: (inside: Schema) => Schema): Schema {
  const changed: Schema = {};
  for (const [word, value] of Object.entries(schema)) {
    if (typeof value !== "object" || value === null) changed[word] = value;
    else if (word === "properties") {
      const fields = Object.entries(value).map(([name, each]) => [name, change(each)]);
      changed[word] = Object.fromEntries(fields);
    } else if (Array.isArray(value)) changed[word] = wordsOfSeveral.has(word) ? value.map(change) : value;
    else changed[word] = wordsOfOne.has(word) ? change(value as Schema) : value;
  }
  return changed;
}
