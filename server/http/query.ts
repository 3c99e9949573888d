// Parses the query of a URL: at most 50 parameters; a repeated name has an array of values.
import { invalidField, Refusal } from "../../protocol/errors.ts";
import { findUnstorable } from "./body.ts";

const mostParameters = 50;

/** Throws invalid_request (400), before anything is parsed, when there are more than 50 parameters. */
export function readQuery(url: string): Record<string, string | string[]> {
  const at = url.indexOf("?");
  if (at < 0) return {};
  // A single plain parameter, the usual case, needs no parser.
  const [, name, plain] = /^(\w+)=([\w-]*)$/.exec(url.slice(at + 1)) ?? [];
  if (name !== undefined && plain !== undefined) return { [name]: plain };
  refuseTooMany(url, at);
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [key, value] of new URLSearchParams(url.slice(at + 1))) {
    const before = query[key];
    // A repeated parameter has no single value; the schema refuses the array.
    if (Array.isArray(before)) before.push(value);
    else query[key] = before === undefined ? value : [before, value];
  }
  // The parser keeps half surrogate pairs out; only an escape can bring a NUL.
  const path = url.includes("%00", at) ? findUnstorable(query) : undefined;
  if (path !== undefined) throw invalidField(path, "must not hold NUL");
  return query;
}

function refuseTooMany(url: string, at: number): void {
  let count = 1;
  for (let i = url.indexOf("&", at); i >= 0; i = url.indexOf("&", i + 1)) {
    if (++count > mostParameters) {
      throw new Refusal("invalid_request", `A query may have at most ${mostParameters} parameters.`);
    }
  }
}
