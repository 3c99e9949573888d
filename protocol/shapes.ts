// The Zod shapes that several features share: ids, times, names, texts, URLs.
import { z } from "zod";
import { limits } from "./limits.ts";
import { hidesText, readsAsCall, showsSomething } from "./names.ts";

// No `i` flag: the description prints the pattern without its flags.
const uuid = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}";
const uuidPattern = new RegExp(`^${uuid}$`);

// Control characters, line separators, bidi controls, and zero-width characters other than the joiners, which words of
// some scripts are spelled with.
const hiddenCharacters =
  "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\u3164\\ufeff\\uffa0";
/** For the description: text without hidden characters. */
export const plainPattern = `^[^${hiddenCharacters}]*$`;
/**
 * For the description: text that trimming does not empty. The blanks are spelled out, because `\s` differs between
 * regex engines.
 */
export const notBlankPattern =
  "[^\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]";
const namePattern = `^[^${hiddenCharacters}]*[^\\s${hiddenCharacters}][^${hiddenCharacters}]*$`;

/** A UUID, folded to lower case, so that each id has one spelling. */
export const id = z
  .string()
  .regex(uuidPattern, { error: "must be an id", abort: true })
  .toLowerCase()
  .meta({ format: "uuid" });

/** One to `most` ids in a query, separated by commas. */
export function idsInQuery(most: number) {
  return z
    .string()
    .transform((text) => text.split(",", most + 1))
    .pipe(z.array(id).max(most, `must be at most ${most} ids`))
    .meta({ pattern: `^${uuid}(,${uuid}){0,${most - 1}}$` });
}

/** UTC, ISO 8601 with milliseconds. */
export const time = z.string().meta({ format: "date-time" });

/** The pattern of the times that a client may send. */
export const momentPattern = z.regexes.datetime({ offset: true }).source;
const lastMoment = Date.parse("9999-12-31T23:59:59.999Z");

/** A moment that a client sends, with its offset; parsed into milliseconds. */
export const moment = z.iso
  .datetime({ offset: true, error: "must be a time like 2030-01-31T18:00:00.000Z" })
  .max(40)
  .transform((value) => Date.parse(value))
  .refine((ms) => ms <= lastMoment, "must be a time before the year 10000")
  .meta({ pattern: momentPattern });

export const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: "must be a colour like #33aaff", abort: true })
  .toLowerCase();

export const position = z.int().min(0).max(limits.position_max);

/** An http(s) URL; anything that a browser might run (javascript:, data:) is refused. */
export const httpUrl = z
  .string()
  .max(limits.url_max, { abort: true })
  .refine(isHttpUrl, "must be an http or https address")
  .meta({ format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://" });

/** Like the shape, but a blank text becomes null: programs send fields that nobody filled in as blank texts. */
export function orEmpty(shape: z.ZodType<string, string>) {
  const { minLength: _, pattern, ...told } = (shape.meta() ?? {}) as Record<string, unknown>;
  return z
    .string()
    .transform((text, context) => {
      if (text.trim() === "") return null;
      const read = shape.safeParse(text);
      if (read.success) return read.data;
      for (const { message } of read.error.issues) context.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .meta({ ...told, pattern: `${pattern}|^\\s*$` });
}

/** A name of people, bots, webhooks or roles, which must not look like a mention of everybody. */
export function personalName(max: number) {
  return name(max).refine((text) => !readsAsCall(text), "is reserved");
}

/**
 * A name: trimmed, 1 to `max` code points, by the rules of names.ts. The pattern of the description only approximates
 * them: patterns there know no Unicode properties.
 */
export function name(max: number) {
  return givenName(max)
    .refine((text) => !hidesText(text), {
      error: "must not hold invisible or direction-changing characters",
      abort: true,
    })
    .refine(showsSomething, "must hold a character that can be seen")
    .meta({ minLength: 1, maxLength: max, pattern: namePattern });
}

/** A name in a change: `renamed` applies the rules of names.ts if it differs from the one before. */
export function givenName(max: number) {
  return z
    .string()
    .trim()
    .min(1, { error: "must not be empty", abort: true })
    .refine(isAtMost(max), { error: `must be at most ${max} characters`, abort: true })
    .meta({ minLength: 1, maxLength: max, pattern: namePattern });
}

/** Free text of at most `max` code points. */
export function text(max: number) {
  return z
    .string()
    .refine(isAtMost(max), { error: `must be at most ${max} characters`, abort: true })
    .meta({ maxLength: max });
}

export const integerInQuery = z
  .string()
  .refine((text) => /^-?\d{1,64}$/.test(text), "must be a whole number")
  .transform(Number)
  .meta({ type: "integer" });

/**
 * Returns a check that a text has at most `max` code points. A text with more than twice as many UTF-16 code units is
 * refused without counting.
 */
export function isAtMost(max: number): (value: string) => boolean {
  return (value) => value.length <= max || (value.length <= 2 * max && length(value) <= max);
}

/** Returns the length in code points, the unit of all text limits. */
export function length(value: string): number {
  let count = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code < 0xdc00 || code > 0xdfff) count++;
  }
  return count;
}

/**
 * Matches hosts that are too long: a host name has at most 253 characters, and parsing one of thousands would take the
 * runtime milliseconds.
 */
const longHost = /^https?:[\\/\s]*[^\\/?#]{400}/i;

export function isHttpUrl(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || longHost.test(value)) return false;
  return URL.canParse(value);
}

/** The server of a channel or message. */
export const ownServer = id.nullable().meta({ description: "Null in a conversation" });
