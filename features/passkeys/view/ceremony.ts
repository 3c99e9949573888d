// The two ceremonies of passkeys, with the browser's part in a chunk of its own.
import { addPasskey, beginPasskey, beginPasskeyLogin, loginWithPasskey } from "../calls.ts";

const browser = () => import("@simplewebauthn/browser");

/**
 * Signs in with a passkey, and returns who that is. With `offered`: one that the browser offers in the field of the name,
 * until that is aborted. A browser has one challenge at a time: one that comes late would take the place of the next.
 */
export async function signInWithPasskey(offered?: AbortSignal): Promise<string> {
  const { startAuthentication } = await browser();
  offered?.throwIfAborted();
  const { publicKey } = await beginPasskeyLogin({}, offered);
  offered?.throwIfAborted();
  const said = await startAuthentication({
    optionsJSON: publicKey,
    useBrowserAutofill: offered !== undefined,
  });
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
