// The description is as strict as the server: it refuses every text that the server refuses for its form.
import { expect, test } from "bun:test";
import type { z } from "zod";
import { notBlankPattern } from "../../protocol/shapes.ts";
import { type Schema, schemaOf } from "../../server/docs/schemas.ts";
import { swaggerDialect } from "../../server/docs/swagger-schemas.ts";
import { Browser } from "../doubles/web-push.ts";
import { routes, titleOf } from "./walk.ts";

interface Field {
  at: string;
  shape: z.ZodType;
  described: Schema;
}

/** Every field of every body and query, including nested ones. */
function* fields(): Generator<Field> {
  for (const { operation } of routes) {
    for (const shape of [operation.query, operation.body]) {
      if (shape) yield* fieldsOf(titleOf(operation), shape);
    }
  }
}

function* fieldsOf(at: string, object: z.ZodType): Generator<Field> {
  const { shape = {} } = object as { shape?: Record<string, z.ZodType> };
  const { properties = {} } = schemaOf(swaggerDialect, object, "input") as {
    properties?: Record<string, Schema>;
  };
  for (const [name, each] of Object.entries(shape)) {
    yield { at: `${at} ${name}`, shape: each, described: properties[name] ?? {} };
    yield* fieldsOf(`${at} ${name}`, each);
  }
}

function isDescribed({ type, enum: few, minLength, maxLength, pattern }: Schema, text: string): boolean {
  if (type !== "string") return type === undefined;
  if (few && !(few as string[]).includes(text)) return false;
  if (text.length < Number(minLength ?? 0) || text.length > Number(maxLength ?? Infinity)) return false;
  return pattern === undefined || new RegExp(String(pattern)).test(text);
}

function untold(texts: readonly string[], but?: RegExp): string[] {
  const all = [...fields()];
  expect(all.length).toBeGreaterThan(routes.length / 2);
  return all
    .filter(({ at }) => !but?.test(at))
    .flatMap(({ at, shape, described }) =>
      texts
        .filter((text) => !shape.safeParse(text).success && isDescribed(described, text))
        .map((text) => `${at}: ${JSON.stringify(text).slice(0, 40)}`),
    );
}

test("a text that is refused because it is empty or blank", () => {
  expect(untold(["", " ", "\n\t ", "\u3000", "\ufeff"])).toEqual([]);
});

test("a text that is refused because of its form, but where it takes a list of all emoji or time zones to know", () => {
  const odd = [
    "javascript:alert(1)",
    "ftp://pictures.example/1.png",
    "x".repeat(5000),
    `${"x".repeat(65)}@people.example`,
    "someone@nowhere",
    "1969-12-31T23:59:59Z",
    "2030-02-30T10:00:00Z",
    "2030-01-31",
    "24:00",
    "#12345",
    "hidden\u202etext",
    "two\nlines",
    "1.5",
    "-",
  ];
  expect(untold(odd, / (emoji|icon|time_zone)$/)).toEqual([]);
});

test("blank, as the description has it, is what trimming leaves nothing of", () => {
  const pattern = new RegExp(notBlankPattern);
  const wrong: string[] = [];
  for (let unit = 0; unit < 0x10000; unit++) {
    const text = String.fromCharCode(unit);
    if (pattern.test(text) !== (text.trim() !== "")) wrong.push(unit.toString(16));
  }
  expect(wrong).toEqual([]);
});

test("the keys of a browser look as they are described", () => {
  const subscribe = [...fields()].filter(({ at }) => at.startsWith("POST /push/subscribe "));
  const { subscription } = new Browser("https://push.example/1");
  for (const [name, value] of Object.entries(subscription)) {
    const described = subscribe.find(({ at }) => at.endsWith(` ${name}`))?.described;
    expect([name, isDescribed(described ?? {}, value)]).toEqual([name, true]);
  }
  const [p256dh, auth] = ["p256dh", "auth"].map((name) => subscribe.find(({ at }) => at.endsWith(name)));
  const bytes = (count: number) => Buffer.alloc(count, 4).toString("base64url");
  for (const count of [33, 64, 66]) expect(isDescribed(p256dh?.described ?? {}, bytes(count))).toBe(false);
  for (const count of [15, 17]) expect(isDescribed(auth?.described ?? {}, bytes(count))).toBe(false);
});
