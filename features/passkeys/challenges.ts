// Pending challenges: each is valid for one answer within five minutes, from the browser with its cookie.
import { randomBytes } from "node:crypto";
import type { House } from "../../server/house/house.ts";
import { type ShortLived, shortLived } from "../../server/house/short-lived.ts";
import { tokenHash } from "../../server/tokens.ts";

export const challengeMs = 5 * 60_000;
const challengeCookie = "hearth_challenge";
/**
 * At 5 requests a second per address, more than sixty addresses would have to cooperate to evict an honest challenge
 * early.
 */
const mostWaiting = 100_000;

/**
 * Options for signing in with any key of this domain. Built by hand because anonymous requests need it, for which the
 * library is not loaded.
 */
export function askForAnyKey(rpId: string) {
  return {
    rpId,
    challenge: randomBytes(32).toString("base64url"),
    // Empty, because the caller has not said who they are: naming keys would reveal which accounts exist.
    allowCredentials: [],
    timeout: challengeMs,
    userVerification: "required",
  };
}

interface Waiting {
  challenge: string;
  /** The person who registers a key; null for a login. */
  userId: string | null;
}

/** Keyed by the hash of the cookie's value. */
type Challenges = ShortLived<Waiting>;

/**
 * Separate from logins, which anybody may begin: a flood of those evicts no registration, and neither kind accepts
 * answers to the other.
 */
export const registrations = shortLived<Waiting>({
  name: "passkey registration",
  keptMs: challengeMs,
  most: mostWaiting,
});
export const logins = shortLived<Waiting>({
  name: "passkey login",
  keptMs: challengeMs,
  most: mostWaiting,
});

/** Stores a challenge. Returns the value of its cookie. */
export async function issueChallenge(
  challenges: Challenges,
  challenge: string,
  userId: string | null,
): Promise<string> {
  const key = randomBytes(32).toString("base64url");
  await challenges.put(tokenHash(key), { challenge, userId });
  return key;
}

/** Takes the challenge of this browser and person, which is used up whatever the result. */
export async function takeChallenge(
  challenges: Challenges,
  headers: Headers,
  userId: string | null,
): Promise<string | undefined> {
  const [key, another] = cookies(headers.get("cookie"));
  // Two cookies with this name: another page of the domain has set one.
  if (key === undefined || another !== undefined) return undefined;
  const waiting = await challenges.take(tokenHash(key));
  return waiting?.userId === userId ? waiting.challenge : undefined;
}

export function cookieFor(house: House, value: string): Record<string, string> {
  const secure = house.config.cookieSecure ? "; Secure" : "";
  const kept = `Path=/; Max-Age=${challengeMs / 1000}; HttpOnly; SameSite=Strict${secure}`;
  return { "Set-Cookie": `${challengeCookie}=${value}; ${kept}` };
}

function cookies(header: string | null): string[] {
  return (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${challengeCookie}=`))
    .map((pair) => pair.slice(challengeCookie.length + 1));
}
