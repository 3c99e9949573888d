// The guard of addresses that people enter: which URLs may be requested, and that their host resolves only to the
// public internet.
import { BlockList, isIP } from "node:net";
import { invalidField, type Refusal } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { isHttpUrl } from "../../protocol/shapes.ts";
import { hostOf, portOf } from "../wire/request-head.ts";
import type { Network } from "./network.ts";

const notPublic = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8], // this host
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // behind a carrier's NAT
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local, and the metadata of clouds
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
] as const) {
  notPublic.addSubnet(network, bits, "ipv4");
}
for (const [network, bits] of [
  ["2001::", 23], // protocol assignments, Teredo
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4: holds an IPv4 address
  ["3fff::", 20], // documentation
] as const) {
  notPublic.addSubnet(network, bits, "ipv6");
}
/**
 * All allocated IPv6 addresses. Loopback, link-local, unique local, multicast, mapped and translated IPv4 are not among
 * them.
 */
const handedOut = new BlockList();
handedOut.addSubnet("2000::", 3, "ipv6");

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, "ipv4");
    case 6:
      return !address.includes("%") && handedOut.check(address, "ipv6") && !notPublic.check(address, "ipv6");
    default:
      return false;
  }
}

const localName = /^[^.]+\.?$|(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;

/** The allowed form of a kind of addresses. */
export interface PublicUrls {
  /** The field that a refusal names. */
  field: string;
  /** For example `https:`. */
  protocols: readonly string[];
  ports: readonly number[];
}

/** The normalized URL, without its fragment. Throws invalid_request when its text alone rules it out. */
export function readPublicUrl(text: string, { field, protocols, ports }: PublicUrls): URL {
  const refused = (why: string) => invalidField(field, why);
  const url = isHttpUrl(text) ? new URL(text) : undefined;
  if (!url || !protocols.includes(url.protocol)) {
    throw refused(`must be an ${protocols.map((each) => each.slice(0, -1)).join(" or ")} address`);
  }
  url.hash = "";
  if (!ports.includes(portOf(url))) throw refused(`must use port ${ports.join(" or ")}`);
  if (url.username !== "" || url.password !== "") throw refused("must not hold a name or a password");
  if (url.href.length > limits.url_max) throw refused(`must be at most ${limits.url_max} characters`);
  const host = hostOf(url);
  if (isIP(host) ? !isPublicAddress(host) : localName.test(host)) throw notReachable(field);
  return url;
}

/** Resolves a URL's host. Throws NotPublic when any of its addresses is not public. */
export async function publicAddresses(network: Network, url: URL): Promise<string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await network.lookup(host);
  if (!addresses.every(isPublicAddress)) throw new NotPublic();
  return addresses;
}

export class NotPublic extends Error {
  override name = "NotPublic";
}

export function notReachable(field: string): Refusal {
  return invalidField(field, "must be on the public internet");
}
