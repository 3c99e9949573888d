// Validates names in a change: the current one may be older than the rules for names, and may be sent back.
import type { z } from "zod";
import { invalidField } from "./errors.ts";

/**
 * Returns the name of a thing after a change. A name other than the one before must match `rule`. Throws
 * invalid_request (400) for the field `path`.
 */
export function renamed<Name extends string | null>(
  path: string,
  before: Name,
  wished: Name | undefined,
  rule: z.ZodType<string | null>,
): Name {
  if (wished === undefined || wished === before) return before;
  const { error } = rule.safeParse(wished);
  if (error) throw invalidField(path, error.issues[0]?.message ?? "is refused");
  return wished;
}
