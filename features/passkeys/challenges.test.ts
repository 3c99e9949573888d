// The challenges that wait: how many, for how long, and how often somebody may ask for one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeHouse, type TestHouse } from "../../tests/house/engines.ts";
import { type Answer, send } from "../../tests/house/people.ts";
import { expectRefusal } from "../../tests/routes/error-body.ts";
import { Challenges, challengeMs } from "./challenges.ts";

const withCookie = (key: string) => new Headers({ Cookie: `theme=dark; hearth_challenge=${key}; a=b` });

describe("W7: the challenges that wait", () => {
  test("are never more than there is room for: the oldest give way", () => {
    const challenges = new Challenges(3);
    const keys = ["a", "b", "c", "d", "e"].map((challenge) => challenges.issue(challenge, null));
    expect(challenges.size).toBe(3);
    const taken = keys.map((key) => challenges.take(withCookie(key), null));
    expect(taken).toEqual([undefined, undefined, "c", "d", "e"]);
    expect(challenges.size).toBe(0);
  });

  test("are forgotten when they are too old, and nothing is left of them", () => {
    const challenges = new Challenges();
    const key = challenges.issue("early", null, 0);
    challenges.issue("also early", null, 1);
    expect(challenges.take(withCookie(key), null, challengeMs)).toBeUndefined();
    challenges.issue("late", null, challengeMs + 1);
    expect(challenges.size).toBe(1);
  });

  test("of a flood of old ones only some go at a time, so that whoever asks next does not wait for all", () => {
    const challenges = new Challenges();
    for (let i = 0; i < 1000; i++) challenges.issue("flood", null, 0);
    challenges.issue("late", null, challengeMs);
    expect(challenges.size).toBe(981);
    for (let i = 0; i < 60; i++) challenges.issue("late", null, challengeMs);
    expect(challenges.size).toBe(61);
  });

  test("are each for one person, once", () => {
    const challenges = new Challenges();
    const key = challenges.issue("hers", "alice");
    expect(challenges.take(withCookie(key), "bob")).toBeUndefined();
    expect(challenges.take(withCookie(key), "alice")).toBeUndefined();
    const again = challenges.issue("hers", "alice");
    expect(challenges.take(withCookie(again), "alice")).toBe("hers");
  });
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
      const answers = await Promise.all(Array.from({ length: 40 }, () => call(address)));
      const refused = answers.filter((answer) => answer.status === 429);
      expect(refused.length).toBeGreaterThan(20);
      for (const answer of refused) {
        expectRefusal(answer, "rate_limited");
        expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      }
      expect((await call(`198.51.100.${step.length}`)).status).not.toBe(429);
    });
  }
});
