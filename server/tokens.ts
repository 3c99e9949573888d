// Tokens and ids: 256 random bits for whoever holds them, a hash for the database, ids that sort by time.
import { randomBytes } from "node:crypto";

/** Comes before every id there is. */
export const lowestId = "00000000-0000-0000-0000-000000000000";

/** A new secret, shown to its owner once: prefix and 256 random bits. */
export function newToken(prefix: "hs_" | "hb_" | "hw_" | "hr_"): string {
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

/** UUIDv7, increasing within this process. */
export function newId(): string {
  return Bun.randomUUIDv7();
}

/** When an id was made, in milliseconds since 1970: its first 48 bits say so. */
export function madeAt(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
