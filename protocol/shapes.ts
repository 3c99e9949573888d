// The Zod shapes that several features share: ids, times, names, texts, addresses.
import { z } from "zod";
import { limits } from "./limits.ts";

// Without a flag for the case of letters: the description shows the bare pattern.
const uuidPattern = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;

// Control characters, line separators, bidi controls, and zero-width characters other than the joiner.
const hiddenCharacters =
  "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b\\u200c\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\u3164\\ufeff\\uffa0";
const hidden = new RegExp(`[${hiddenCharacters}]`);

/** For the description: a text without characters that are not seen, and one that besides is not blank. */
export const plainPattern = `^[^${hiddenCharacters}]*$`;
/** Likewise: a text of which trimming leaves something. Spelled out, because not all patterns mean the same by `\s`. */
export const notBlankPattern =
  "[^\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]";
const namePattern = `^[^${hiddenCharacters}]*[^\\s${hiddenCharacters}][^${hiddenCharacters}]*$`;

/** A UUID as it stands in ids; folded to lower case, so that one id has one spelling. */
export const id = z
  .string()
  .regex(uuidPattern, { error: "must be an id", abort: true })
  .toLowerCase()
  .meta({ format: "uuid" });

/** UTC, ISO 8601 with milliseconds. */
export const time = z.string().meta({ format: "date-time" });

export const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: "must be a colour like #33aaff", abort: true })
  .toLowerCase();

export const position = z.int().min(0).max(limits.position_max);

/** An http(s) address; anything a browser might run (javascript:, data:) is refused. */
export const httpUrl = z
  .string()
  .max(limits.url_max, { abort: true })
  .refine(isHttpUrl, "must be an http or https address")
  .meta({ format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://" });

/** The same, but for an address of which nobody on the way can read or change what it leads to. */
export const httpsUrl = z
  .string()
  .max(limits.url_max, { abort: true })
  .refine((value) => isHttpUrl(value) && /^https:/i.test(value), "must be an https address")
  .meta({ format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]://" });

/**
 * A name that people see: trimmed, 1 to `max` code points, with nothing in it that turns or hides the text around it.
 * A zero-width joiner between the parts of an emoji stays allowed.
 */
export function name(max: number) {
  return z
    .string()
    .trim()
    .min(1, { error: "must not be empty", abort: true })
    .refine(isAtMost(max), { error: `must be at most ${max} characters`, abort: true })
    .refine((text) => !hidesText(text), "must not hold invisible or direction-changing characters")
    .meta({ minLength: 1, maxLength: max, pattern: namePattern });
}

/** A free text of at most `max` code points. */
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

/** Whether a text has at most `max` code points; one that cannot have so few is not looked into. */
export function isAtMost(max: number): (value: string) => boolean {
  return (value) => value.length <= max || (value.length <= 2 * max && length(value) <= max);
}

/** Length in code points, the unit of every text limit here. */
export function length(value: string): number {
  let count = 0;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit < 0xdc00 || unit > 0xdfff) count++;
  }
  return count;
}

const joiner = /\u200d/;
const joinerInEmoji =
  /(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic}|[\u2640\u2642])/gu;

/** Whether a text holds characters that are not seen, or that turn the text around them. */
export function hidesText(value: string): boolean {
  if (hidden.test(value)) return true;
  return joiner.test(value) && joiner.test(value.replace(joinerInEmoji, ""));
}

/** The name of a host has at most 253 characters; to spell one of thousands takes the runtime milliseconds. */
const longHost = /^https?:[\\/\s]*[^\\/?#]{400}/i;

export function isHttpUrl(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || longHost.test(value)) return false;
  return URL.canParse(value);
}
