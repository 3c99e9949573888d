// Whether passkeys can be used in this browser, at this address.
import { knownInstance } from "../../instance/view/instance.ts";

/**
 * Why not; undefined where they can. Browsers want a safe connection, and a name: a bare number has no passkeys. The keys
 * belong to the domain of PUBLIC_URL, without which to `localhost`.
 */
export function whyNoPasskeys(): "browser" | "address" | undefined {
  const { hostname } = location;
  if (isNumber(hostname) || !isSecureContext || !isOfDomain(hostname, knownInstance()?.public_url))
    return "address";
  return typeof PublicKeyCredential === "function" ? undefined : "browser";
}

/** The same page by the name that every machine has for itself, where browsers do have passkeys; undefined elsewhere. */
export function ownMachineByName(): string | undefined {
  const { hostname, href } = location;
  return /^127\.|^\[::1\]$/.test(hostname) ? href.replace(hostname, "localhost") : undefined;
}

/** Whether passkeys of the server with this PUBLIC_URL can be used at a name; undefined: it did not say yet. */
export function isOfDomain(hostname: string, address: string | null | undefined): boolean {
  if (address === undefined) return true;
  const named = address === null ? "localhost" : new URL(address).hostname;
  const domain = /^(127\.|0\.0\.0\.0$|\[::1?\]$)/.test(named) ? "localhost" : named;
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

function isNumber(hostname: string): boolean {
  return /^[\d.]+$/.test(hostname) || hostname.startsWith("[");
}

/** Whether this very device can keep one, behind a finger, a face or a PIN. */
export async function canKeepPasskey(): Promise<boolean> {
  if (whyNoPasskeys()) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
}

/** What came of a ceremony that made no passkey and used none, by the name of the browser's error. */
export function outcomeOf(error: unknown): "cancelled" | "known" | "address" | "browser" | undefined {
  const { name } = error as { name?: string };
  if (name === "NotAllowedError" || name === "AbortError") return "cancelled";
  if (name === "InvalidStateError") return "known";
  if (name === "SecurityError") return "address";
  // No device that this browser reaches makes keys of the kinds that Hearth takes.
  if (name === "NotSupportedError") return "browser";
  return undefined;
}
