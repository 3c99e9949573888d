// Registering a passkey: stored values, rejections of forged keys and browsers, and ownership.
import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Lies } from "../../tests/doubles/authenticator.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBrowser } from "../../tests/house/people/browser.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { endSooner } from "../../tests/house/scenes/short-lived.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";

interface Listed {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
  backed_up: boolean;
}

const refused = "400 invalid_request";

afterEach(() => void setSystemTime());

onEachEngine("registering a passkey", (house) => {
  let alice: TestPerson;
  let bob: TestPerson;
  let browser: TestBrowser;

  beforeEach(async () => {
    [alice, bob] = await Promise.all([house().person("alice"), house().person("bob")]);
    browser = new TestBrowser(house());
  });

  const listOf = async (person: TestPerson) =>
    (await person.get<Listed[]>("/auth/webauthn/credentials")).body;

  test("Alice makes one, names it, and finds it in her list; Bob does not find it in his", async () => {
    const made = await browser.register(alice, {}, { name: " The blue one " });
    expect(verdict(made)).toBe("201");
    const [key] = browser.key.kept;
    expect(made.body).toEqual({ id: key?.id ?? "", name: "The blue one" });
    const created_at = expect.stringMatching(/^\d{4}-.*Z$/);
    expect<unknown>(await listOf(alice)).toEqual([
      {
        id: key?.id,
        name: "The blue one",
        created_at,
        last_used_at: null,
        backed_up: false,
        newer_than_password: true,
      },
    ]);
    expect(await listOf(bob)).toEqual([]);
  });

  test("the options ask for a key that knows its owner and verifies them, in WebAuthn's own words", async () => {
    await browser.register(alice);
    const answer = await alice.post<{ publicKey: Record<string, unknown> }>("/auth/webauthn/register/begin");
    const { publicKey } = answer.body;
    expect(publicKey).toMatchObject({
      rp: { id: "localhost", name: "Hearth" },
      user: { name: alice.username, displayName: "alice" },
      timeout: 300_000,
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [{ id: browser.key.kept[0]?.id, type: "public-key", transports: ["usb", "nfc"] }],
    });
    expect(Buffer.from(String(publicKey.challenge), "base64url").length).toBeGreaterThanOrEqual(16);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^hearth_challenge=[\w-]{43}; Path=\/; Max-Age=300; HttpOnly; SameSite=Strict$/,
    );
    expect((await browser.beginRegistration(bob)).publicKey.excludeCredentials).toEqual([]);
  });

  test("without a name it is called after the browser and the system", async () => {
    const agents = {
      "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0": "Firefox on Linux",
      "Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0":
        "Edge on Windows",
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1":
        "Safari on iPhone",
      "Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) CriOS/150.0 Mobile Safari/604.1": "Chrome on iPad",
      "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36 OPR/99.0":
        "Opera on Android",
      "Mozilla/5.0 (X11; CrOS x86_64 16000.0) Chrome/150.0 Safari/537.36": "Chrome on ChromeOS",
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1": "Safari on Mac",
      "Firefox/145.0": "Firefox",
      "a program (Windows NT 10.0)": "Windows",
      "curl/8.0": "Passkey",
    };
    for (const [agent, name] of Object.entries(agents)) {
      const { cookie, publicKey } = await browser.beginRegistration(alice);
      const body = browser.key.create(publicKey);
      const made = await browser.finishRegistration(alice, cookie, body, { "User-Agent": agent });
      expect(made.body.name).toBe(name);
    }
  });

  test("keys of each kind that is offered are taken, with a signature of their own or without", async () => {
    for (const algorithm of ["ES256", "Ed25519", "RS256"] as const) {
      expect(verdict(await browser.register(alice, { algorithm }))).toBe("201");
    }
    expect(verdict(await browser.register(alice, { format: "packed" }))).toBe("201");
    expect(verdict(await browser.register(alice, { backupEligible: true, backedUp: true }))).toBe("201");
    expect((await listOf(alice)).map((key) => key.backed_up)).toEqual([false, false, false, false, true]);
  });

  test("W1: an answer counts once, also when it comes twice at the same moment", async () => {
    const { cookie, publicKey } = await browser.beginRegistration(alice);
    const body = browser.key.create(publicKey);
    const twice = [1, 2, 3, 4].map(() => browser.finishRegistration(alice, cookie, body));
    expect(verdicts(await Promise.all(twice)).sort()).toEqual(["201", refused, refused, refused]);
    expect(verdict(await browser.finishRegistration(alice, cookie, body))).toBe(refused);
    // The challenge is not valid for another key either.
    const another = browser.key.create(publicKey);
    expect(verdict(await browser.finishRegistration(alice, cookie, another))).toBe(refused);
    expect(await listOf(alice)).toHaveLength(1);
  });

  test("W1: an answer that was wrong has used its challenge up", async () => {
    const { cookie, publicKey } = await browser.beginRegistration(alice);
    const wrong = browser.key.create(publicKey, { userVerified: false });
    expect(verdict(await browser.finishRegistration(alice, cookie, wrong))).toBe(refused);
    const right = browser.key.create(publicKey);
    expect(verdict(await browser.finishRegistration(alice, cookie, right))).toBe(refused);
    expect(await listOf(alice)).toEqual([]);
  });

  test("W2: Alice's challenge is none for Bob, none in another browser, none without its cookie", async () => {
    const ways: ((cookie: string, body: unknown) => ReturnType<TestBrowser["finishRegistration"]>)[] = [
      (cookie, body) => browser.finishRegistration(bob, cookie, body),
      (_, body) => browser.finishRegistration(alice, "", body),
      (_, body) => browser.finishRegistration(alice, "hearth_challenge=made-up", body),
      (cookie, body) => browser.finishRegistration(alice, `${cookie}; hearth_challenge=another`, body),
      async (_, body) =>
        browser.finishRegistration(alice, (await browser.beginRegistration(alice)).cookie, body),
    ];
    for (const way of ways) {
      const { cookie, publicKey } = await browser.beginRegistration(alice);
      expect(verdict(await way(cookie, browser.key.create(publicKey)))).toBe(refused);
    }
    expect([await listOf(alice), await listOf(bob)]).toEqual([[], []]);
  });

  test("W2: a login's challenge registers nothing", async () => {
    const { publicKey } = await browser.beginRegistration(alice);
    const login = await browser.beginLogin();
    const body = browser.key.create({ ...publicKey, challenge: login.publicKey.challenge });
    expect(verdict(await browser.finishRegistration(alice, login.cookie, body))).toBe(refused);
    expect(await listOf(alice)).toEqual([]);
  });

  test("W2: after 5 minutes it is too late", async () => {
    const [early, late] = [await browser.beginRegistration(alice), await browser.beginRegistration(alice)];
    const [first, second] = [browser.key.create(early.publicKey), browser.key.create(late.publicKey)];
    const start = Date.now();
    setSystemTime(start + 4 * 60_000);
    await endSooner(house(), 4 * 60_000);
    expect(verdict(await browser.finishRegistration(alice, early.cookie, first))).toBe("201");
    setSystemTime(start + 5 * 60_000 + 1000);
    await endSooner(house(), 60_000 + 1000);
    expect(verdict(await browser.finishRegistration(alice, late.cookie, second))).toBe(refused);
  });

  const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const lies: Record<string, Lies> = {
    "another origin": { origin: "https://evil.example" },
    "an origin that only begins like ours": { origin: "http://localhost.evil.example" },
    "another domain's hash": { rpId: "evil.example" },
    "the type of a login": { type: "webauthn.get" },
    "another challenge": { challenge: randomBytes(32).toString("base64url") },
    "a frame of another site": { crossOrigin: true },
    "a frame, said oddly": { crossOrigin: "true" },
    "a frame, with the page around it": { crossOrigin: true, topOrigin: "https://evil.example" },
    "a page around it, but no frame": { topOrigin: "https://evil.example" },
    "nobody present": { userPresent: false },
    "nobody verified": { userVerified: false },
    "backed up, though it cannot be": { backupEligible: false, backedUp: true },
    "an algorithm that was not offered": { algorithm: "ES384" },
    "an id beside it that differs": { rawId: "AAAA" },
    "an id that the key did not sign": { id: randomBytes(32).toString("base64url") },
    "an id of 1024 bytes": { credentialId: randomBytes(1024) },
    "an id of 1024 bytes under a short one": { credentialId: randomBytes(1024), id: "AAAA" },
    "no id at all": { credentialId: Buffer.alloc(0), id: "AAAA" },
    "an unknown attestation": { format: "homemade" },
    "a statement where none belongs": { statement: new Map([["sig", Buffer.alloc(8)]]) },
    "a signature of another key": { format: "packed", signedBy: stranger },
    "certificates that nobody asked for": {
      format: "packed",
      statement: new Map<string, unknown>([
        ["alg", -7],
        ["sig", Buffer.alloc(70)],
        ["x5c", [Buffer.alloc(100)]],
      ]),
    },
    "a TPM's attestation": { format: "tpm" },
  };
  for (const [name, lie] of Object.entries(lies)) {
    test(`W3: refused and not kept: ${name}`, async () => {
      expect(verdict(await browser.register(alice, lie))).toBe(refused);
      expect(await listOf(alice)).toEqual([]);
    });
  }

  test("W3: an id of 1023 bytes, the longest there is, is taken, listed and deleted", async () => {
    const made = await browser.register(alice, { credentialId: randomBytes(1023) });
    expect(verdict(made)).toBe("201");
    expect((await listOf(alice)).map((key) => key.id)).toEqual([made.body.id]);
    expect(verdict(await alice.delete(`/auth/webauthn/credentials/${made.body.id}`))).toBe("204");
  });

  test("what is no attestation at all is refused", async () => {
    const { cookie, publicKey } = await browser.beginRegistration(alice);
    const { response, ...rest } = browser.key.create(publicKey);
    const deep = Buffer.alloc(12_000, 0x81).toString("base64url");
    const bodies: unknown[] = [
      {},
      rest,
      { ...rest, type: "password", response },
      { ...rest, response, name: "" },
      { ...rest, response, name: "x".repeat(65) },
      { ...rest, response, name: "turned \u202e around" },
      { ...rest, response: { ...response, attestationObject: "not base64!" } },
      { ...rest, response: { ...response, attestationObject: "x".repeat(20_000) } },
      { ...rest, response: { ...response, clientDataJSON: "AAAA" } },
    ];
    for (const body of bodies) {
      expect(verdict(await browser.finishRegistration(alice, cookie, body))).toBe(refused);
    }
    for (const attestationObject of ["AAAA", "oA", deep]) {
      const again = await browser.beginRegistration(alice);
      const lie = browser.key.create(again.publicKey);
      const body = { ...lie, response: { ...lie.response, attestationObject } };
      expect(verdict(await browser.finishRegistration(alice, again.cookie, body))).toBe(refused);
    }
    expect(await listOf(alice)).toEqual([]);
  });

  test("W5: Alice's key id cannot become Bob's: 409, it stays hers and opens her account", async () => {
    const made = await browser.register(alice);
    const [key] = browser.key.kept;
    const thief = new TestBrowser(house());
    const stolen = await thief.register(bob, { credentialId: Buffer.from(made.body.id, "base64url") });
    expect(verdict(stolen)).toBe("409 conflict");
    expect(
      verdict(await thief.register(alice, { credentialId: Buffer.from(key?.id ?? "", "base64url") })),
    ).toBe("409 conflict");
    expect([(await listOf(alice)).length, await listOf(bob)]).toEqual([1, []]);
    expect((await browser.login()).body).toEqual({ id: alice.id });
    expect(verdict(await thief.login())).toBe("401 invalid_credentials");
  });

  test("of two accounts that register one key id at once, one gets it", async () => {
    const credentialId = randomBytes(32);
    const both = [alice, bob].map((person) => new TestBrowser(house()).register(person, { credentialId }));
    expect(verdicts(await Promise.all(both)).sort()).toEqual(["201", "409 conflict"]);
  });

  test("an account has at most 20, also when many are finished at once", async () => {
    for (let i = 0; i < 18; i++) await browser.register(alice);
    const begun = [];
    for (let i = 0; i < 5; i++) begun.push(await browser.beginRegistration(alice));
    const finished = begun.map(({ cookie, publicKey }) =>
      browser.finishRegistration(alice, cookie, browser.key.create(publicKey)),
    );
    const conflict = "409 conflict";
    expect(verdicts(await Promise.all(finished)).sort()).toEqual([
      "201",
      "201",
      conflict,
      conflict,
      conflict,
    ]);
    expect(verdict(await alice.post("/auth/webauthn/register/begin"))).toBe(conflict);
    const [oldest] = await listOf(alice);
    expect(verdict(await alice.delete(`/auth/webauthn/credentials/${oldest?.id}`))).toBe("204");
    expect(verdict(await browser.register(alice))).toBe("201");
    expect(await listOf(alice)).toHaveLength(20);
  });

  test("a deleted key opens nothing; another's, and one that is not there, cannot be deleted", async () => {
    const made = await browser.register(alice);
    const at = `/auth/webauthn/credentials/${made.body.id}`;
    expect(verdict(await bob.delete(at))).toBe("404 not_found");
    expect(await listOf(alice)).toHaveLength(1);
    expect(verdict(await alice.delete(at))).toBe("204");
    expect(verdict(await alice.delete(at))).toBe("404 not_found");
    expect(verdict(await browser.login())).toBe("401 invalid_credentials");
  });
});
