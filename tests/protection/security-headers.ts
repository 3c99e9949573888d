// The security headers that every answer of the server carries.
import { expect } from "bun:test";

const expected: Record<string, RegExp> = {
  "content-security-policy": /default-src '(none|self)'.*frame-ancestors 'none'/,
  "x-frame-options": /^DENY$/,
  "x-content-type-options": /^nosniff$/,
  "referrer-policy": /^no-referrer$/,
  "cross-origin-resource-policy": /^same-origin$/,
  "cross-origin-opener-policy": /^same-origin$/,
  "permissions-policy": /^microphone=\(self\), camera=\(self\), .*geolocation=\(\)/,
  "cache-control": /no-store/,
  "x-request-id": /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/,
};

export function expectSecurityHeaders(headers: Headers): void {
  const wrong = Object.entries(expected)
    .filter(([name, value]) => !value.test(headers.get(name) ?? ""))
    .map(([name]) => `${name}: ${headers.get(name)}`);
  expect(wrong).toEqual([]);
  for (const name of ["server", "x-powered-by", "access-control-allow-origin"]) {
    expect(headers.get(name)).toBeNull();
  }
}
