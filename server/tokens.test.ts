// What is remembered of tokens: their hashes, and nothing of what is too long to be one.
import { expect, test } from "bun:test";
import { newToken, tokenHash } from "./tokens.ts";

/** Bytes that are still in use once `work` is done. */
function kept(work: () => void): number {
  Bun.gc(true);
  const before = process.memoryUsage().heapUsed;
  work();
  Bun.gc(true);
  return process.memoryUsage().heapUsed - before;
}

const mib = 1024 * 1024;

test("a token has one hash, which is another's no more than the token is", () => {
  const [one, other] = [newToken("hs_"), newToken("hs_")];
  expect(tokenHash(one)).toBe(tokenHash(one));
  expect(tokenHash(one)).not.toBe(tokenHash(other));
  expect(tokenHash(one)).not.toContain(one);
});

test("what is too long for a token is hashed and forgotten", () => {
  const bytes = kept(() => {
    for (let i = 0; i < 2000; i++) tokenHash(`${i}`.padStart(16_384, "x"));
  });
  expect(bytes).toBeLessThan(8 * mib);
});
