// HTML pages for people: the frame of a page, and a schema as rows of a table, nested fields by dotted names.
import { createHash } from "node:crypto";
import type { Schema } from "./schemas.ts";

export interface HtmlPage {
  body: Blob;
  /** The Content-Security-Policy that allows the page's own contents, and nothing else. */
  policy: string;
}

/** The parts of a page. Its script is inline, and the policy allows it by its hash. */
interface PageParts {
  title: string;
  /** Which of the head's links leads to this page. */
  at: "./" | "gateway";
  /** Path of the style that the pages share; undefined if the page of this Hearth is not built. */
  style: string | undefined;
  script?: string;
  /** Further elements of the head. */
  head?: string;
  body: string;
  /** Further sources and actions that the page is allowed, by directive of the policy. */
  allows?: Readonly<Record<string, string>>;
}

/** Applies the theme that the reader chose for the page of Hearth, before the first paint. */
const theme = `
try {
  const { theme } = JSON.parse(localStorage.getItem("hearth.look") ?? "{}");
  if (["light", "dark", "contrast"].includes(theme)) document.documentElement.dataset.theme = theme;
} catch {}
`;

export function page({ title, at, style, script = "", head = "", body, allows = {} }: PageParts): HtmlPage {
  const code = theme + script;
  const policy = {
    "default-src": "'none'",
    ...allows,
    "style-src": `'self' ${allows["style-src"] ?? ""}`.trim(),
    "font-src": "'self'",
    "img-src": `'self' ${allows["img-src"] ?? ""}`.trim(),
    "script-src": `${hashOf(code)} ${allows["script-src"] ?? ""}`.trim(),
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
  };
  const link = style === undefined ? "" : `<link rel="stylesheet" href="${asText(style)}">`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${title}</title><link rel="icon" href="/mark.svg" type="image/svg+xml">${head}${link}<script>${code}</script></head>
<body>${headOf(at)}${body}</body></html>
`;
  return {
    body: new Blob([html]),
    policy: Object.entries(policy)
      .map((each) => each.join(" "))
      .join("; "),
  };
}

/** The head of every page: the way back to the page of Hearth, and to the other descriptions. */
function headOf(at: PageParts["at"]): string {
  const links = [
    ["./", "The interface"],
    ["gateway", "The gateway"],
    ...["openapi.json", "asyncapi.json", "swagger.json"].map((name) => [name, name] as const),
  ] as const;
  const shown = links.map(
    ([path, words]) => `<a href="${path}"${path === at ? ` aria-current="page"` : ""}>${words}</a>`,
  );
  return `<header class="head"><a class="home" href="/"><img src="/mark.svg" alt="" width="28" height="28">Hearth</a><nav aria-label="The descriptions">${shown.join("")}</nav></header>`;
}

export function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const longestPattern = 60;

/** A table with more rows is folded, with the names of the top-level fields shown. */
const rowsShown = 15;

/** A table of the fields of an object, or of a list's items; empty when there are no fields. */
export function fieldTable(schema: Schema): string {
  const rows = rowsOf(schema, "");
  if (rows.length === 0) return "";
  const table = `<table><thead><tr><th>field</th><th>type</th><th>limits</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
  if (rows.length <= rowsShown) return table;
  const names = Object.keys((schema.properties ?? {}) as object);
  return `<details><summary>Fields: ${names.map(code).join(", ")}</summary>${table}</details>`;
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

/** A pattern is left out when a format says it better, or when it is too long to read. */
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
