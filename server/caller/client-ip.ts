// The client's address: the socket's, unless a trusted proxy names another.
import { BlockList, isIP, isIPv6 } from "node:net";

export type ClientIp = (socketAddress: string, forwardedFor: string | null) => string;

/**
 * `trusted` are addresses or CIDR ranges; the right-most hop that is not one of them is the client. `unread` gets the
 * text of a hop that a trusted proxy wrote and that is not an address.
 */
export function clientIpReader(
  trusted: readonly string[],
  unread: (hop: string) => void = () => {},
): ClientIp {
  const proxies = new BlockList();
  for (const each of trusted) {
    const [base = "", bits] = each.split("/");
    const family = isIPv6(base) ? "ipv6" : "ipv4";
    if (bits === undefined) proxies.addAddress(base, family);
    else proxies.addSubnet(base, Number(bits), family);
  }
  const isTrusted = (address: string) => proxies.check(address, isIPv6(address) ? "ipv6" : "ipv4");

  return (socketAddress, forwardedFor) => {
    let address = plain(socketAddress);
    if (trusted.length === 0 || !forwardedFor || !isTrusted(address)) return address;
    for (const written of forwardedFor.split(",").reverse()) {
      const hop = plain(written.trim());
      if (isIP(hop) === 0) {
        unread(written.trim());
        break;
      }
      address = hop;
      if (!isTrusted(hop)) break;
    }
    return address;
  };
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** True if the address is this machine. */
export function isLoopback(address: string): boolean {
  return loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** The part of an address that one client is assumed to own: an IPv6 /64, or the whole IPv4 address. */
export function rateKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = canonical(address).split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const after = tail === "" ? [] : tail.split(":");
    while (groups.length + after.length < 8) groups.push("0");
    groups.push(...after);
  }
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/** Strips the port, scope and quotation marks that proxies add, and writes IPv4-mapped IPv6 addresses as IPv4. */
function plain(quoted: string): string {
  const written = quoted.replace(/^"(.*)"$/, "$1");
  const [, inBrackets, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(written) ?? [];
  const address = (inBrackets ?? dotted ?? written).replace(/%.*/, "");
  // In canonical form, the IPv4 address is the last two groups, behind ::ffff.
  if (!/ffff/i.test(address) || !isIPv6(address)) return address;
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical(address)) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low]
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join(".");
}

function canonical(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}
