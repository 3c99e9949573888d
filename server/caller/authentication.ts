// Authentication: the caller of a request or socket, by cookie or header. HTTP and the gateway share it.
import { Refusal } from "../../protocol/errors.ts";
import type { Caller, TokenScheme } from "../house/feature.ts";
import type { House } from "../house/house.ts";
import type { Soon } from "../house/known.ts";

export const sessionCookie = "app_session";

/**
 * The caller of a request; null without valid credentials. A cookie, even a bad one, hides a Bearer token in the
 * Authorization header; two session cookies are ambiguous and count as none.
 */
export function authenticate(
  house: House,
  headers: Headers,
  lookingUp?: () => Soon<void>,
): Soon<Caller | null> {
  const authorization = headers.get("authorization");
  const cookies = sessionCookies(headers.get("cookie"));
  if (cookies.length > 1) return null;
  if (cookies[0] !== undefined) return authenticateToken(house, "Cookie", cookies[0], lookingUp);
  const [, scheme, token] = /^(Bearer|Bot) +([\x21-\x7e]{1,256})$/i.exec(authorization ?? "") ?? [];
  if (!scheme || !token) return null;
  return authenticateToken(house, scheme.toLowerCase() === "bot" ? "Bot" : "Bearer", token, lookingUp);
}

/**
 * Tries each feature's authenticator. `lookingUp` is called before a token is looked up in the database, and may throw.
 */
export function authenticateToken(
  house: House,
  scheme: TokenScheme,
  token: string,
  lookingUp: () => Soon<void> = () => {},
): Soon<Caller | null> {
  for (const authenticator of house.authenticators) {
    const caller = authenticator(house, scheme, token, lookingUp);
    if (caller !== undefined) return caller;
  }
  return null;
}

export function sessionCookies(header: string | null): string[] {
  if (!header?.includes(sessionCookie)) return [];
  return header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${sessionCookie}=`))
    .map((pair) => pair.slice(sessionCookie.length + 1));
}

export function unauthenticated(): Refusal {
  return new Refusal("unauthenticated", "Sign in first: this needs a valid session.");
}
