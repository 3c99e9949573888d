// The two ceremonies of passkeys, with the browser's part in a chunk of its own.
import { addPasskey, beginPasskey, beginPasskeyLogin, loginWithPasskey } from "../calls.ts";

const browser = () => import("@simplewebauthn/browser");

/** Signs in with a passkey, and returns who that is. `isAutofill`: one that the browser offers in the field of the name. */
export async function signInWithPasskey(isAutofill = false): Promise<string> {
  const { startAuthentication } = await browser();
  const { publicKey } = await beginPasskeyLogin();
  const said = await startAuthentication({ optionsJSON: publicKey, useBrowserAutofill: isAutofill });
  const { id } = await loginWithPasskey({ body: { ...said, clientExtensionResults: {} } });
  return id;
}

/** Makes a passkey on this device for who is signed in. */
export async function makePasskey(): Promise<void> {
  const { startRegistration } = await browser();
  const { publicKey } = await beginPasskey();
  const { id, rawId, type, response } = await startRegistration({ optionsJSON: publicKey as never });
  const { clientDataJSON, attestationObject, transports } = response;
  const kept = { clientDataJSON, attestationObject, ...(transports && { transports }) };
  await addPasskey({ body: { id, rawId, type, response: kept } });
}

/** Ends what waits for a choice in the browser's list. */
export async function cancelCeremony(): Promise<void> {
  const { WebAuthnAbortService } = await browser();
  WebAuthnAbortService.cancelCeremony();
}

/** Whether the browser can offer passkeys in the field of the name. */
export async function canAutofill(): Promise<boolean> {
  const { browserSupportsWebAuthnAutofill } = await browser();
  return browserSupportsWebAuthnAutofill();
}
