// Tokens and ids: 256 random bits for whoever holds them, a hash for the database, ids that sort by time.
import { randomBytes } from "node:crypto";
import type { TokenPrefix } from "./secrets.ts";

/** Comes before every id there is. */
export const lowestId = "00000000-0000-0000-0000-000000000000";

/** A new secret, shown to its owner once: what it begins with, and 256 random bits. */
export function newToken(prefix: TokenPrefix): string {
  return prefix + randomBytes(32).toString("base64url");
}

const hashesKept = 10_000;
/** What is longer is no token of ours, and would only take room. */
const tokenLength = 64;
const hashes = new Map<string, string>();

/** What is stored of a token. Kept for a while: the same few tokens come with every request. */
export function tokenHash(token: string): string {
  const known = hashes.get(token);
  if (known !== undefined) return known;
  if (hashes.size >= hashesKept) hashes.clear();
  const hash = new Bun.CryptoHasher("sha256").update(token).digest("base64url");
  if (token.length <= tokenLength) hashes.set(token, hash);
  return hash;
}

/** The highest id there is, as long as the clock is behind it. */
let highest = lowestId;

/** UUIDv7, increasing within this process, and above every id that `idsRiseFrom` was told of. */
export function newId(): string {
  const id = Bun.randomUUIDv7();
  return id > highest ? id : nextAfterHighest();
}

/** An id that the next ones are to be above: made before this process, perhaps by a clock that was ahead of today's. */
export function idsRiseFrom(id: string): void {
  if (id > highest) highest = id;
}

function nextAfterHighest(): string {
  for (let ms = madeAt(highest); ; ms++) {
    const id = Bun.randomUUIDv7("hex", ms);
    if (id <= highest) continue;
    highest = id;
    return id;
  }
}

/**
 * When an id was made, in milliseconds since 1970, by the clock of then: its first 48 bits say so. Later than it was
 * while the clock is behind the highest id.
 */
export function madeAt(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
