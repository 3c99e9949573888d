// The hashing of passwords: what it makes, and how many may wait for it.
import { describe, expect, test } from "bun:test";
import { Refusal } from "../protocol/errors.ts";
import { passwordHasher } from "./passwords.ts";

const wasRefused = (result: PromiseSettledResult<unknown>) =>
  result.status === "rejected" && result.reason instanceof Refusal && result.reason.code === "unavailable";

describe("a hash", () => {
  test("is argon2id with 19 MiB and 2 passes, never twice the same, and knows its password", async () => {
    const hasher = passwordHasher();
    const [one, other] = [await hasher.hash("open sesame"), await hasher.hash("open sesame")];
    expect(one).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(one).not.toBe(other);
    expect(await hasher.verify("open sesame", one)).toBe(true);
    expect(await hasher.verify("open sesame!", one)).toBe(false);
  });

  test("that is missing fits no password", async () => {
    expect(await passwordHasher().verify("anything", undefined)).toBe(false);
  });
});

describe("the queue", () => {
  test("takes 2 at once and 128 more; the rest is refused with a time to come back", async () => {
    const hasher = passwordHasher();
    const results = await Promise.allSettled(Array.from({ length: 150 }, () => hasher.hash("open sesame")));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(130);
    const refused = results.filter(wasRefused);
    expect(refused).toHaveLength(20);
    for (const result of refused) {
      expect(result).toMatchObject({
        reason: { code: "unavailable", detail: { retryAfter: expect.any(Number) } },
      });
    }
    expect(await hasher.hash("open sesame")).toStartWith("$argon2id$");
  });

  test("an unknown name takes a place in it like a known one", async () => {
    const hasher = passwordHasher();
    const results = await Promise.allSettled(
      Array.from({ length: 140 }, () => hasher.verify("sesame", undefined)),
    );
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(130);
    expect(results.filter(wasRefused)).toHaveLength(10);
  });
});
