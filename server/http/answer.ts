// Writes answers: JSON, the error body, and the security headers of every answer.
import type { ErrorBody, Refusal } from "../../protocol/errors.ts";
import type { Data } from "../blobs/blobs.ts";
import type { Config } from "../config/config.ts";

/** The browser features that pages of this origin may use; every other known one is denied. */
const allowedFeatures =
  "microphone camera display-capture fullscreen autoplay clipboard-write publickey-credentials-get publickey-credentials-create";
// A browser that does not know a feature logs a warning, so the list holds those that Chromium knows. Left as browsers
// have them: the choice of a speaker, sound while the page is hidden, the local network, where a LiveKit may be, and what
// asks nobody and tells nothing.
const deniedFeatures =
  "accelerometer browsing-topics captured-surface-control clipboard-read compute-pressure digital-credentials-create digital-credentials-get encrypted-media gamepad geolocation gyroscope hid identity-credentials-get idle-detection interest-cohort keyboard-map language-detector language-model local-fonts magnetometer midi on-device-speech-recognition otp-credentials payment picture-in-picture screen-wake-lock serial storage-access summarizer sync-xhr translator usb window-management xr-spatial-tracking";
const permissionsPolicy = [
  ...allowedFeatures.split(" ").map((name) => `${name}=(self)`),
  ...deniedFeatures.split(" ").map((name) => `${name}=()`),
].join(", ");

const security = {
  "Content-Security-Policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "X-Frame-Options": "DENY",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": permissionsPolicy,
};

/** Makes browsers use https only from now on; sent only if the public URL is https. */
export function strictTransport({ publicUrl }: Pick<Config, "publicUrl">): Extra {
  return publicUrl?.startsWith("https:") ? { "Strict-Transport-Security": "max-age=31536000" } : {};
}

// Made once: copying ready Headers for each answer is cheaper than building them from a record.
const withoutBody = new Headers({ ...security, "Cache-Control": "no-store" });
const withJson = new Headers(withoutBody);
withJson.set("Content-Type", "application/json; charset=utf-8");

type Extra = Readonly<Record<string, string>>;

/** An answer with the security headers; no cache may store it unless `extra` says so. */
export function answer(body: Data | null, status: number, requestId: string, extra?: Extra): Response {
  return dressed(new Response(body, { status, headers: withoutBody }), requestId, extra);
}

/** `json` is JSON text, or a blob or a stream of it. */
export function jsonAnswer(json: Data, status: number, requestId: string, extra?: Extra): Response {
  return dressed(new Response(json, { status, headers: withJson }), requestId, extra);
}

function dressed(response: Response, requestId: string, extra: Extra | undefined): Response {
  const { headers } = response;
  headers.set("X-Request-Id", requestId);
  for (const name in extra) headers.set(name, extra[name] ?? "");
  return response;
}

export function refusalAnswer(refusal: Refusal, requestId: string, extra: Extra = {}): Response {
  const { fields, retryAfter, allow, size } = refusal.detail;
  const seconds = retryAfter === undefined ? undefined : Math.max(1, Math.ceil(retryAfter));
  const body: ErrorBody = {
    error: refusal.message,
    code: refusal.code,
    request_id: requestId,
    ...(fields && { fields }),
    ...(seconds !== undefined && { retry_after: seconds }),
  };
  return jsonAnswer(JSON.stringify(body), refusal.status, requestId, {
    ...extra,
    ...(seconds !== undefined && { "Retry-After": String(seconds) }),
    ...(allow && { Allow: allow }),
    ...(size !== undefined && { "Content-Range": `bytes */${size}` }),
  });
}
