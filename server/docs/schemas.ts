// Zod's shapes as schemas of Swagger 2.0, which knows neither null nor alternatives.
import { z } from "zod";

export type Schema = Record<string, unknown>;

/** `input`: a value before defaults and trimming. `output`: a value in an answer. */
type Direction = "input" | "output";

/** The schema of a shape, with everything inside it written out. */
export function schemaOf(shape: z.ZodType, direction: Direction): Schema {
  const { definitions, ...schema } = toJsonSchema(shape, direction);
  return toSwagger(inPlace(schema, definitions), direction);
}

/** The schema of an answer: a shape that has a name (its `id`) is added to `definitions` and referred to. */
export function namedSchemaOf(shape: z.ZodType, definitions: Record<string, Schema>): Schema {
  const { definitions: named, ...schema } = toJsonSchema(shape, "output");
  for (const [name, each] of Object.entries(named)) definitions[name] ??= toSwagger(each, "output");
  return toSwagger(schema, "output");
}

function toJsonSchema(shape: z.ZodType, io: Direction): Schema & { definitions: Record<string, Schema> } {
  const { definitions = {}, ...schema } = z.toJSONSchema(shape, {
    io,
    unrepresentable: "any",
    target: "draft-4",
  });
  return { ...schema, definitions: definitions as Record<string, Schema> };
}

const reference = "#/definitions/";

function inPlace(schema: Schema, definitions: Record<string, Schema>): Schema {
  const put = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(put);
    if (typeof value !== "object" || value === null) return value;
    const { $ref, allOf, ...rest } = value as Schema;
    const [named] = Array.isArray(allOf) ? allOf : [];
    const name = $ref ?? named?.$ref;
    if (typeof name === "string")
      return { ...(put(definitions[name.slice(reference.length)]) as Schema), ...rest };
    return Object.fromEntries(Object.entries(value).map(([word, each]) => [word, put(each)]));
  };
  return put(schema) as Schema;
}

// Words of JSON Schema that Swagger 2.0 lacks, or that are translated below.
const foreign = new Set([
  "$schema",
  "anyOf",
  "oneOf",
  "const",
  "type",
  "propertyNames",
  "contentEncoding",
  "additionalItems",
]);

function toSwagger(schema: Schema, direction: Direction): Schema {
  const mend = (value: unknown) => toSwagger(value as Schema, direction);
  const mended: Schema = { ...typeOf(schema) };
  for (const [word, value] of Object.entries(schema)) {
    if (foreign.has(word)) continue;
    if (word === "properties") {
      mended.properties = Object.fromEntries(
        Object.entries(value as Schema).map(([name, each]) => [name, mend(each)]),
      );
    } else if (word === "items") mended.items = Array.isArray(value) ? {} : mend(value);
    else if (word === "additionalProperties") {
      // Answers may get further fields in any version, so `additionalProperties: false` is no promise.
      if (typeof value === "object") mended.additionalProperties = mend(value);
      else if (direction === "input") mended.additionalProperties = value;
    } else if (!isBoundOfNumbers(word, value)) mended[word] = value;
  }
  if (schema.const !== undefined) mended.enum = [schema.const];
  return withChoices(mended, (schema.anyOf ?? schema.oneOf) as Schema[] | undefined, mend);
}

function typeOf({ type }: Schema): Schema {
  if (type === undefined) return {};
  const types = [type].flat();
  const [only, ...others] = types.filter((each) => each !== "null");
  return {
    ...(only !== undefined && others.length === 0 && { type: only }),
    ...(types.includes("null") && { "x-nullable": true }),
  };
}

/**
 * One choice besides null becomes a nullable schema. Of several choices Swagger 2.0 can only say the type they share.
 */
function withChoices(
  mended: Schema,
  choices: Schema[] | undefined,
  mend: (choice: unknown) => Schema,
): Schema {
  if (!choices) return mended;
  const real = choices.filter((each) => each.type !== "null");
  const nullable = real.length < choices.length ? { "x-nullable": true } : {};
  const [only, ...others] = real.map(mend);
  // Swagger 2.0 ignores every word beside a `$ref`.
  if (only?.$ref !== undefined && others.length === 0) return { allOf: [only], ...mended, ...nullable };
  if (only && others.length === 0) return { ...only, ...mended, ...nullable };
  const common = others.every((each) => each.type === only?.type) ? only?.type : undefined;
  return { ...(common !== undefined && { type: common }), ...mended, ...nullable };
}

/** The bounds of JavaScript's safe integers are not limits of ours. */
function isBoundOfNumbers(word: string, value: unknown): boolean {
  return (word === "minimum" || word === "maximum") && Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
}
