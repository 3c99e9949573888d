// Translates JSON Schema for Swagger 2.0, which has neither null nor alternatives.
import type { Dialect, Schema } from "./schemas.ts";

export const swaggerDialect: Dialect = {
  draft: "draft-4",
  named: "#/definitions/",
  translate: toSwagger,
};

const foreign = ["anyOf", "oneOf", "const", "type", "propertyNames", "contentEncoding", "additionalItems"];

function toSwagger(schema: Schema): Schema {
  const mended: Schema = { ...typeOf(schema) };
  for (const [word, value] of Object.entries(schema)) if (!foreign.includes(word)) mended[word] = value;
  // A tuple becomes a list of anything.
  if (Array.isArray(schema.items)) mended.items = {};
  if (schema.const !== undefined) mended.enum = [schema.const];
  return withChoices(mended, (schema.anyOf ?? schema.oneOf) as Schema[] | undefined);
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
 * One choice besides null becomes a nullable schema. Of several, Swagger 2.0 can only express the type that they share.
 */
function withChoices(mended: Schema, choices: Schema[] | undefined): Schema {
  if (!choices) return mended;
  const real = choices.filter((each) => !isNull(each));
  const nullable = real.length < choices.length ? { "x-nullable": true } : {};
  const [only, ...others] = real;
  // Swagger 2.0 ignores every keyword beside a `$ref`.
  if (only?.$ref !== undefined && others.length === 0) return { allOf: [only], ...mended, ...nullable };
  if (only && others.length === 0) return { ...only, ...mended, ...nullable };
  const common = others.every((each) => each.type === only?.type) ? only?.type : undefined;
  return { ...(common !== undefined && { type: common }), ...mended, ...nullable };
}

/** True if this is a translated `{ type: "null" }`. */
function isNull(choice: Schema): boolean {
  return Object.keys(choice).join() === "x-nullable";
}
