// T3: the client address of a call. A forged X-Forwarded-For gains nobody a fresh bucket; a trusted proxy's counts.
import { describe, expect, test } from "bun:test";
import { unreadHop } from "../../server/caller/unread-hop.ts";
import { makeHouse } from "../house/open/engines.ts";
import { send } from "../house/people/people.ts";
import { letFlow } from "../house/scenes/flow.ts";
import { Logged } from "../house/scenes/logged.ts";

const enough = 40;

/** How many of `enough` concurrent calls pass the rate limit; `forwarded` returns the X-Forwarded-For of each. */
async function allowed(
  settings: Record<string, string>,
  forwarded: (call: number) => string,
): Promise<number> {
  const house = await makeHouse("SQLite", { RATE_LIMITS: "on", RATE_AUTH: "1/3", ...settings });
  await house.open();
  letFlow(house);
  const calls = Array.from({ length: enough }, (_, i) =>
    send(house, undefined, "POST", "/auth/login/password", {}, { "X-Forwarded-For": forwarded(i) }),
  );
  const answers = await Promise.all(calls);
  await house.end();
  for (const { status } of answers) expect([400, 429]).toContain(status);
  return answers.filter((answer) => answer.status === 400).length;
}

const proxied = { TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8" };

describe("the limit per client address", () => {
  test("is that of the socket, whatever X-Forwarded-For says, where no proxy is trusted", async () => {
    expect(await allowed({}, (i) => `203.0.113.${i}`)).toBeLessThan(enough / 2);
  });

  test("is that of the client behind a trusted proxy: each has a bucket", async () => {
    expect(await allowed(proxied, (i) => `203.0.113.${i}`)).toBe(enough);
  });

  test("is that of the client however a proxy writes it: with a port, in brackets, IPv4 as IPv6", async () => {
    const ways = [
      (i: number) => `203.0.113.${i}:51234`,
      (i: number) => `[2001:db8:1:${(i + 1).toString(16)}::1]:443`,
      (i: number) => `::ffff:cb00:71${(i + 16).toString(16)}`,
    ];
    for (const way of ways) expect(await allowed(proxied, way)).toBe(enough);
    expect(await allowed(proxied, (i) => `203.0.113.7:${50_000 + i}`)).toBeLessThan(enough / 2);
  });

  test("is that of the right-most hop that is not trusted: what a client puts before it gains nothing", async () => {
    expect(await allowed(proxied, (i) => `198.51.100.${i}, 203.0.113.9, 10.1.2.3`)).toBeLessThan(enough / 2);
  });

  test("is that of the /64 for IPv6: the other half of the address gains nothing", async () => {
    expect(await allowed(proxied, (i) => `2001:db8:1:2:${(i + 1).toString(16)}::1`)).toBeLessThan(enough / 2);
    expect(await allowed(proxied, (i) => `2001:db8:1:${(i + 1).toString(16)}::1`)).toBe(enough);
  });

  test("stands, whatever nonsense the header holds", async () => {
    const nonsense = [
      "",
      ",",
      "unknown",
      "x".repeat(5000),
      "1.2.3.4.5",
      "[::1]:80",
      "for=203.0.113.1",
      "%00",
    ];
    expect(await allowed(proxied, (i) => nonsense[i % nonsense.length] ?? "")).toBeLessThan(enough);
  });
});

test("what a trusted proxy writes that names no address is logged once; the doctor is told the last of it, cut", async () => {
  const house = await makeHouse("SQLite", { TRUSTED_PROXIES: "127.0.0.1" });
  await house.open();
  const { house: running } = house.running;
  using warned = new Logged(house, "warn");
  // The client address is looked up when a call is refused.
  const nowhere = (forwarded: string) =>
    send(house, undefined, "GET", "/nowhere", undefined, { "X-Forwarded-For": forwarded });
  await nowhere("203.0.113.7");
  expect([unreadHop(running), warned.calls]).toEqual([undefined, []]);
  await nowhere("_hidden");
  expect(unreadHop(running)).toBe("_hidden");
  await nowhere("x".repeat(1000));
  expect(unreadHop(running)).toBe("x".repeat(100));
  expect(warned.calls).toEqual([[{ hop: "_hidden" }, expect.stringContaining("X-Forwarded-For")]]);
  await house.end();
});
