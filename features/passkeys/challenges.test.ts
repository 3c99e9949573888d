// Pending challenges: whom they are for, and how often they may be requested.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MemoryShortLived } from "../../server/house/short-lived-memory.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { type Answer, send } from "../../tests/house/people/people.ts";
import { expectRefusal } from "../../tests/routes/error-body.ts";
import { challengeMs, issueChallenge, takeChallenge } from "./challenges.ts";

const withCookie = (key: string) => new Headers({ Cookie: `theme=dark; hearth_challenge=${key}; a=b` });

test("W7: a challenge is for one person, once", async () => {
  const challenges = new MemoryShortLived<{ challenge: string; userId: string | null }>({
    name: "challenges",
    keptMs: challengeMs,
    most: 10,
  });
  const key = await issueChallenge(challenges, "hers", "alice");
  expect(await takeChallenge(challenges, withCookie(key), "bob")).toBeUndefined();
  expect(await takeChallenge(challenges, withCookie(key), "alice")).toBeUndefined();
  const again = await issueChallenge(challenges, "hers", "alice");
  expect(await takeChallenge(challenges, withCookie(again), "alice")).toBe("hers");
  expect(challenges.size).toBe(0);
});

describe("T2, W7: asking and answering, with the limits on", () => {
  let house: TestHouse;
  beforeAll(async () => {
    house = await makeHouse("SQLite", {
      RATE_LIMITS: "on",
      TRUSTED_PROXIES: "127.0.0.1",
      LOG_LEVEL: "silent",
    });
    await house.open();
  });
  afterAll(() => house.end());

  for (const step of ["login/begin", "login/finish", "register/begin", "register/finish"]) {
    test(`${step}: 10 at once from one address, then 429 with Retry-After; another address may`, async () => {
      const call = (address: string): Promise<Answer<unknown>> =>
        send(house, undefined, "POST", `/auth/webauthn/${step}`, {}, { "X-Forwarded-For": address });
      const address = `203.0.113.${step.length}`;
      const begun = performance.now();
      const answers = await Promise.all(Array.from({ length: 40 }, () => call(address)));
      const refused = answers.filter((answer) => answer.status === 429);
      // Five calls a second are refilled meanwhile.
      const cameBack = Math.ceil(((performance.now() - begun) / 1000) * 5);
      expect(refused.length).toBeGreaterThanOrEqual(30 - cameBack);
      for (const answer of refused) {
        expectRefusal(answer, "rate_limited");
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      }
      expect((await call(`198.51.100.${step.length}`)).status).not.toBe(429);
    });
  }
});
