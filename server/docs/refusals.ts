// Refusals: their shape, and those that an operation may answer with, by its caller rule, rate and shapes.
import { z } from "zod";
import { type ErrorBody, type ErrorCode, errorStatus } from "../../protocol/errors.ts";
import { type Operation, readsAnything } from "../../protocol/operation.ts";
import { id } from "../../protocol/shapes.ts";

/** The fields of every refusal, over HTTP and in the gateway's ERROR. */
export const refusal = z.object({
  error: z.string().meta({ description: "A sentence for a person" }),
  code: z
    .enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]])
    .meta({ description: "A stable word for programs" }),
});

export const retryAfter = z.int().min(1).meta({ description: "Seconds until a further try makes sense" });

const fields = z.array(
  z.object({ path: z.string().meta({ description: "Dotted: `role_ids.3`" }), message: z.string() }),
);

/** The body of every refusal over HTTP. */
export const errorBody = refusal
  .extend({
    request_id: id,
    fields: fields.optional().meta({ description: "Which fields were refused, and why" }),
    retry_after: retryAfter.optional(),
  })
  .meta({ id: "Error" }) satisfies z.ZodType<ErrorBody>;

/** The codes by status, lowest first. */
export function refusalsOf(operation: Operation): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>(operation.errors);
  // Every operation can fail, or find the database away.
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
