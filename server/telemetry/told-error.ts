// The part of an error that may be logged: its kind and its origin, without the data that it carries.
import { CannotStart } from "../cannot-start.ts";
import { shortened, valueWithoutSecrets, withoutSecrets } from "../secrets.ts";

const longestMessage = 2000;
const longestStack = 6000;
const longestFact = 200;
/** How deep nested causes, and errors that hold several, are followed. */
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

/** An error, or any other thrown value, as a plain object for a log line. */
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

/** Codes of PostgreSQL and SQLite, of colliding transactions, and of files and the network. */
const ofDatabase = /^(?:[0-9A-Z]{5}|SQLITE_[A-Z_]+)$/;
const ofCollision = /^(?:40001|40P01|55P03)$/;
const ofSystem = /^E(?!RR_)[A-Z]{2,}/;
/** Messages of the PostgreSQL driver that come without a code. */
const ofConnection = /^(?:Connection terminated|timeout (?:expired|exceeded)|Client has encountered)/;

/**
 * The one place that turns a thrown error into a sentence. An unexpected error is a bug of ours: then the result is all
 * that may be shown of it, for a report.
 */
export function told(error: unknown): string {
  if (error instanceof CannotStart) return error.message;
  if (!(error instanceof Error)) return JSON.stringify(valueWithoutSecrets(toldError(error), []));
  const code = String((error as { code?: unknown }).code ?? "");
  const [line = ""] = withoutSecrets(error.message || code).split("\n", 1);
  const says = line.replace(/(?<![.?!])[.?!]+$/, "");
  if (ofCollision.test(code))
    return `Others changed the same in the database at this moment (${says}). Nothing was changed: try again.`;
  if (ofConnection.test(says)) return `The database does not answer: ${says}. Try again when it does.`;
  if (ofSystem.test(code)) return `The system could not do this: ${says}.`;
  if (ofDatabase.test(code)) return `The database could not do this: ${says} (${code}).`;
  return JSON.stringify(valueWithoutSecrets(toldError(error), []));
}
