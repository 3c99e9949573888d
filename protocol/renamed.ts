// Names in a change: the one that is there may be older than the rules for names, and sending it back is no fault.
import type { z } from "zod";
import { invalidField } from "./errors.ts";

/**
 * Returns the name that a thing has after a change. Another name than the one before is held to `rule`. Throws
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
