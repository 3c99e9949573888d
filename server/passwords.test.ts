// Password hashing: the hashes, and what they match. Its queue is tested through the API, in tests/protection.
import { describe, expect, spyOn, test } from "bun:test";
import { passwordHasher } from "./passwords.ts";

describe("a hash", () => {
  test("is argon2id with 19 MiB and 2 passes, never twice the same, and knows its password", async () => {
    const hasher = passwordHasher();
    const [one, other] = [await hasher.hash("open sesame"), await hasher.hash("open sesame")];
    expect(one).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(one).not.toBe(other);
    expect(await hasher.verify("open sesame", one)).toBe("right");
    expect(await hasher.verify("open sesame!", one)).toBe("wrong");
  });

  test("that is missing fits no password", async () => {
    expect(await passwordHasher().verify("anything", undefined)).toBe("wrong");
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
    expect(await hasher.verify("right", hash)).toBe("right");
  } finally {
    failing.mockRestore();
  }
});

describe("letters that a keyboard may make in two ways", () => {
  const [composed, decomposed] = ["caf\u00e9 long pass 1", "cafe\u0301 long pass 1"];

  test("are one password, however they come", async () => {
    const hasher = passwordHasher({ memoryCost: 8, timeCost: 1 });
    for (const one of [composed, decomposed])
      for (const other of [composed, decomposed])
        expect(await hasher.verify(other, await hasher.hash(one))).toBe("right");
  });

  test("are tried as they came where the hash is from before, and cost the same for unknown names", async () => {
    const hasher = passwordHasher({ memoryCost: 8, timeCost: 1 });
    const before = await Bun.password.hash(decomposed, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
    expect(await hasher.verify(decomposed, before)).toBe("as typed");
    expect(await hasher.verify(composed, before)).toBe("wrong");
    const verifying = spyOn(Bun.password, "verify");
    const countOf = async (password: string, hash: string | undefined) => {
      verifying.mockClear();
      await hasher.verify(password, hash);
      return verifying.mock.calls.length;
    };
    try {
      const other = await hasher.hash("something else");
      for (const password of [composed, decomposed, "plain letters"])
        expect([password, await countOf(password, undefined)]).toEqual([
          password,
          await countOf(password, other),
        ]);
    } finally {
      verifying.mockRestore();
    }
  });
});
