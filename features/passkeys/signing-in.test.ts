// Signing in with a passkey: who is let in and who is not, whatever the key or the browser claims.
import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Lies } from "../../tests/doubles/authenticator.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { cookieOf, TestBrowser } from "../../tests/house/people/browser.ts";
import { send, type TestPerson } from "../../tests/house/people/people.ts";
import { endSooner } from "../../tests/house/scenes/short-lived.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import { disableAccount, enableAccount } from "../accounts/access.ts";

const refused = "401 invalid_credentials";

afterEach(() => void setSystemTime());

onEachEngine("signing in with a passkey", (house) => {
  let alice: TestPerson;
  let bob: TestPerson;
  let browser: TestBrowser;
  let bobs: TestBrowser;

  beforeEach(async () => {
    [alice, bob] = await Promise.all([house().person("alice"), house().person("bob")]);
    [browser, bobs] = [new TestBrowser(house()), new TestBrowser(house())];
    await Promise.all([browser.register(alice), bobs.register(bob)]);
  });

  const sessionsOf = async (person: TestPerson) =>
    (await person.get<unknown[]>("/auth/sessions")).body.length;
  const usesOf = async (person: TestPerson) => {
    const { body } = await person.get<{ last_used_at: string | null }[]>("/auth/webauthn/credentials");
    return body.map((key) => key.last_used_at);
  };

  test("Alice gets in, by cookie and by X-Session-Token; the use is noted", async () => {
    const answer = await browser.login();
    expect(verdict(answer)).toBe("200");
    expect(answer.body).toEqual({ id: alice.id });
    const token = answer.headers.get("x-session-token") ?? "";
    expect(token).toMatch(/^hs_[\w-]{43}$/);
    expect(answer.headers.get("set-cookie")).toMatch(
      new RegExp(`^app_session=${token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax$`),
    );
    const me = await send(house(), undefined, "GET", "/auth/me", undefined, {
      Cookie: `app_session=${token}`,
    });
    expect(me.body.id as unknown).toBe(alice.id);
    expect(await usesOf(alice)).toEqual([expect.stringMatching(/Z$/)]);
    expect(await usesOf(bob)).toEqual([null]);
    expect(await sessionsOf(alice)).toBe(2);
  });

  test("keys that never count get in again and again, and so do those of every kind", async () => {
    for (const algorithm of ["ES256", "Ed25519", "RS256"] as const) {
      const synced = new TestBrowser(house(), false);
      await synced.register(alice, { algorithm, backupEligible: true });
      const logins = [await synced.login(), await synced.login({ backedUp: true }), await synced.login()];
      expect(verdicts(logins)).toEqual(["200", "200", "200"]);
      const keys = () => alice.get<{ id: string; backed_up: boolean }[]>("/auth/webauthn/credentials");
      const isBackedUp = async () =>
        (await keys()).body.find(({ id }) => id === synced.key.kept[0]?.id)?.backed_up;
      expect(await isBackedUp()).toBe(false);
      await synced.login({ backedUp: true });
      expect(await isBackedUp()).toBe(true);
    }
  });

  test("it goes on after a restart of the server", async () => {
    await browser.login();
    await house().restart();
    const moved = new TestBrowser(house());
    moved.key.kept.push(...browser.key.kept);
    expect((await moved.login()).body).toEqual({ id: alice.id });
  });

  test("W1: an answer counts once, also when it comes twice at the same moment", async () => {
    // A key without a counter, so that only the challenge can be the reason for a rejection.
    const synced = new TestBrowser(house(), false);
    await synced.register(alice);
    const { cookie, publicKey } = await synced.beginLogin();
    const body = synced.key.get(publicKey);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => synced.finishLogin(cookie, body)));
    expect(verdicts(answers).sort()).toEqual(["200", refused, refused, refused, refused]);
    expect(verdict(await synced.finishLogin(cookie, body))).toBe(refused);
    expect(await sessionsOf(alice)).toBe(2);
  });

  test("W1: an answer that was wrong has used its challenge up", async () => {
    const { cookie, publicKey } = await browser.beginLogin();
    const wrong = browser.key.get(publicKey, { userVerified: false });
    expect(verdict(await browser.finishLogin(cookie, wrong))).toBe(refused);
    expect(verdict(await browser.finishLogin(cookie, browser.key.get(publicKey)))).toBe(refused);
  });

  test("W2: a challenge is none in another browser, and none without its cookie", async () => {
    const mine = await browser.beginLogin();
    const other = await bobs.beginLogin();
    const cookies = [
      "",
      "hearth_challenge=",
      "hearth_challenge=made-up",
      other.cookie,
      `${mine.cookie}; ${other.cookie}`,
    ];
    for (const cookie of cookies) {
      expect(verdict(await browser.finishLogin(cookie, browser.key.get(mine.publicKey)))).toBe(refused);
    }
    expect(await sessionsOf(alice)).toBe(1);
    expect(verdict(await browser.finishLogin(mine.cookie, browser.key.get(mine.publicKey)))).toBe("200");
  });

  test("W2: a registration's challenge opens no session", async () => {
    const { cookie, publicKey } = await browser.beginRegistration(alice);
    const body = browser.key.get({ challenge: publicKey.challenge, rpId: publicKey.rp.id });
    expect(verdict(await browser.finishLogin(cookie, body))).toBe(refused);
    expect(await sessionsOf(alice)).toBe(1);
  });

  test("W2: after 5 minutes it is too late", async () => {
    const [early, late] = [await browser.beginLogin(), await browser.beginLogin()];
    const start = Date.now();
    setSystemTime(start + 4 * 60_000);
    await endSooner(house(), 4 * 60_000);
    expect(verdict(await browser.finishLogin(early.cookie, browser.key.get(early.publicKey)))).toBe("200");
    setSystemTime(start + 5 * 60_000 + 1000);
    await endSooner(house(), 60_000 + 1000);
    expect(verdict(await browser.finishLogin(late.cookie, browser.key.get(late.publicKey)))).toBe(refused);
  });

  const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const lies: Record<string, Lies> = {
    "another origin": { origin: "https://evil.example" },
    "another port of ours": { origin: "http://localhost:1" },
    "another domain's hash": { rpId: "evil.example" },
    "the type of a registration": { type: "webauthn.create" },
    "another challenge": { challenge: randomBytes(32).toString("base64url") },
    "a frame of another site": { crossOrigin: true },
    "a frame, with the page around it": { crossOrigin: true, topOrigin: "https://evil.example" },
    "a page around it, but no frame": { topOrigin: "https://evil.example" },
    "nobody present": { userPresent: false },
    "nobody verified": { userVerified: false },
    "backed up, though it cannot be": { backedUp: true },
    "able to be backed up, all of a sudden": { backupEligible: true },
    "able to be backed up and backed up, all of a sudden": { backupEligible: true, backedUp: true },
    "a signature of another key": { signedBy: stranger },
  };
  for (const [name, lie] of Object.entries(lies)) {
    test(`W3: nobody gets in: ${name}`, async () => {
      expect(verdict(await browser.login(lie))).toBe(refused);
      expect([await sessionsOf(alice), await usesOf(alice)]).toEqual([1, [null]]);
      // The key itself stays valid.
      expect(verdict(await browser.login())).toBe("200");
    });
  }

  test("W3: what is no assertion at all is 400: two ids, an id over 1023 bytes, parts missing", async () => {
    const { cookie, publicKey } = await browser.beginLogin();
    const right = browser.key.get(publicKey);
    const { signature, ...unsigned } = right.response;
    const bodies = [
      { ...right, rawId: "AAAA" },
      { ...right, id: "A".repeat(1366), rawId: "A".repeat(1366) },
      { ...right, id: "", rawId: "" },
      { ...right, type: "password" },
      { ...right, response: unsigned },
      { ...right, response: { ...unsigned, signature: `${signature}!` } },
      {},
      [],
    ];
    for (const body of bodies) {
      expect(verdict(await browser.finishLogin(cookie, body))).toBe("400 invalid_request");
    }
    expect(await sessionsOf(alice)).toBe(1);
  });

  test("W4: a handle of another person, or none, opens nobody's account", async () => {
    const bobsHandle = bobs.key.kept[0]?.userHandle;
    for (const userHandle of [bobsHandle, "", "AAAA", undefined]) {
      expect(verdict(await browser.login({ userHandle }))).toBe(refused);
    }
    expect([await sessionsOf(alice), await sessionsOf(bob)]).toEqual([1, 1]);
  });

  test("W4: an unknown key, another's id and a wrong signature are told apart by nothing", async () => {
    const unknown = await browser.login({ id: randomBytes(32).toString("base64url") });
    const others = await browser.login({ id: bobs.key.kept[0]?.id ?? "" });
    const wrong = await browser.login({ signedBy: stranger });
    const late = await browser.finishLogin("", browser.key.get((await browser.beginLogin()).publicKey));
    const texts = [unknown, others, wrong, late].map(({ status, body }) =>
      JSON.stringify({ status, ...body, request_id: "" }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(verdict(unknown)).toBe(refused);
  });

  test("W6: a count that is not newer than the last is a copied key's", async () => {
    expect(verdict(await browser.login({ counter: 5 }))).toBe("200");
    for (const counter of [5, 4, 0]) expect(verdict(await browser.login({ counter }))).toBe(refused);
    expect(await sessionsOf(alice)).toBe(2);
    expect(verdict(await browser.login({ counter: 6 }))).toBe("200");
    expect(verdict(await browser.login({ counter: 0xffffffff }))).toBe("200");
  });

  test("W6: of a key and its copy that sign with one count at once, one gets in", async () => {
    const begun = await Promise.all([1, 2, 3, 4].map(() => browser.beginLogin()));
    const answers = await Promise.all(
      begun.map(({ cookie, publicKey }) =>
        browser.finishLogin(cookie, browser.key.get(publicKey, { counter: 9 })),
      ),
    );
    expect(verdicts(answers).sort()).toEqual(["200", refused, refused, refused]);
    expect(await sessionsOf(alice)).toBe(2);
  });

  test("a disabled account is not opened, and its owner, who has the key, may know why", async () => {
    const { house: running } = house().running;
    await running.write((unit) => disableAccount(unit, alice.id));
    expect(verdict(await browser.login())).toBe("403 forbidden");
    expect(verdict(await browser.login({ signedBy: stranger }))).toBe(refused);
    await running.write((unit) => enableAccount(unit, alice.id));
    expect(await usesOf(alice)).toEqual([null]);
    expect(verdict(await browser.login())).toBe("200");
  });

  test("W7: the options are the same for everybody and name no key, whatever is asked", async () => {
    const asked = [undefined, {}, { email: alice.email }, { username: alice.username }, "not json"];
    const told = new Set<string>();
    for (const body of asked) {
      const { status, body: answer } = await browser.post<{ publicKey: object }>("login/begin", body);
      told.add(JSON.stringify({ status, ...answer.publicKey, challenge: "" }));
    }
    const publicKey = { rpId: "localhost", challenge: "", allowCredentials: [], timeout: 300_000 };
    expect([...told]).toEqual([JSON.stringify({ status: 200, ...publicKey, userVerification: "required" })]);
  });

  test("T4: a session cookie that was there before is not taken over, nor the challenge's own value", async () => {
    const before = await browser.login();
    const { cookie, publicKey } = await browser.beginLogin();
    const after = await browser.finishLogin(`${cookieOf(before)}; ${cookie}`, browser.key.get(publicKey));
    expect(verdict(after)).toBe("200");
    const [old, made] = [before, after].map((answer) => answer.headers.get("x-session-token") ?? "");
    expect(made).toMatch(/^hs_/);
    expect(made).not.toBe(old);
    expect(cookie).not.toContain(made);
    const fixed = await browser.beginLogin();
    const planted = `app_session=hs_${"A".repeat(43)}`;
    const third = await browser.finishLogin(`${planted}; ${fixed.cookie}`, browser.key.get(fixed.publicKey));
    expect(cookieOf(third)).not.toBe(planted);
    expect(verdict(await alice.get("/auth/me"))).toBe("200");
  });
});
