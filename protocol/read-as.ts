// Validates external values against a schema without ever throwing.
import type { z } from "zod";

/** The value as the schema returns it, or the issues when it does not match. */
type Read<Value> = { success: true; data: Value } | { success: false; issues: z.core.$ZodIssue[] };

/**
 * Validates a value. Zod compares the `length` of any value that has one, which may throw: such a value does not match.
 */
export function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown): Read<z.output<Schema>> {
  try {
    const read = schema.safeParse(value);
    return read.success ? read : { success: false, issues: read.error.issues };
  } catch {
    return { success: false, issues: [] };
  }
}
