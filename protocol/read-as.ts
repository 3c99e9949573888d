// Checks a value from outside against its schema without ever throwing.
import type { z } from "zod";

/** The value as the schema returns it, or the issues when it does not fit. */
type Read<Value> = { success: true; data: Value } | { success: false; issues: z.core.$ZodIssue[] };

/** Zod compares the `length` of any value that has one, and comparing may throw: such a value does not fit. */
export function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown): Read<z.output<Schema>> {
  try {
    const read = schema.safeParse(value);
    return read.success ? read : { success: false, issues: read.error.issues };
  } catch {
    return { success: false, issues: [] };
  }
}
