// The guard of addresses that people enter: which addresses are public, one by one, and what a name may resolve to.
import { describe, expect, test } from "bun:test";
import { NameServer } from "../../tests/doubles/name-server.ts";
import type { House } from "../house/house.ts";
import { isPublicAddress, NotPublic, publicAddresses } from "./addresses.ts";
import { type Network, network, patienceOf } from "./network.ts";

describe("an address is public", () => {
  // On both sides of each excluded range, and elsewhere.
  for (const address of [
    "1.0.0.0",
    "9.255.255.255",
    "11.0.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "191.255.255.255",
    "192.0.1.0",
    "192.0.3.0",
    "192.88.98.255",
    "192.88.100.0",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "198.51.99.255",
    "198.51.101.0",
    "203.0.112.255",
    "203.0.114.0",
    "2000::1",
    "2001:200::",
    "2001:db7:ffff::1",
    "2001:db9::",
    "2003::",
    "3ffe:ffff::1",
    "3fff:1000::",
    "8.8.8.8",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "192.167.1.1",
    "223.255.255.254",
    "2606:4700::1111",
    "2a00:1450:4001:80b::200e",
    "2001:4860:4860::8888",
  ]) {
    test(address, () => expect(isPublicAddress(address)).toBe(true));
  }
});

describe("an address is not public", () => {
  for (const address of [
    // The ends of the ranges, whose beginnings follow.
    "0.255.255.255",
    "10.255.255.255",
    "169.254.255.255",
    "192.0.0.255",
    "192.0.2.255",
    "192.88.99.0",
    "192.88.99.255",
    "192.168.255.255",
    "198.51.100.255",
    "203.0.113.255",
    "239.255.255.255",
    "2001:1ff:ffff::1",
    "2001:db8:ffff::1",
    "2002:ffff::1",
    "3fff:fff:ffff::1",
    "1fff:ffff::1",
    "4000::1",
    "0.0.0.0",
    "10.0.0.0",
    "169.254.0.0",
    "172.16.0.0",
    "192.0.0.0",
    "192.168.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "3fff::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1111%eth0",
    "fec0::1",
    "ff02::1",
    "",
    "push.example",
    "127.1",
  ]) {
    test(address || "nothing", () => expect(isPublicAddress(address)).toBe(false));
  }
});

describe("behind a name", () => {
  const leadingTo = (...addresses: string[]): Network => ({
    lookup: async () => addresses,
    route: () => {
      throw new Error("nobody connects here");
    },
  });
  const endpoint = new URL("https://push.example/x");

  test("all addresses must be public, not just the first", async () => {
    const good = leadingTo("93.184.216.34", "2606:4700::1111");
    expect(await publicAddresses(good, endpoint)).toEqual(["93.184.216.34", "2606:4700::1111"]);
    for (const bad of [
      ["93.184.216.34", "127.0.0.1"],
      ["::1"],
      ["fd00::1", "93.184.216.34"],
      ["169.254.169.254"],
    ]) {
      expect(publicAddresses(leadingTo(...bad), endpoint)).rejects.toThrow(NotPublic);
    }
  });

  test("an address needs no resolver, and gets the same look", async () => {
    const nobody: Network = { ...leadingTo(), lookup: () => Promise.reject(new Error("not asked")) };
    expect(await publicAddresses(nobody, new URL("https://[2606:4700::1111]/x"))).toEqual([
      "2606:4700::1111",
    ]);
    expect(publicAddresses(nobody, new URL("https://[::1]/x"))).rejects.toThrow(NotPublic);
  });
});

test("the network of a real house reaches exactly the address that was checked, and waits for five seconds", () => {
  const { current } = network({} as House);
  for (const port of [80, 443])
    expect(current.route("93.184.216.34", port)).toEqual({ host: "93.184.216.34", port });
  expect(patienceOf(current)).toBe(5000);
});

describe("the network of a real house asks name servers", () => {
  const { current } = network({} as House);

  test("for both kinds of addresses, and is content with one", async () => {
    using server = await NameServer.open();
    const names: Record<string, string[]> = {
      "both.outbound.example": ["93.184.216.34", "93.184.216.35", "2606:4700::1111"],
      "older.outbound.example": ["93.184.216.34"],
      "newer.outbound.example": ["2606:4700::1111"],
    };
    for (const [name, addresses] of Object.entries(names)) {
      server.names.set(name, addresses);
      expect([name, await current.lookup(name)]).toEqual([name, addresses]);
    }
    expect(await current.lookup("nobody.outbound.example").catch(() => "unknown")).toBe("unknown");
  });

  test("and looks at all that they say: one address of either kind that leads inward is enough", async () => {
    using server = await NameServer.open();
    for (const [i, inward] of ["::1", "fd00::1", "10.0.0.1"].entries()) {
      const name = `inward${i}.outbound.example`;
      server.names.set(name, ["93.184.216.34", inward]);
      const looked = publicAddresses(current, new URL(`https://${name}/x`));
      expect([inward, await looked.catch((error) => error.name)]).toEqual([inward, "NotPublic"]);
    }
  });
});
