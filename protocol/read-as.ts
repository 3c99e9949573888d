// Reads what came from outside by its schema, whatever it is.
import type { z } from "zod";

/** The value as the schema has it; undefined, and what is wrong with it, when it does not fit. */
export type Read<Value> = { success: true; data: Value } | { success: false; issues: z.core.$ZodIssue[] };

/** Never throws: checks of length are made on anything that has a `length`, and comparing that may throw. */
export function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown): Read<z.output<Schema>> {
  try {
    const read = schema.safeParse(value);
    return read.success ? read : { success: false, issues: read.error.issues };
  } catch {
    return { success: false, issues: [] };
  }
}
