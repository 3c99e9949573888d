// The two ceremonies of passkeys, with the browser's part in a chunk of its own.
import { CallError } from "../../../client/call.ts";
import { addPasskey, beginPasskey, beginPasskeyLogin, loginWithPasskey } from "../calls.ts";

/** Throws CallError where that part does not come, as the operations do: Hearth is out of reach then. */
function browser() {
  return import("@simplewebauthn/browser").catch(() => {
    throw new CallError(0, {});
  });
}

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

/** Makes a passkey on this device for who is signed in; without a name the server makes one. */
export async function makePasskey(name?: string): Promise<{ name: string }> {
  const { startRegistration } = await browser();
  const { publicKey } = await beginPasskey();
  type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];
  // The server's own words for the same options; its hints and extensions are typed wider there.
  const { id, rawId, type, response } = await startRegistration({ optionsJSON: publicKey as Options });
  const { clientDataJSON, attestationObject, transports } = response;
  const kept = { clientDataJSON, attestationObject, ...(transports && { transports }) };
  return addPasskey({ body: { id, rawId, type, response: kept, ...(name && { name }) } });
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
