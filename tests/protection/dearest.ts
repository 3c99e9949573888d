// The most expensive input that a declaration allows or only just refuses: long, odd and full, made from the schema.
import { z } from "zod";
import type { Operation } from "../../protocol/operation.ts";
import { fittingField, type Things } from "./fitting.ts";

/** Strings that may slow down a parser, a pattern, a count or a comparison, repeated as often as there is room. */
export const alphabets: Readonly<Record<string, string>> = {
  letters: "a",
  capitals: "İ",
  "combining marks": "a\u0301\u0323\u0302",
  "marks alone": "\u0315\u0300\u05ae",
  "astral signs": "😀",
  "joined emoji": "👩\u200d",
  "letters that grow": "ﷺ",
  jamo: "각",
  blanks: " \t",
  "hidden signs": "\u200d\u2066",
  mentions: "@a ",
  "mentions by id": "<@01890000-0000-7000-8000-000000000000>",
  fences: "```\n`",
  backslashes: "\\",
  quotes: '"',
  colons: ":a",
  "at and dots": "a@b.",
  brackets: "([{<",
  "wild cards": "%_",
  digits: "9",
  dashes: "-a.",
  addresses: "https://a.b/?c#",
};

interface Dear<T> {
  title: string;
  value: T;
}

interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  maxItems?: number;
  maxLength?: number;
  enum?: unknown[];
  anyOf?: Shape[];
}

/** Bytes of one value in a body of the largest size, with a little room for the rest of the body. */
const roomBytes = 250 * 1024;
const mostEntries = 1990;

/** Bodies in which one field, or all at once, is as expensive as possible; the other fields are valid. */
export function* dearestBodies({ body }: Operation, things: Things): Iterable<Dear<string>> {
  if (!body) return;
  const fields = Object.entries(shapeOf(body).properties ?? {});
  const fitting = fittingBody(body, fields, things);
  yield { title: "what fits", value: JSON.stringify(fitting) };
  for (const [name, field] of fields) {
    for (const { title, value } of dearestValues(name, field, things)) {
      yield { title: `${name}: ${title}`, value: JSON.stringify({ ...fitting, [name]: value }) };
    }
  }
  for (const alphabet of Object.keys(alphabets)) {
    const full = fields.flatMap(([name, field]) => {
      const most = declaredLength(field);
      return most === undefined ? [] : [[name, filled(alphabets[alphabet] ?? "", most)]];
    });
    const value = JSON.stringify({ ...fitting, ...Object.fromEntries(full) });
    yield { title: `all fields full of ${alphabet}`, value };
  }
  yield* dearestTexts(JSON.stringify(fitting));
}

/** JSON, or almost JSON, that is expensive before its fields are checked. */
export function* dearestTexts(fitting: string, room = roomBytes): Iterable<Dear<string>> {
  const unknown = Array.from({ length: mostEntries }, (_, i) => `"x${i}":[{}]`).join(",");
  const inside = fitting.slice(1, -1);
  const besides = inside === "" ? "" : `${inside},`;
  yield { title: "2,000 fields that nobody asked for", value: `{${besides}${unknown}}` };
  yield {
    title: "fields without end",
    value: `{${Array.from({ length: 18_000 }, (_, i) => `"x${i}":0`).join(",")}}`,
  };
  yield { title: "a name as long as the body", value: `{${besides}"${"x".repeat(room)}":0}` };
  yield { title: "a number as long as the body", value: `{${besides}"x":${"9".repeat(room)}}` };
  yield { title: "blanks as long as the body", value: `{${besides}"x":0${" \n".repeat(room / 2)}}` };
  yield { title: "nothing but escapes", value: `{${besides}"x":"${"\\u0041".repeat(room / 6)}"}` };
  yield { title: "escaped quotes", value: `{${besides}"x":"${'\\"'.repeat(room / 2)}"}` };
  yield { title: "as deep as may be", value: `{${besides}"x":${"[".repeat(30)}${"]".repeat(30)}}` };
  yield { title: "brackets without end", value: "[".repeat(room) };
  yield { title: "closing brackets without end", value: "]".repeat(room) };
  yield { title: "colons without end", value: ":".repeat(room) };
  yield { title: "quotes without end", value: '"'.repeat(room) };
  yield { title: "empty lists side by side", value: "[]".repeat(room / 2) };
}

/** Queries in which one parameter, or all at once, is as expensive as possible. */
export function* dearestQueries({ query }: Operation, things: Things): Iterable<Dear<string>> {
  if (!query) return;
  const fields = Object.entries(shapeOf(query).properties ?? {});
  for (const [name, field] of fields) {
    for (const [alphabet, signs] of Object.entries(alphabets)) {
      const value = encodeURIComponent(filled(signs, 12_000)).slice(0, 12_000).replace(/%\w?$/, "");
      yield { title: `${name}: ${alphabet}`, value: `${name}=${value}` };
      const most = encodeURIComponent(filled(signs, field.maxLength ?? 100));
      if (most.length < 12_000) yield { title: `${name}: full of ${alphabet}`, value: `${name}=${most}` };
    }
    const fit = encodeURIComponent(String(fittingValue(name, field, things)));
    yield { title: `${name} 50 times`, value: Array(50).fill(`${name}=${fit}`).join("&") };
    yield {
      title: `${name} as often as there is room`,
      value: `${name}&`.repeat(12_000 / (name.length + 1)),
    };
  }
  const long = `${"%41".repeat(70)}`;
  yield { title: "50 parameters", value: Array.from({ length: 50 }, (_, i) => `x${i}=${long}`).join("&") };
  yield { title: "one name 6,000 times", value: "a&".repeat(6000) };
  yield { title: "nothing but &", value: "&".repeat(12_000) };
}

/** Encoded values for one placeholder of a path. */
export function* dearestPlaces(): Iterable<Dear<string>> {
  for (const [alphabet, signs] of Object.entries(alphabets)) {
    for (const room of [64, 12_000]) {
      const value = encodeURIComponent(filled(signs, room)).slice(0, room).replace(/%\w?$/, "");
      yield { title: `${alphabet}, ${room}`, value };
    }
  }
  yield { title: "what cannot be decoded", value: "%ff".repeat(4000) };
  yield { title: "percent signs", value: "%".repeat(12_000) };
}

/** Headers about as long as the server accepts. */
export function* dearestHeaders(): Iterable<Dear<Record<string, string>>> {
  const room = 8000;
  const long: Record<string, string[]> = {
    Cookie: ["app_session=x; ", "a=b;", ";", "app_session", " ", "=;app_session=hs_"],
    Authorization: ["Bearer ", "Bearer hs_", " ", "Bot hb_", "eyJhbGciOi.", "."],
    Origin: ["https://a.b", "a.", ":", "/", "http://["],
    "X-Forwarded-For": ["127.0.0.1,", ",", "::1, ", "::ffff:127.0.0.1,", "%,", "1:"],
    Range: ["0-0,", "bytes=0-0,", "-", "9", ","],
    "If-None-Match": ['"x",', "W/", ",", "*,", " "],
    "If-Range": ['"', " "],
    "Content-Type": ["application/json;", "application/a+json+", "a/", ";", " ", "application/x."],
    "User-Agent": ["a", " ", "("],
    "Accept-Language": ["de,"],
    "X-Http-Method-Override": ["DELETE,"],
  };
  for (const [header, each] of Object.entries(long)) {
    for (const signs of each) {
      for (const start of ["", "bytes=", "Bearer ", "app_session=hs_", "application/"]) {
        const text = (start + signs.repeat(room / signs.length)).trim();
        if (text === "" || (start !== "" && !fitsStart(header, start))) continue;
        yield { title: `${header}: ${start}${signs}…`, value: { [header]: text } };
      }
    }
  }
  const many = Array.from({ length: 90 }, (_, i) => [`X-${i}`, "x".repeat(60)]);
  yield { title: "90 headers", value: Object.fromEntries(many) };
}

function fitsStart(header: string, start: string): boolean {
  const starts: Record<string, string> = {
    Range: "bytes=",
    Authorization: "Bearer ",
    Cookie: "app_session=hs_",
    "Content-Type": "application/",
  };
  return starts[header] === start;
}

function* dearestValues(name: string, field: Shape, things: Things): Iterable<Dear<unknown>> {
  const most = declaredLength(field);
  for (const [alphabet, signs] of Object.entries(alphabets)) {
    if (most !== undefined) yield { title: `full of ${alphabet}`, value: filled(signs, most) };
    yield { title: `${alphabet} without end`, value: filledBytes(signs) };
  }
  const items = field.items ?? field.anyOf?.find((each) => each.items)?.items;
  const one = items ? fittingValue(name, items, things) : 0;
  const count = (field.maxItems ?? field.anyOf?.find((each) => each.maxItems)?.maxItems ?? 100) - 1;
  yield { title: "a full list", value: Array.from({ length: count }, (_, i) => varied(one, i)) };
  yield { title: "a list of 1,990", value: Array.from({ length: mostEntries }, (_, i) => varied(one, i)) };
  yield { title: "a list of the same", value: Array.from({ length: mostEntries }, () => one) };
  for (const alphabet of ["letters", "combining marks", "colons", "blanks", "joined emoji"]) {
    const text = filledBytes(alphabets[alphabet] ?? "", Math.floor(roomBytes / 50));
    yield { title: `a list of ${alphabet}`, value: Array.from({ length: 49 }, () => text) };
  }
  yield { title: "lists in lists", value: JSON.parse("[".repeat(29) + "]".repeat(29)) };
  yield { title: "objects in objects", value: JSON.parse('{"a":'.repeat(29) + 1 + "}".repeat(29)) };
}

/** Values to try for fields whose name alone does not tell what is valid. */
const candidates = [
  ...[
    "text",
    "a@people.example",
    "Europe/Berlin",
    "going",
    "public-key",
    "AAAA",
    "https://pictures.example/1.png",
  ],
  [{ day: 1, start: "08:00", end: "18:00" }],
];

/** A body that has, for each field, the first candidate that its schema accepts. */
function fittingBody(body: z.ZodType, fields: [string, Shape][], things: Things): Record<string, unknown> {
  const { shape = {} } = body as { shape?: Record<string, z.ZodType> };
  const entries = fields.map(([name, field]) => {
    const usual = fittingValue(name, field, things);
    const fits = [usual, ...candidates].find((each) => shape[name]?.safeParse(each).success);
    return [name, fits ?? usual];
  });
  return Object.fromEntries(entries);
}

function fittingValue(name: string, field: Shape, things: Things): unknown {
  const known = fittingField(name, things);
  if (known !== "text") return known;
  const [first] = field.enum ?? [];
  if (first !== undefined) return first;
  if (field.anyOf?.[0]) return fittingValue(name, field.anyOf[0], things);
  if (field.type === "array") return [fittingValue(name, field.items ?? {}, things)];
  if (field.type === "object") {
    const fields = Object.entries(field.properties ?? {});
    return Object.fromEntries(fields.map(([inner, shape]) => [inner, fittingValue(inner, shape, things)]));
  }
  if (field.type === "integer" || field.type === "number") return 1;
  if (field.type === "boolean") return true;
  return known;
}

/** A variant of the value that differs for each `i`. Only strings are varied. */
function varied(value: unknown, i: number): unknown {
  if (typeof value !== "string") return value;
  return /^[0-9a-f-]{36}$/.test(value)
    ? value.slice(0, -12) + i.toString(16).padStart(12, "0")
    : `${value}${i}`;
}

function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Shape;
}

function declaredLength(field: Shape): number | undefined {
  return field.maxLength ?? field.anyOf?.map(declaredLength).find((length) => length !== undefined);
}

/** A text of this many code points. */
function filled(signs: string, points: number): string {
  const each = [...signs];
  return Array.from({ length: points }, (_, i) => each[i % each.length]).join("");
}

/** A text that takes up `bytes` in a JSON body, escapes included. */
function filledBytes(signs: string, bytes = roomBytes): string {
  return signs.repeat(Math.floor(bytes / (Buffer.byteLength(JSON.stringify(signs)) - 2)));
}
