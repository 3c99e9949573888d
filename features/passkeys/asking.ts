// Options for the browser's creation of a passkey.
import { generateRegistrationOptions } from "@simplewebauthn/server";
import { challengeMs } from "./challenges.ts";
import type { PasskeysTable } from "./store.ts";
import { algorithms, userHandleOf } from "./verify.ts";

interface Named {
  id: string;
  username: string;
  display_name: string;
}

/** Options for a key that the person does not have yet. `to` is the domain of the key, and its display name. */
export function askForNewKey(to: { id: string; name: string }, user: Named, own: readonly PasskeysTable[]) {
  return generateRegistrationOptions({
    rpName: to.name,
    rpID: to.id,
    userID: Buffer.from(userHandleOf(user.id), "base64url"),
    userName: user.username,
    userDisplayName: user.display_name,
    timeout: challengeMs,
    attestationType: "none",
    excludeCredentials: own.map(({ id, transports }) => ({ id, transports: JSON.parse(transports) })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
  });
}
