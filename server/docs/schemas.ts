// Converts Zod shapes to JSON Schema, in the dialect of each format that describes the interface.
import { z } from "zod";

export type Schema = Record<string, unknown>;

/** `input`: a value before defaults and trimming. `output`: a value in an answer. */
export type Direction = "input" | "output";

/** How a format writes schemas. */
export interface Dialect {
  /** The JSON Schema draft that the format uses. */
  draft: "draft-4" | "draft-7" | "draft-2020-12";
  /** Prefix of references to named schemas: `#/definitions/`. */
  named: string;
  /** Translates a schema into the format. The schemas inside it have already been translated. */
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

/** Returns the schema of a shape, with all references inlined. */
export function schemaOf(dialect: Dialect, shape: z.ZodType, direction: Direction): Schema {
  const { schema, named } = toJsonSchema(dialect, shape, direction);
  return said(dialect, inPlace(schema, named), direction);
}

/**
 * Returns the schema of an answer: a shape that has a name (its `id`) is added to `known`, if missing, and referenced.
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
  /** The named shapes, by name. */
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

/** Zod puts named shapes below `definitions` or `$defs`, depending on the draft. */
const reference = /^#\/(definitions|\$defs)\//;

/** Inlines references. Older drafts ignore every keyword beside a `$ref`, so there Zod wraps it in `allOf`. */
function inPlace(schema: Schema, named: Record<string, Schema>): Schema {
  const { $ref, allOf, ...rest } = schema;
  const [wrapped] = Array.isArray(allOf) ? (allOf as Schema[]) : [];
  const address = $ref ?? wrapped?.$ref;
  if (typeof address === "string")
    return inPlace({ ...named[address.replace(reference, "")], ...rest }, named);
  return withInside(schema, (each) => inPlace(each, named));
}

/** Returns the schema in the format's dialect: with its references, and without bounds and promises not ours. */
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
 * True if a keyword promises too much or nothing new. An answer may get further fields in any version, so
 * `additionalProperties: false` is no promise. An id is described well enough by its format.
 */
function isNoPromise(word: string, { additionalProperties, format }: Schema): boolean {
  if (word === "pattern") return format === "uuid";
  return word === "additionalProperties" && additionalProperties === false;
}

const wordsOfOne = new Set(["items", "additionalProperties", "propertyNames", "additionalItems", "not"]);
const wordsOfSeveral = new Set(["anyOf", "oneOf", "allOf", "items", "prefixItems"]);

/** Returns the schema with `change` applied to each direct subschema. */
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
