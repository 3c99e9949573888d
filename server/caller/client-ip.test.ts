// The client's address behind trusted proxies, hop by hop.
import { describe, expect, test } from "bun:test";
import { clientIpReader, rateKey } from "./client-ip.ts";

describe("the client's address", () => {
  test("is the socket's where no proxy is trusted, whatever is forwarded", () => {
    const read = clientIpReader([]);
    expect(read("198.51.100.7", "203.0.113.1")).toBe("198.51.100.7");
    expect(read("198.51.100.7", null)).toBe("198.51.100.7");
  });

  test("is the socket's where the peer is no trusted proxy", () => {
    const read = clientIpReader(["10.0.0.0/8"]);
    expect(read("11.0.0.1", "203.0.113.1")).toBe("11.0.0.1");
    expect(read("2001:db8::1", "203.0.113.1")).toBe("2001:db8::1");
  });

  test("is the right-most hop that is not trusted", () => {
    const read = clientIpReader(["10.0.0.0/8", "192.0.2.1"]);
    expect(read("10.0.0.1", "203.0.113.1")).toBe("203.0.113.1");
    expect(read("10.0.0.1", "1.1.1.1, 203.0.113.1")).toBe("203.0.113.1");
    expect(read("10.0.0.1", "1.1.1.1, 203.0.113.1, 192.0.2.1 ,10.9.9.9")).toBe("203.0.113.1");
  });

  test("is the left-most hop where all are trusted", () => {
    expect(clientIpReader(["10.0.0.0/8"])("10.0.0.1", "10.0.0.3, 10.0.0.2")).toBe("10.0.0.3");
  });

  test("stops at a hop that is no address: what stands left of it is not believed", () => {
    const read = clientIpReader(["10.0.0.0/8"]);
    expect(read("10.0.0.1", "203.0.113.1, unknown, 10.0.0.2")).toBe("10.0.0.2");
    expect(read("10.0.0.1", "unknown")).toBe("10.0.0.1");
    expect(read("10.0.0.1", "")).toBe("10.0.0.1");
  });

  test("reads an IPv4 address that a socket shows as IPv6, also against the list", () => {
    const read = clientIpReader(["10.0.0.0/8"]);
    expect(read("::ffff:10.0.0.1", "203.0.113.1")).toBe("203.0.113.1");
    expect(read("::ffff:198.51.100.7", null)).toBe("198.51.100.7");
    expect(read("10.0.0.1", "::ffff:203.0.113.1")).toBe("203.0.113.1");
  });

  for (const [written, address] of [
    ["203.0.113.7:51234", "203.0.113.7"],
    ["[2001:db8:3::7]:443", "2001:db8:3::7"],
    ["[2001:db8:3::7]", "2001:db8:3::7"],
    ['"203.0.113.7:51234"', "203.0.113.7"],
    ['"[2001:db8:3::7]:443"', "2001:db8:3::7"],
    ["[fe80::1%eth0]:443", "fe80::1"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["::FFFF:CB00:7107", "203.0.113.7"],
    ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
    ["[::ffff:203.0.113.7]:51234", "203.0.113.7"],
    ["2001:db8::ffff:cb00:7107", "2001:db8::ffff:cb00:7107"],
    ["::ffff", "::ffff"],
  ])
    test(`reads ${written} as ${address}, and goes on to the left behind a trusted one written so`, () => {
      expect(clientIpReader(["10.0.0.1"])("10.0.0.1", written!)).toBe(address!);
      const all = clientIpReader(["10.0.0.1", address!]);
      expect(all("10.0.0.1", `198.51.100.1, ${written}`)).toBe("198.51.100.1");
    });

  test("is none with a port that is none, in brackets that do not close, or of IPv4 in brackets", () => {
    const unread: string[] = [];
    const read = clientIpReader(["10.0.0.1"], (hop) => unread.push(hop));
    const nonsense = [
      "203.0.113.7:",
      "203.0.113.7:http",
      "203.0.113.7:123456",
      "[2001:db8::7",
      "1.2.3:80",
      "_hidden",
    ];
    for (const each of nonsense) expect(read("10.0.0.1", `198.51.100.1, ${each}`)).toBe("10.0.0.1");
    expect(unread).toEqual(nonsense);
  });

  test("is told, too, where a proxy in front of another wrote it, or nothing at all", () => {
    const unread: string[] = [];
    const read = clientIpReader(["10.0.0.0/8"], (hop) => unread.push(hop));
    expect(read("10.0.0.1", "203.0.113.7:abc, 10.0.0.2")).toBe("10.0.0.2");
    expect(read("10.0.0.1", "203.0.113.7, ")).toBe("10.0.0.1");
    expect(unread).toEqual(["203.0.113.7:abc", ""]);
  });

  test("knows IPv6 ranges and scopes", () => {
    const read = clientIpReader(["2001:db8::/32", "fe80::/10"]);
    expect(read("2001:db8::5", "2001:470::1")).toBe("2001:470::1");
    expect(read("fe80::1%eth0", "203.0.113.1")).toBe("203.0.113.1");
    expect(read("2001:db9::5", "2001:470::1")).toBe("2001:db9::5");
  });
});

describe("what one client can be assumed to own", () => {
  test("is the address for IPv4 and the /64 for IPv6", () => {
    expect(rateKey("203.0.113.1")).toBe("203.0.113.1");
    expect(rateKey("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
    expect(rateKey("2001:db8:1:2::")).toBe("2001:db8:1:2::/64");
    expect(rateKey("2001:db8::1")).toBe("2001:db8:0:0::/64");
    expect(rateKey("::1")).toBe("0:0:0:0::/64");
    expect(rateKey("::")).toBe("0:0:0:0::/64");
  });

  test("has one spelling, however the address is written", () => {
    const spellings = ["2001:DB8:0:0:1::1", "2001:0db8:0000:0000:ffff::", "2001:db8::1:2:3:4"];
    expect(new Set(spellings.map(rateKey))).toEqual(new Set(["2001:db8:0:0::/64"]));
  });
});
