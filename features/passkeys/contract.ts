// Passkeys: registering, signing in, listing and deleting. Names follow WebAuthn.
import { z } from "zod";
import { sessionHeaders } from "../../protocol/headers.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id, name, time } from "../../protocol/shapes.ts";

/** Bytes in base64url, as in WebAuthn's JSON. */
function base64url(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, "must be base64url");
}

/** WebAuthn allows at most 1023 bytes. */
const credentialId = base64url(1364);
const transports = z.array(z.string().regex(/^[a-z-]{1,32}$/)).max(10);
const descriptor = z.object({
  id: credentialId,
  type: z.literal("public-key"),
  transports: transports.optional(),
});
const verification = z.literal("required");

const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal("none"),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: verification,
    requireResidentKey: z.literal(true),
    userVerification: verification,
  }),
  extensions: z.object({ credProps: z.boolean() }),
  hints: z.array(z.string()),
});

const requestOptions = z.object({
  rpId: z.string(),
  challenge: z.string(),
  allowCredentials: z.array(descriptor).max(0).meta({ description: "Always empty: the key knows its owner" }),
  timeout: z.int(),
  userVerification: verification,
});

const credential = {
  id: credentialId,
  rawId: credentialId.meta({ description: "The same as id" }),
  type: z.literal("public-key"),
  clientExtensionResults: z.record(z.string(), z.unknown()).optional(),
};
const hasOneId = (body: { id: string; rawId: string }) => body.id === body.rawId;
const hasTwo = { path: ["rawId"], message: "must be the id" };

export const attestation = z
  .object({
    ...credential,
    name: name(limits.passkey_name_max).optional(),
    response: z.object({
      clientDataJSON: base64url(8192),
      attestationObject: base64url(16_384),
      transports: transports.optional(),
    }),
  })
  .refine(hasOneId, hasTwo);
export type Attestation = z.infer<typeof attestation>;

const assertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url(8192),
      authenticatorData: base64url(8192),
      signature: base64url(4096),
      userHandle: z.string().max(128).nullish(),
    }),
  })
  .refine(hasOneId, hasTwo);
export type Assertion = z.infer<typeof assertion>;

export const passkey = z
  .object({
    id: credentialId,
    name: z.string(),
    created_at: time,
    last_used_at: time.nullable(),
    /** True if the key claims to be backed up. */
    backed_up: z.boolean(),
    newer_than_password: z.boolean().meta({
      description: "It was added after the last sign-in by password: worth a look when the password changes",
    }),
  })
  .meta({ id: "Passkey" });

/** The cookie that the second call of a ceremony has to send. */
const challengeHeaders = {
  "Set-Cookie": z.string().meta({
    description: "The cookie `hearth_challenge`, which goes along with the answer to this challenge",
  }),
};

export const beginPasskey = operation({
  name: "beginPasskey",
  method: "POST",
  path: "/auth/webauthn/register/begin",
  summary: "Options for navigator.credentials.create; the challenge is good for 5 minutes, in this browser",
  caller: "person",
  lane: "read",
  rate: "auth",
  answers: {
    200: {
      description: "The options",
      body: z.object({ publicKey: creationOptions }),
      headers: challengeHeaders,
    },
  },
  errors: ["conflict", "not_configured"],
});

export const addPasskey = operation({
  name: "addPasskey",
  method: "POST",
  path: "/auth/webauthn/register/finish",
  summary: "Keep the passkey that was just made: its toJSON(), and a name if wanted",
  caller: "person",
  lane: "own",
  rate: "auth",
  body: attestation,
  answers: {
    201: {
      description: "The passkey's id, which is the credential's, and its name",
      body: z.object({ id: credentialId, name: z.string() }),
    },
  },
  errors: ["conflict", "not_configured"],
});

export const beginPasskeyLogin = operation({
  name: "beginPasskeyLogin",
  method: "POST",
  path: "/auth/webauthn/login/begin",
  summary: "Options for navigator.credentials.get; the challenge is good for 5 minutes, in this browser",
  caller: "public",
  lane: "read",
  rate: "auth",
  answers: {
    200: {
      description: "The options, the same for everybody",
      body: z.object({ publicKey: requestOptions }),
      headers: challengeHeaders,
    },
  },
  errors: ["not_configured"],
});

export const loginWithPasskey = operation({
  name: "loginWithPasskey",
  method: "POST",
  path: "/auth/webauthn/login/finish",
  summary: "Sign in with what the passkey said: the credential's toJSON()",
  caller: "public",
  lane: "own",
  rate: "auth",
  body: assertion,
  answers: {
    200: { description: "The account", body: z.object({ id }), headers: sessionHeaders },
  },
  errors: ["invalid_credentials", "forbidden", "not_configured"],
});

export const listPasskeys = operation({
  name: "listPasskeys",
  method: "GET",
  path: "/auth/webauthn/credentials",
  summary: "The caller's passkeys, oldest first",
  caller: "person",
  lane: "read",
  answers: { 200: { description: "The passkeys", body: z.array(passkey) } },
});

export const deletePasskey = operation({
  name: "deletePasskey",
  method: "DELETE",
  path: "/auth/webauthn/credentials/{id}",
  summary: "Forget one of the caller's passkeys; sessions that it opened stay",
  caller: "person",
  lane: "write",
  params: z.object({ id: credentialId }),
  answers: { 204: { description: "It opens nothing any more" } },
});
