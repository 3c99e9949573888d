// The part of an error that may be logged: its kind and its origin, without the data that it carries along.
import { shortened } from "../secrets.ts";

const longestMessage = 2000;
const longestStack = 6000;
const longestFact = 200;
/** How deep causes of causes, and errors that hold several, are followed. */
const deepest = 3;
const mostTogether = 4;

/**
 * Properties that the runtime, PostgreSQL and others set; all other properties may quote rows, requests and answers.
 */
const facts = [
  "code",
  "errno",
  "syscall",
  "status",
  "severity",
  "schema",
  "table",
  "column",
  "constraint",
] as const;

/** An error, or whatever else was thrown, as a plain object for a log line. */
export function toldError(error: unknown, depth = 1): Record<string, unknown> {
  if (!(error instanceof Error))
    return { type: typeof error, message: String(error).slice(0, longestMessage) };
  const { message, stack, cause } = error;
  const told: Record<string, unknown> = {
    type: error.constructor.name || error.name,
    message: shortened(message, longestMessage),
  };
  for (const name of facts) {
    const value = (error as unknown as Record<string, unknown>)[name];
    if (typeof value === "number" && name !== "column") told[name] = value;
    if (typeof value === "string") told[name] = shortened(value, longestFact);
  }
  if (stack) told.stack = shortened(stack, longestStack);
  if (depth >= deepest) return told;
  if (cause !== undefined) told.cause = toldError(cause, depth + 1);
  if (error instanceof AggregateError) {
    told.errors = error.errors.slice(0, mostTogether).map((each) => toldError(each, depth + 1));
  }
  return told;
}
