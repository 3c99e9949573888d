// Zod's shapes in the words of Swagger 2.0, which knows neither null nor alternatives.
import { z } from "zod";

export type Schema = Record<string, unknown>;

/** `input`: what is taken, before defaults and trimming. `output`: what is answered. */
export type Direction = "input" | "output";

export function schemaOf(shape: z.ZodType, direction: Direction): Schema {
  return toSwagger(
    z.toJSONSchema(shape, { io: direction, unrepresentable: "any", target: "draft-4" }),
    direction,
  );
}

// Words of JSON Schema that Swagger 2.0 does not have, and those that are put differently below.
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
      // An answer may get further fields any day: that it has none is no promise.
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

/** One choice besides null is a nullable; of several only the type that they have in common can be said. */
function withChoices(
  mended: Schema,
  choices: Schema[] | undefined,
  mend: (choice: unknown) => Schema,
): Schema {
  if (!choices) return mended;
  const real = choices.filter((each) => each.type !== "null");
  const nullable = real.length < choices.length ? { "x-nullable": true } : {};
  const [only, ...others] = real.map(mend);
  if (only && others.length === 0) return { ...only, ...mended, ...nullable };
  const common = others.every((each) => each.type === only?.type) ? only?.type : undefined;
  return { ...(common !== undefined && { type: common }), ...mended, ...nullable };
}

/** Where the numbers of JavaScript end is no rule of ours. */
function isBoundOfNumbers(word: string, value: unknown): boolean {
  return (word === "minimum" || word === "maximum") && Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
}
