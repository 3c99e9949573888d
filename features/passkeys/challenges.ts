// Challenges that wait for their answer: each is good for one answer within five minutes, from the browser with its
// cookie.
import { randomBytes } from "node:crypto";
import { type House, perHouse } from "../../server/house/house.ts";

export const challengeMs = 5 * 60_000;
const challengeCookie = "hearth_challenge";
/**
 * At 5 a second for each address, more than sixty addresses would have to work together to push an honest challenge out
 * early.
 */
const mostWaiting = 100_000;
/** More than one, so that expired challenges become fewer with each new one. */
const mostEndedAtOnce = 20;

/**
 * Options for signing in with any key of this domain. Written here because a stranger asks for it, for whom no library
 * is loaded.
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
  until: number;
}

/** Challenges in memory: a restart forgets them, and people in the middle of a ceremony begin again. */
export class Challenges {
  readonly #limit: number;
  /** By the cookie's value, oldest first. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(limit = mostWaiting) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Returns the value of the cookie that belongs to the challenge. */
  issue(challenge: string, userId: string | null, now = Date.now()): string {
    // A few at a time: after a flood a hundred thousand expire together.
    let looks = 0;
    for (const [key, { until }] of this.#waiting) {
      if (++looks > mostEndedAtOnce || (until > now && this.#waiting.size < this.#limit)) break;
      this.#waiting.delete(key);
    }
    const key = randomBytes(32).toString("base64url");
    this.#waiting.set(key, { challenge, userId, until: now + challengeMs });
    return key;
  }

  /**
   * Takes the challenge of this browser and person, which is then gone whatever comes of it. Looking and deleting
   * happen in one turn, so that of two answers at once one finds nothing.
   */
  take(headers: Headers, userId: string | null, now = Date.now()): string | undefined {
    const [key, another] = cookies(headers.get("cookie"));
    // Two cookies of one name: another page of the domain has set one.
    if (key === undefined || another !== undefined) return undefined;
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (!waiting || waiting.until <= now || waiting.userId !== userId) return undefined;
    return waiting.challenge;
  }
}

/**
 * Kept apart from logins: logins, which anybody may begin, push out no registration, and neither kind answers for the
 * other.
 */
export const registrations = perHouse("truth", () => new Challenges());
export const logins = perHouse("truth", () => new Challenges());

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
