// The two passkey ceremonies; the browser library is loaded in a chunk of its own.
import { CallError } from "../../../client/call.ts";
import { addPasskey, beginPasskey, beginPasskeyLogin, loginWithPasskey } from "../calls.ts";

/** Throws CallError if the chunk fails to load, as operations do: the server is unreachable then. */
function browser() {
  return import("@simplewebauthn/browser").catch(() => {
    throw new CallError(0, {});
  });
}

/**
 * Signs in with a passkey, and returns the user's id. With `isOffered`, the browser offers passkeys in the name field.
 * A browser has only one pending challenge: a late one would replace its successor.
 */
export async function signInWithPasskey(over: AbortSignal, isOffered = false): Promise<string> {
  const { startAuthentication } = await browser();
  over.throwIfAborted();
  const { publicKey } = await beginPasskeyLogin({}, over);
  const said = await askedUntil(over, () =>
    startAuthentication({ optionsJSON: publicKey, useBrowserAutofill: isOffered }),
  );
  const { id } = await loginWithPasskey({ body: { ...said, clientExtensionResults: {} } });
  return id;
}

/** Creates a passkey on this device for the user; without a name the server picks one. */
export async function makePasskey(over: AbortSignal, name?: string): Promise<{ name: string }> {
  const { startRegistration } = await browser();
  const { publicKey } = await beginPasskey({}, over);
  type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];
  // The same options as the server describes them; their hints and extensions are typed more loosely there.
  const { id, rawId, type, response } = await askedUntil(over, () =>
    startRegistration({ optionsJSON: publicKey as Options }),
  );
  const { clientDataJSON, attestationObject, transports } = response;
  const kept = { clientDataJSON, attestationObject, ...(transports && { transports }) };
  return addPasskey({ body: { id, rawId, type, response: kept, ...(name && { name }) } });
}

/** Lets the browser ask the user, until that is aborted. */
async function askedUntil<T>(over: AbortSignal, ask: () => Promise<T>): Promise<T> {
  over.throwIfAborted();
  const cancel = () => void cancelCeremony();
  over.addEventListener("abort", cancel);
  return ask().finally(() => over.removeEventListener("abort", cancel));
}

/** Cancels a request that waits for a choice in the browser's list. */
export async function cancelCeremony(): Promise<void> {
  const { WebAuthnAbortService } = await browser();
  WebAuthnAbortService.cancelCeremony();
}

/** True if the browser can offer passkeys in the name field. */
export async function canAutofill(): Promise<boolean> {
  const { browserSupportsWebAuthnAutofill } = await browser();
  return browserSupportsWebAuthnAutofill();
}
