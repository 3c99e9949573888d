// The hashing of passwords: what it makes, and what fits it. Its queue is tested through the public interface, in tests/protection.
import { describe, expect, spyOn, test } from "bun:test";
import { passwordHasher } from "./passwords.ts";

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

test("a hash that failed once is made again: nobody is kept out by it until a restart", async () => {
  const hasher = passwordHasher({ memoryCost: 8, timeCost: 1 });
  const hash = await hasher.hash("right");
  const failing = spyOn(Bun.password, "hash").mockImplementationOnce(() =>
    Promise.reject(new Error("no memory")),
  );
  try {
    await expect(hasher.verify("right", hash)).rejects.toThrow("no memory");
    expect(await hasher.verify("right", hash)).toBe(true);
  } finally {
    failing.mockRestore();
  }
});
