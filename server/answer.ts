// How answers are written: JSON, the error body, and the security headers that every one of them carries.
import type { ErrorBody, Refusal } from "../protocol/errors.ts";

const security = {
  "Content-Security-Policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(self), microphone=(self), display-capture=(self), geolocation=()",
};

/** Everything on an answer but its status and body. Answers are private: nobody in between keeps them. */
export function headersFor(requestId: string, contentType: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {
    ...security,
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
  };
  if (contentType) headers["Content-Type"] = contentType;
  return headers;
}

export const jsonType = "application/json; charset=utf-8";

export function refusalAnswer(
  refusal: Refusal,
  requestId: string,
  extra: Record<string, string> = {},
): Response {
  const { fields, retryAfter, allow } = refusal.detail;
  const seconds = retryAfter === undefined ? undefined : Math.max(1, Math.ceil(retryAfter));
  const body: ErrorBody = {
    error: refusal.message,
    code: refusal.code,
    request_id: requestId,
    ...(fields && { fields }),
    ...(seconds !== undefined && { retry_after: seconds }),
  };
  const headers = { ...headersFor(requestId, jsonType), ...extra };
  if (seconds !== undefined) headers["Retry-After"] = String(seconds);
  if (allow) headers.Allow = allow;
  return new Response(JSON.stringify(body), { status: refusal.status, headers });
}
