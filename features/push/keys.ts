// The instance's VAPID keys, and validation of a browser's keys.
import { createECDH } from "node:crypto";
import { invalidField } from "../../protocol/errors.ts";
import { decideOnce } from "../../server/database/instance.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";

interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const kept = perHouse<{ keys: VapidKeys | undefined }>("cache", () => ({ keys: undefined }));

/** Created at the first start and kept: new keys would void all subscriptions. */
export async function recallKeys(house: House): Promise<void> {
  const made = JSON.stringify(await newKeys());
  kept(house).keys = JSON.parse(await house.database.transaction((db) => decideOnce(db, "vapid_keys", made)));
}

/** RFC 8292: a P-256 key pair, its raw public point (65 bytes) and its private number (32 bytes) in base64url. */
async function newKeys(): Promise<VapidKeys> {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
  const point = await crypto.subtle.exportKey("raw", pair.publicKey);
  const { d: privateKey } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  return { publicKey: Buffer.from(point).toString("base64url"), privateKey: privateKey! };
}

export function vapidDetails(house: House): VapidKeys & { subject: string } {
  const { keys } = kept(house);
  if (!keys) throw new Error("the house is not open yet");
  return { ...keys, subject: subjectOf(house) };
}

/**
 * Push services accept https and mailto URLs only, and some reject localhost. If the instance has no such URL, the
 * contact is one at `example.com` that reaches nobody.
 */
function subjectOf(house: House): string {
  const { vapidSubject } = house.config;
  if (vapidSubject) return vapidSubject;
  const url = new URL(house.publicUrl);
  return url.protocol === "https:" && url.hostname !== "localhost" ? url.href : "mailto:nobody@example.com";
}

/** Validates a base64url point on the curve P-256. Throws a Refusal for anything else: encryption would fail. */
export function readPublicKey(text: string): string {
  const point = Buffer.from(text, "base64url");
  try {
    if (point.length !== 65) throw new Error("no uncompressed point");
    const ours = createECDH("prime256v1");
    ours.generateKeys();
    ours.computeSecret(point);
  } catch {
    throw invalidField("p256dh", "must be a P-256 public key, 65 bytes as base64url");
  }
  return point.toString("base64url");
}

export function readAuthSecret(text: string): string {
  const secret = Buffer.from(text, "base64url");
  if (secret.length !== 16) throw invalidField("auth", "must be 16 bytes as base64url");
  return secret.toString("base64url");
}
