// What the log tells of an error: what kind it is and where it came from, and nothing of the data that it carries along.
import { shortened } from "../secrets.ts";

const longestMessage = 2000;
const longestStack = 6000;
const longestFact = 200;
/** Causes of causes, and errors that stand for several. */
const deepest = 3;
const mostTogether = 4;

/** Set by the runtime, by PostgreSQL and by others; their other properties quote rows, requests and answers. */
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
