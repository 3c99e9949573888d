// Makes a passkey for who is signed in; the browser's part comes in a chunk of its own.
import { addPasskey, beginPasskey } from "../../calls.ts";

/** Why there can be none here; undefined where there can. A bare number for an address has no passkeys. */
export function whyNone(): "noAddress" | "noBrowser" | undefined {
  const isNumber = /^[\d.]+$/.test(location.hostname) || location.hostname.startsWith("[");
  if (isNumber || !isSecureContext) return "noAddress";
  return typeof PublicKeyCredential === "function" ? undefined : "noBrowser";
}

/** Throws CallError, and what `outcomeOf` knows. */
export async function makePasskey(name: string): Promise<{ name: string }> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const { publicKey } = await beginPasskey();
  type Options = Parameters<typeof startRegistration>[0]["optionsJSON"];
  // The server's own words for the same options; its hints and extensions are typed wider there.
  const made = await startRegistration({ optionsJSON: publicKey as Options });
  const { clientDataJSON, attestationObject, transports } = made.response;
  return addPasskey({
    body: {
      id: made.id,
      rawId: made.rawId,
      type: made.type,
      response: { clientDataJSON, attestationObject, ...(transports && { transports }) },
      ...(name && { name }),
    },
  });
}

/** What came of a ceremony that made no passkey, by the name of the browser's error. */
export function outcomeOf(error: unknown): "notMade" | "known" | "noAddress" | undefined {
  const { name } = error as { name?: string };
  if (name === "NotAllowedError" || name === "AbortError") return "notMade";
  if (name === "InvalidStateError") return "known";
  if (name === "SecurityError") return "noAddress";
  return undefined;
}
