// The guard of addresses that people name: which addresses are public, one by one, and what a name may lead to.
import { describe, expect, test } from "bun:test";
import type { House } from "../house/house.ts";
import { isPublicAddress, NotPublic, publicAddresses } from "./addresses.ts";
import { type Network, network } from "./network.ts";

describe("an address is public", () => {
  for (const address of [
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
    "0.0.0.0",
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

test("the network of a real house reaches exactly the address that was checked", () => {
  const { current } = network({} as House);
  for (const port of [80, 443])
    expect(current.route("93.184.216.34", port)).toEqual({ host: "93.184.216.34", port });
});
