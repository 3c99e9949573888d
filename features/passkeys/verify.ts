// Verifies signatures of keys: the library's checks, and those that it leaves to its caller.
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL } from "@simplewebauthn/server/helpers";
import type { Assertion, Attestation } from "./contract.ts";
import type { RelyingParty } from "./relying-party.ts";
import type { PasskeysTable } from "./store.ts";

/** Ed25519, ES256, RS256, by their COSE numbers: no other algorithm is offered or accepted. */
export const algorithms = [-8, -7, -257];

type NewKey = Pick<
  PasskeysTable,
  "id" | "public_key" | "counter" | "backup_eligible" | "backed_up" | "transports"
>;

/** Returns the new key, created for this challenge. Throws an Error that names the defect of the answer. */
export async function verifyAttestation(
  { id, origins }: RelyingParty,
  challenge: string,
  body: Attestation,
): Promise<NewKey> {
  refuseFrames(body.response.clientDataJSON);
  refuseCertificates(body.response.attestationObject);
  const { registrationInfo: info } = await verifyRegistrationResponse({
    response: { ...body, clientExtensionResults: {}, response: responseOf(body) },
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  });
  if (!info) throw new Error("the key's own signature is wrong");
  // The library returns the id that the key signed, and ignores the id next to it.
  if (info.credential.id !== body.id) throw new Error("the key has another id");
  return {
    id: body.id,
    public_key: isoBase64URL.fromBuffer(info.credential.publicKey),
    counter: info.credential.counter,
    backup_eligible: info.credentialDeviceType === "multiDevice" ? 1 : 0,
    backed_up: info.credentialBackedUp ? 1 : 0,
    transports: JSON.stringify(body.response.transports ?? []),
  };
}

/** Returns the key's own data, once its signature is verified. Throws an Error that names the defect. */
export async function verifyAssertion(
  { id, origins }: RelyingParty,
  challenge: string,
  body: Assertion,
  stored: PasskeysTable,
): Promise<{ counter: number; backedUp: boolean }> {
  refuseFrames(body.response.clientDataJSON);
  if (body.response.userHandle !== userHandleOf(stored.user_id))
    throw new Error("the key is another person's");
  const { clientDataJSON, authenticatorData, signature } = body.response;
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response: {
      ...body,
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: id,
    requireUserVerification: true,
    // The counter is compared when it is stored. Here it would be compared before the signature, and anybody who knows
    // an id could raise the alarm of a cloned key.
    credential: { id: stored.id, publicKey: isoBase64URL.toBuffer(stored.public_key), counter: 0 },
  });
  if (!verified) throw new Error("the signature is wrong");
  const eligible = info.credentialDeviceType === "multiDevice" ? 1 : 0;
  if (eligible !== stored.backup_eligible) throw new Error("a key never changes whether it can be backed up");
  return { counter: info.newCounter, backedUp: info.credentialBackedUp };
}

/** Returns the user handle for a person's keys: their id, which tells nothing else about them. */
export function userHandleOf(userId: string): string {
  return Buffer.from(userId).toString("base64url");
}

/** Rejects requests from inside a cross-origin frame. The library checks that only if a top origin is given. */
function refuseFrames(clientDataJSON: string): void {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON);
  if ((crossOrigin ?? false) !== false || topOrigin !== undefined) throw new Error("it was asked in a frame");
}

/**
 * Rejects attestation certificates. No attestation is requested, so browsers send none, or a self attestation;
 * verifying a certificate would make this server call addresses written in it.
 */
function refuseCertificates(attestationObject: string): void {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = decoded.get("fmt");
  const isOwn = format === "packed" && decoded.get("attStmt").get("x5c") === undefined;
  if (format !== "none" && !isOwn) throw new Error("there is an attestation that was not asked for");
}

function responseOf({ response: { clientDataJSON, attestationObject } }: Attestation) {
  return { clientDataJSON, attestationObject };
}
