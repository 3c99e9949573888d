// Shapes for people: a schema of the description as rows of a table, nested fields by their dotted names.
import type { Schema } from "./schemas.ts";

const longestPattern = 60;

/** A table of the fields of an object, or of a list's items; empty when there are no fields. */
export function fieldTable(schema: Schema): string {
  const rows = rowsOf(schema, "");
  if (rows.length === 0) return "";
  return `<table><thead><tr><th>field</th><th>type</th><th>limits</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** A table of the path and query parameters, and of the files of a form. */
export function parameterTable(parameters: readonly Schema[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map((parameter) => {
    const place = ` <span class="quiet">in ${parameter.in === "formData" ? "form" : parameter.in}${parameter.required ? "" : ", optional"}</span>`;
    const name = `${code(String(parameter.name))}${place}`;
    return `<tr><td>${name}</td><td>${typeOf(parameter)}</td><td>${limitsOf(parameter)}</td></tr>`;
  });
  return `<table><thead><tr><th>parameter</th><th>type</th><th>limits</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** A schema in one line, for a summary: `a list of: id, name, icon`. */
export function gist(schema: Schema): string {
  const object = (schema.type === "array" ? schema.items : schema) as Schema;
  const names = Object.keys((object.properties as Schema | undefined) ?? {});
  const list = schema.type === "array" ? "a list of " : "";
  return asText(`${list}${names.length > 0 ? `{${names.join(", ")}}` : String(object.type ?? "anything")}`);
}

const optional = ` <span class="quiet">optional</span>`;

function rowsOf(schema: Schema, prefix: string): string[] {
  if (schema.type === "array") return rowsOf(schema.items as Schema, prefix);
  const required = new Set(schema.required as string[] | undefined);
  const rows = Object.entries((schema.properties as Record<string, Schema> | undefined) ?? {}).flatMap(
    ([name, property]) => {
      const path = prefix === "" ? name : `${prefix}.${name}`;
      const row = `<tr><td>${code(path)}${required.has(name) ? "" : optional}</td><td>${typeOf(property)}</td><td>${limitsOf(property)}</td></tr>`;
      return [row, ...rowsOf(property, property.type === "array" ? `${path}[]` : path)];
    },
  );
  const others = schema.additionalProperties;
  if (typeof others !== "object" || others === null) return rows;
  const path = prefix === "" ? "*" : `${prefix}.*`;
  return [...rows, `<tr><td>${code(path)}</td><td>${typeOf(others as Schema)}</td><td></td></tr>`];
}

function typeOf(schema: Schema): string {
  const items = schema.type === "array" ? ` of ${typeOf((schema.items as Schema) ?? {})}` : "";
  const format =
    typeof schema.format === "string" ? ` <span class="quiet">${asText(schema.format)}</span>` : "";
  const nullable = schema["x-nullable"] ? " or null" : "";
  const word = schema.type === "array" ? "list" : String(schema.type ?? "any");
  return asText(word) + format + items + nullable;
}

function limitsOf(schema: Schema): string {
  const said = [
    range(schema.minLength, schema.maxLength, "characters"),
    range(schema.minItems, schema.maxItems, "items"),
    range(schema.minimum, schema.maximum, ""),
    Array.isArray(schema.enum) ? schema.enum.map((each) => code(String(each))).join(" | ") : "",
    patternOf(schema),
    schema.default === undefined ? "" : `default ${code(JSON.stringify(schema.default))}`,
    typeof schema.description === "string" ? withCode(schema.description) : "",
  ];
  const inside = schema.type === "array" ? limitsOf((schema.items as Schema) ?? {}) : "";
  return [...said, inside && `each: ${inside}`].filter(Boolean).join("; ");
}

function range(from: unknown, to: unknown, unit: string): string {
  if (from === undefined && to === undefined) return "";
  const numbers =
    from === undefined
      ? `at most ${to}`
      : to === undefined
        ? `at least ${from}`
        : from === to
          ? from
          : `${from} to ${to}`;
  return `${numbers} ${unit}`.trim();
}

/** A pattern is left out where a format says it better, or where it is too long to read. */
function patternOf({ pattern, format }: Schema): string {
  if (typeof pattern !== "string" || format !== undefined || pattern.length > longestPattern) return "";
  return `matches ${code(pattern)}`;
}

export function code(text: string): string {
  return `<code>${asText(text)}</code>`;
}

/** Text with `words` in backticks shown as code. */
export function withCode(text: string): string {
  return asText(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

export function asText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
