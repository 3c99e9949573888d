// The refusals an operation may answer with: its own codes, and those of its caller rule, rate and shapes.
import { type ErrorCode, errorStatus } from "../../protocol/errors.ts";
import { type Operation, readsAnything } from "../../protocol/operation.ts";

/** The codes by their status, lowest first. */
export function refusalsOf(operation: Operation): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>(operation.errors);
  // Every operation can fail, or meet a database that is away.
  for (const code of ["internal", "unavailable"] as const) codes.add(code);
  if (operation.caller !== "public") codes.add("unauthenticated");
  if (operation.caller === "person") codes.add("forbidden");
  if (operation.caller !== "public" || readsAnything(operation)) codes.add("rate_limited");
  if (operation.method !== "GET") codes.add("untrusted_origin");
  if (operation.params) codes.add("not_found");
  if (operation.query || operation.body || operation.consumes) codes.add("invalid_request");
  if (operation.body) codes.add("malformed_json");
  if (operation.body || operation.consumes) {
    for (const code of ["too_large", "unsupported_type"] as const) codes.add(code);
  }
  const byStatus = Map.groupBy(codes, (code) => errorStatus[code]);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
