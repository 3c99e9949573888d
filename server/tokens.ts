// Tokens and ids: 256 random bits for whoever holds them, a hash for the database, ids that sort by time.
import { randomBytes } from "node:crypto";

/** A new secret, shown to its owner once: prefix and 256 random bits. */
export function newToken(prefix: "hs_" | "hb_" | "hw_"): string {
  return prefix + randomBytes(32).toString("base64url");
}

/** What is stored of a token. */
export function tokenHash(token: string): string {
  return new Bun.CryptoHasher("sha256").update(token).digest("base64url");
}

/** UUIDv7, increasing within this process. */
export function newId(): string {
  return Bun.randomUUIDv7();
}
