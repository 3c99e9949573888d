// The domain of a server's passkeys, derived from its public URL.
import { afterEach, expect, test } from "bun:test";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { TestBrowser } from "../../tests/house/people/browser.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

let house: TestHouse;
afterEach(() => house.end());

async function at(publicUrl: string, more: Record<string, string> = {}): Promise<TestBrowser> {
  house = await makeHouse("SQLite", { PUBLIC_URL: publicUrl, ...more });
  await house.open();
  return new TestBrowser(house);
}

test("a house with a name: its passkeys are that name's, made on its pages, with Secure cookies", async () => {
  const browser = await at("https://chat.people.example:8443/");
  const alice = await house.person("alice");
  const { publicKey } = await browser.beginRegistration(alice);
  expect(publicKey.rp.id).toBe("chat.people.example");
  const lies = { origin: "https://chat.people.example:8443" };
  expect(verdict(await browser.register(alice, lies))).toBe("201");
  const answer = await browser.login(lies);
  expect(verdict(answer)).toBe("200");
  expect(answer.headers.get("set-cookie")).toContain("; Secure");
  const begun = await browser.post("login/begin");
  expect(begun.headers.get("set-cookie")).toContain("; Secure");
  expect(verdict(await browser.login({ origin: "https://chat.people.example" }))).toBe(
    "401 invalid_credentials",
  );
  expect(verdict(await browser.login({ origin: "http://chat.people.example:8443" }))).toBe(
    "401 invalid_credentials",
  );
});

test("pages that the settings trust may use them, too", async () => {
  const browser = await at("https://people.example", { TRUSTED_ORIGINS: "https://app.people.example" });
  const lies = { origin: "https://app.people.example" };
  expect(verdict(await browser.register(await house.person("alice"), lies))).toBe("201");
  expect(verdict(await browser.login(lies))).toBe("200");
});

test("a house known by its loopback address calls itself localhost", async () => {
  for (const address of ["http://127.0.0.1:8080", "http://[::1]:8080", "http://0.0.0.0:8080"]) {
    const browser = await at(address);
    expect((await browser.beginLogin()).publicKey.rpId).toBe("localhost");
    const alice = await house.person("alice");
    const { port } = new URL(house.url);
    expect(verdict(await browser.register(alice, { origin: `http://localhost:${port}` }))).toBe("201");
    await house.end();
  }
});

test("a house known by another bare address has no passkeys, and says what would help", async () => {
  for (const address of ["http://192.0.2.7:8080", "http://[2001:db8::7]:8080"]) {
    const browser = await at(address);
    const alice = await house.person("alice");
    const answers = [await browser.post("login/begin"), await alice.post("/auth/webauthn/register/begin")];
    for (const answer of answers) {
      expect(verdict(answer)).toBe("503 not_configured");
      expect(String(answer.body.error)).toContain("PUBLIC_URL");
    }
    await house.end();
  }
});
