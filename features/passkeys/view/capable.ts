// Whether passkeys work in this browser, at this address.
import { knownInstance } from "../../instance/view/instance.ts";

/**
 * Returns the reason, or undefined if passkeys work. Browsers require a secure context and a host name, not an IP
 * address. Keys belong to the domain of PUBLIC_URL, or to `localhost` without one.
 */
export function whyNoPasskeys(): "browser" | "address" | undefined {
  const { hostname } = location;
  if (isNumber(hostname) || !isSecureContext || !isOfDomain(hostname, knownInstance()?.public_url))
    return "address";
  return typeof PublicKeyCredential === "function" ? undefined : "browser";
}

/**
 * On a loopback address, returns this page's address at `localhost`; undefined elsewhere, and where passkeys do not work
 * at `localhost` either.
 */
export function ownMachineByName(): string | undefined {
  const { hostname, href } = location;
  const isOwn = /^127\.|^\[::1\]$/.test(hostname) && isOfDomain("localhost", knownInstance()?.public_url);
  return isOwn ? href.replace(hostname, "localhost") : undefined;
}

/** True if passkeys of the server with this PUBLIC_URL work at a host name; undefined: the URL is not known yet. */
export function isOfDomain(hostname: string, address: string | null | undefined): boolean {
  if (address === undefined) return true;
  const named = address === null ? "localhost" : new URL(address).hostname;
  const domain = /^(127\.|0\.0\.0\.0$|\[::1?\]$)/.test(named) ? "localhost" : named;
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

function isNumber(hostname: string): boolean {
  return /^[\d.]+$/.test(hostname) || hostname.startsWith("[");
}

/** True if this device itself can store one, protected by fingerprint, face or PIN. */
export async function canKeepPasskey(): Promise<boolean> {
  if (whyNoPasskeys()) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
}

/** The reason why a ceremony failed, by the name of the browser's error. */
export function outcomeOf(error: unknown): "cancelled" | "known" | "address" | "browser" | undefined {
  const { name } = error as { name?: string };
  if (name === "NotAllowedError" || name === "AbortError") return "cancelled";
  if (name === "InvalidStateError") return "known";
  if (name === "SecurityError") return "address";
  // No authenticator of this browser supports the algorithms that Hearth accepts.
  if (name === "NotSupportedError") return "browser";
  return undefined;
}
