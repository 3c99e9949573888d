// Examples of requests and frames, generated from the schemas; they read like something that people said.
import type { Schema } from "./schemas.ts";

/** Example texts, by field name. */
const texts: Readonly<Record<string, string>> = {
  username: "ada",
  display_name: "Ada",
  name: "general",
  content: "Hello, @bob!",
  email: "ada@example.com",
  emoji: "🎉",
  bio: "Counts.",
  status_text: "at the engine",
  color: "#33aaff",
  error: "There is no such frame.",
  description: "For those who help",
  icon: "🎖️",
  content_type: "image/png",
  token: "hs_…",
  user_agent: "Firefox",
  password: "correct horse battery",
  current_password: "correct horse battery",
  new_password: "battery horse correct",
  title: "Tea",
  start: "18:00",
  end: "22:00",
  time_zone: "Europe/Berlin",
};

/** Stands where no better example is known. */
const anything = "…";

const formats: Readonly<Record<string, string>> = {
  "date-time": "2030-01-31T18:00:00.000Z",
  uri: "https://chat.example.org/",
  email: "ada@example.com",
};

/** Schemas by name, for references. */
export type Named = Readonly<Record<string, Schema>>;

/**
 * Returns an example of the schema; `name` is that of the field that holds it. A nullable value is null, and an
 * optional field without a known example is left out.
 */
export function exampleOf(schema: Schema, named: Named = {}, name = ""): unknown {
  if (typeof schema.$ref === "string") return exampleOf(whole(schema.$ref, named), named, name);
  if (schema.example !== undefined) return schema.example;
  // An empty text is only valid along with another field, such as a file.
  if (schema.default !== undefined && schema.default !== "") return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Schema[] | undefined;
  if (choices) return choices.some(isNull) ? null : exampleOf(choices[0] ?? {}, named, name);
  return [schema.type].flat().includes("null") ? null : exampleOfType(schema, named, name);
}

function whole(reference: string, named: Named): Schema {
  return named[reference.slice(reference.lastIndexOf("/") + 1)] ?? {};
}

function isNull({ type }: Schema): boolean {
  return type === "null";
}

function exampleOfType(schema: Schema, named: Named, name: string): unknown {
  switch (schema.type) {
    case "object":
      return exampleObject(schema, named);
    case "array":
      return [exampleOf((schema.items as Schema) ?? {}, named, name.replace(/s$/, ""))];
    case "integer":
    case "number":
      return Math.max(Number(schema.minimum ?? 0), name === "seq" ? 42 : 1);
    case "boolean":
      return false;
    case "string":
      return exampleText(schema, name);
    default:
      return {};
  }
}

function exampleObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  named: Named,
): Schema {
  const needed = new Set(required as string[]);
  const fields = Object.entries(properties as Record<string, Schema>)
    .map(([name, each]) => [name, exampleOf(each, named, name)] as const)
    .filter(([name, value]) => needed.has(name) || value !== anything);
  const others = typeof additionalProperties === "object" && (additionalProperties as Schema);
  return Object.fromEntries([
    ...fields,
    ...(others ? [[exampleId("server_id"), exampleOf(others, named, "seq")]] : []),
  ]);
}

function exampleText({ format, maxLength }: Schema, name: string): string {
  if (format === "uuid") return exampleId(name);
  const text = formats[String(format)] ?? texts[name] ?? anything;
  return text.slice(0, Number(maxLength ?? text.length));
}

/** Fields of the same name get the same id, so that examples refer to the same things. */
function exampleId(name: string): string {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 0xffff;
  return `01933b5e-7c00-7000-8000-00000000${sum.toString(16).padStart(4, "0")}`;
}
