// A double of a hardware key and its browser: real keys, real signatures, and any lie that a test asks for.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { cborOf } from "./cbor.ts";

/** Deviations from the truth; each makes an answer invalid in its own way. */
export interface Lies {
  type?: string;
  challenge?: string;
  origin?: string;
  crossOrigin?: unknown;
  topOrigin?: string;
  rpId?: string;
  userPresent?: boolean;
  userVerified?: boolean;
  backupEligible?: boolean;
  backedUp?: boolean;
  counter?: number;
  /** The id in the JSON, its raw form beside it, and the id that the key signs. */
  id?: string;
  rawId?: string;
  credentialId?: Buffer;
  algorithm?: Algorithm;
  /** The attestation's format, and its statement. */
  format?: string;
  statement?: Map<string, unknown>;
  userHandle?: string | undefined;
  /** Signs with this other key. */
  signedBy?: KeyObject;
}

type Algorithm = "ES256" | "Ed25519" | "RS256" | "ES384";

interface Kept {
  id: string;
  rpId: string;
  userHandle: string;
  secret: KeyObject;
  algorithm: Algorithm;
  counter: number;
  backupEligible: boolean;
}

export interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
  excludeCredentials: { id: string }[];
}

export interface RequestOptions {
  challenge: string;
  rpId: string;
}

export class Authenticator {
  /** The origin of the page that asks. */
  readonly origin: string;
  /** True if it counts its signatures; many synced keys do not, and always report 0. */
  readonly counts: boolean;
  readonly kept: Kept[] = [];

  constructor(origin: string, counts = true) {
    this.origin = origin;
    this.counts = counts;
  }

  /** The result of `navigator.credentials.create(…)`, as its toJSON() writes it. */
  create(options: CreationOptions, lies: Lies = {}) {
    const algorithm = lies.algorithm ?? "ES256";
    const { publicKey, privateKey } = keyPair(algorithm);
    const raw = lies.credentialId ?? randomBytes(32);
    const id = raw.toString("base64url");
    const key: Kept = {
      id,
      rpId: options.rp.id,
      userHandle: options.user.id,
      secret: privateKey,
      algorithm,
      counter: 0,
      backupEligible: lies.backupEligible ?? false,
    };
    const length = Buffer.alloc(2);
    length.writeUInt16BE(raw.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, raw, cborOf(coseOf(algorithm, publicKey))]);
    const authData = Buffer.concat([this.#signedPart(key, lies, 0x40), attested]);
    const clientDataJSON = this.#clientData("webauthn.create", options.challenge, lies);
    const format = lies.format ?? "none";
    const statement =
      lies.statement ??
      (format === "packed"
        ? new Map<string, unknown>([
            ["alg", -7],
            ["sig", signature({ ...key, secret: lies.signedBy ?? privateKey }, authData, clientDataJSON)],
          ])
        : new Map());
    const attestation = new Map<string, unknown>([
      ["fmt", format],
      ["attStmt", statement],
      ["authData", authData],
    ]);
    this.kept.push(key);
    return {
      id: lies.id ?? id,
      rawId: lies.rawId ?? lies.id ?? id,
      type: "public-key",
      authenticatorAttachment: "cross-platform",
      clientExtensionResults: { credProps: { rk: true } },
      response: {
        clientDataJSON: clientDataJSON.toString("base64url"),
        attestationObject: cborOf(attestation).toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        publicKeyAlgorithm: -7,
        transports: ["usb", "nfc"],
      },
    };
  }

  /** The result of `navigator.credentials.get(…)` with the newest key. */
  get(options: RequestOptions, lies: Lies = {}) {
    const key = this.kept.at(-1);
    if (!key) throw new Error("there is no key in it");
    if (this.counts) key.counter++;
    const authData = this.#signedPart({ ...key, rpId: options.rpId }, lies, 0);
    const clientDataJSON = this.#clientData("webauthn.get", options.challenge, lies);
    const signer = { ...key, secret: lies.signedBy ?? key.secret };
    return {
      id: lies.id ?? key.id,
      rawId: lies.rawId ?? lies.id ?? key.id,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientDataJSON.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: signature(signer, authData, clientDataJSON).toString("base64url"),
        userHandle: "userHandle" in lies ? lies.userHandle : key.userHandle,
      },
    };
  }

  /** Hash of the domain, flags and counter: the start of the signed part of every answer. */
  #signedPart(key: Kept, lies: Lies, more: number): Buffer {
    const flags =
      more |
      (lies.userPresent === false ? 0 : 0x01) |
      (lies.userVerified === false ? 0 : 0x04) |
      ((lies.backupEligible ?? key.backupEligible) ? 0x08 : 0) |
      (lies.backedUp ? 0x10 : 0);
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags, 0);
    rest.writeUInt32BE(lies.counter ?? key.counter, 1);
    return Buffer.concat([sha256(lies.rpId ?? key.rpId), rest]);
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const data = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.origin,
      crossOrigin: "crossOrigin" in lies ? lies.crossOrigin : false,
      ...(lies.topOrigin && { topOrigin: lies.topOrigin }),
    };
    return Buffer.from(JSON.stringify(data));
  }
}

function keyPair(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === "Ed25519") return generateKeyPairSync("ed25519");
  if (algorithm === "RS256") return generateKeyPairSync("rsa", { modulusLength: 2048 });
  return generateKeyPairSync("ec", { namedCurve: algorithm === "ES384" ? "P-384" : "P-256" });
}

/** The public key with the labels of COSE (RFC 9053). */
function coseOf(algorithm: Algorithm, key: KeyObject): Map<number, unknown> {
  const jwk = key.export({ format: "jwk" }) as Record<"x" | "y" | "n" | "e", string>;
  const bytes = (part: "x" | "y" | "n" | "e") => Buffer.from(jwk[part], "base64url");
  const parts: Record<Algorithm, () => [number, unknown][]> = {
    ES256: () => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes("x")],
      [-3, bytes("y")],
    ],
    ES384: () => [
      [1, 2],
      [3, -35],
      [-1, 2],
      [-2, bytes("x")],
      [-3, bytes("y")],
    ],
    Ed25519: () => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes("x")],
    ],
    RS256: () => [
      [1, 3],
      [3, -257],
      [-1, bytes("n")],
      [-2, bytes("e")],
    ],
  };
  return new Map(parts[algorithm]());
}

function signature({ secret, algorithm }: Kept, authData: Buffer, clientDataJSON: Buffer): Buffer {
  const hash = { ES256: "sha256", RS256: "sha256", ES384: "sha384", Ed25519: null }[algorithm];
  return sign(hash, Buffer.concat([authData, sha256(clientDataJSON)]), secret);
}

function sha256(data: string | Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}
