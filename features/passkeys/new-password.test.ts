// Passkeys that are deleted together with the old password, by its owner or with a link.
import { beforeEach, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBrowser } from "../../tests/house/people/browser.ts";
import { send, type TestPerson } from "../../tests/house/people/people.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { makeLink } from "../password-resets/access.ts";

const newPassword = "a quite new horse";

onEachEngine("a new password", (house) => {
  let alice: TestPerson;
  let bob: TestPerson;
  beforeEach(async () => {
    [alice, bob] = await Promise.all([house().person("alice"), house().person("bob")]);
  });

  async function add(person: TestPerson, name: string): Promise<{ id: string; browser: TestBrowser }> {
    const browser = new TestBrowser(house());
    const made = await browser.register(person, {}, { name });
    expect(made.status).toBe(201);
    return { id: made.body.id, browser };
  }
  const change = (given: Record<string, unknown>) =>
    alice.put("/auth/me/password", {
      current_password: alice.password,
      new_password: newPassword,
      ...given,
    });
  async function reset(given: Record<string, unknown>) {
    const link = await house().running.house.write((unit) => makeLink(unit, alice.id));
    const token = new URLSearchParams(new URL(link?.url ?? "").hash.slice(1)).get("token");
    const body = { token, new_password: newPassword, ...given };
    return send(house(), undefined, "POST", "/auth/password/reset", body);
  }
  async function signedIn(password = alice.password): Promise<{ token: string }> {
    const body = { email: alice.email, password };
    const { headers } = await send(house(), undefined, "POST", "/auth/login/password", body);
    return { token: headers.get("x-session-token") ?? "" };
  }
  const opens = async (browser: TestBrowser) => verdict(await browser.login());

  for (const [way, set] of [
    ["of one's own", change],
    ["by a link", reset],
  ] as const) {
    test(`${way} deletes the passkeys that are not to stay, and nobody else's`, async () => {
      const keys = await Promise.all(["Phone", "Laptop", "Thief's"].map((name) => add(alice, name)));
      const [phone, laptop, thiefs] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]];
      const bobs = await add(bob, "Bob's");
      expect((await set({ keep_passkeys: [laptop.id, phone.id, "unknown"] })).status).toBe(204);
      expect(await opens(thiefs.browser)).toBe("401 invalid_credentials");
      for (const { browser } of [phone, laptop, bobs]) expect(await opens(browser)).toBe("200");
    });

    test(`${way} deletes all of them where none is to stay`, async () => {
      const before = await Promise.all([add(alice, "Phone"), add(alice, "Laptop")]);
      expect((await set({ keep_passkeys: [] })).status).toBe(204);
      for (const { browser } of before) expect(await opens(browser)).toBe("401 invalid_credentials");
    });

    test(`${way} leaves all of them if it does not speak of them`, async () => {
      const { browser } = await add(alice, "Phone");
      expect((await set({})).status).toBe(204);
      expect(await opens(browser)).toBe("200");
    });

    test(`${way} that is refused deletes none`, async () => {
      const { browser } = await add(alice, "Phone");
      const wrong = { keep_passkeys: [], current_password: "wrong horse", token: "hr_wrong" };
      expect((await set(wrong)).status).toBeGreaterThanOrEqual(400);
      for (const keep_passkeys of [null, [""], ["x".repeat(1365)], Array(21).fill("x"), "all"])
        expect(verdict(await set({ keep_passkeys }))).toBe("400 invalid_request");
      expect(await opens(browser)).toBe("200");
    });

    for (const whose of ["another session", "the same token"]) {
      test(`${way} leaves none that ${whose} adds at the same moment`, async () => {
        const browser = new TestBrowser(house());
        const adder = Object.assign(Object.create(alice), whose === "another session" && (await signedIn()));
        const begun = await Promise.all(Array.from({ length: 18 }, () => browser.beginRegistration(adder)));
        let isSet = false;
        const setting = set({ keep_passkeys: [] }).finally(() => {
          isSet = true;
        });
        const adding = [];
        for (const { cookie, publicKey } of begun) {
          adding.push(browser.finishRegistration(adder, cookie, browser.key.create(publicKey)));
          if (isSet) break;
          await Promise.race([setting, adding.at(-1)]);
        }
        expect((await setting).status).toBe(204);
        const added = await Promise.all(adding);
        expect(added.filter(({ status }) => status !== 201 && status !== 401)).toEqual([]);
        const { token } = await signedIn(newPassword);
        const left = await send<unknown>(house(), token, "GET", "/auth/webauthn/credentials");
        expect(left.body).toEqual([]);
      });
    }
  }
});
