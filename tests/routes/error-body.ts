// The body of every error answer.
import { expect } from "bun:test";
import { z } from "zod";
import { type ErrorCode, errorStatus } from "../../protocol/errors.ts";

const codes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

const errorBody = z.strictObject({
  error: z
    .string()
    .regex(/^\S.*[.?!]$|^[\w.]+: .+$/s, "must be a sentence, or a field and what is wrong with it"),
  code: z.enum(codes),
  request_id: z.uuid(),
  fields: z.array(z.strictObject({ path: z.string(), message: z.string().min(1) })).optional(),
  retry_after: z.int().min(1).optional(),
});

interface Refused {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Fails unless the answer is an error body with this code, and the status of the code. */
export function expectRefusal({ status, headers, body }: Refused, code: ErrorCode): void {
  expect({ status, code: (body as { code?: unknown } | undefined)?.code }).toEqual({
    status: errorStatus[code],
    code,
  });
  expectErrorBody({ status, headers, body });
}

/** Fails unless the answer is an error body, with any code. */
export function expectErrorBody({ status, headers, body }: Refused): void {
  const read = errorBody.parse(body);
  expect(errorStatus[read.code]).toBe(status as never);
  expect(read.request_id).toBe(headers.get("x-request-id") ?? "no X-Request-Id");
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  const seconds = headers.get("retry-after");
  expect(seconds).toBe(read.retry_after === undefined ? null : String(read.retry_after));
}
