// Tokens and ids: 256 random bits for their holder, a hash for the database, ids that sort by time.
import { randomBytes } from "node:crypto";
import type { TokenPrefix } from "./secrets.ts";

/** Sorts before every id. */
export const lowestId = "00000000-0000-0000-0000-000000000000";

/** A new secret, shown to its owner once: its prefix, and 256 random bits. */
export function newToken(prefix: TokenPrefix): string {
  return prefix + randomBytes(32).toString("base64url");
}

const hashesKept = 10_000;
/** A longer token cannot be ours, and would only take room in the cache of hashes. */
const tokenLength = 64;
const hashes = new Map<string, string>();

/** The hash of a token, as the database stores it. Cached for a while: the same few tokens come with every request. */
export function tokenHash(token: string): string {
  const known = hashes.get(token);
  if (known !== undefined) return known;
  if (hashes.size >= hashesKept) hashes.clear();
  const hash = new Bun.CryptoHasher("sha256").update(token).digest("base64url");
  if (token.length <= tokenLength) hashes.set(token, hash);
  return hash;
}

/** The highest id so far, also while the clock is behind it. */
let highest = lowestId;

/** A UUIDv7, above every earlier one of this process and above the ids passed to `idsRiseFrom`. */
export function newId(): string {
  const id = Bun.randomUUIDv7();
  return id > highest ? id : nextAfterHighest();
}

/** Makes the next ids higher than this one: an earlier process may have made it by a clock ahead of today's. */
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
 * When an id was made, in milliseconds since 1970, from its first 48 bits. Too late while the clock is behind the
 * highest id.
 */
export function madeAt(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
