// Challenges that wait for their answer: each good for one answer, for five minutes, for the browser with its cookie.
import { randomBytes } from "node:crypto";
import { type House, perHouse } from "../../server/house/house.ts";

export const challengeMs = 5 * 60_000;
const challengeCookie = "hearth_challenge";
/** At 5 a second for one address, more than sixty addresses must work together to push an honest one out early. */
const mostWaiting = 100_000;
/** More than one, so that they become fewer with each that comes. */
const mostEndedAtOnce = 20;

/** To sign with any key of this domain. It is written here as whoever asks is a stranger, for whom no library is loaded. */
export function askForAnyKey(rpId: string) {
  return {
    rpId,
    challenge: randomBytes(32).toString("base64url"),
    // Never anybody's keys: who asks has not said who they are, and is told nothing about who is here.
    allowCredentials: [],
    timeout: challengeMs,
    userVerification: "required",
  };
}

interface Waiting {
  challenge: string;
  /** Whose registration it is; null for a login, which is nobody's yet. */
  userId: string | null;
  until: number;
}

/** Kept in memory: a restart forgets them, and whoever was in between begins again. */
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

  /** Answers the value of the cookie that will bring it back. */
  issue(challenge: string, userId: string | null, now = Date.now()): string {
    // A few at a time: after a flood a hundred thousand end together.
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
   * The challenge that waits for this browser and person; whatever comes of it, it is gone then. Without a pause
   * between looking and deleting, so that of two answers at once one finds nothing.
   */
  take(headers: Headers, userId: string | null, now = Date.now()): string | undefined {
    const [key, another] = cookies(headers.get("cookie"));
    // Two cookies of one name: somebody else has put one there.
    if (key === undefined || another !== undefined) return undefined;
    const waiting = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (!waiting || waiting.until <= now || waiting.userId !== userId) return undefined;
    return waiting.challenge;
  }
}

/** Apart from each other: what anybody may ask for pushes out no registration, and neither answers for the other. */
export const registrations = perHouse(() => new Challenges());
export const logins = perHouse(() => new Challenges());

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
