// Composed and decomposed letters make the same password, and hashes from before that rule still match.
import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { send, type TestPerson } from "../../tests/house/people/people.ts";
import { MailBox, tokenIn } from "../../tests/house/servers/mail-box.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";

const composed = "\u00dcbergr\u00f6\u00dfe caf\u00e9";
const decomposed = composed.normalize("NFD");

const box = await MailBox.open();
afterAll(() => box.close());

onEachEngine(
  "a password in letters that can be written in two ways",
  (house) => {
    let anna: TestPerson;
    /** The hash of the decomposed password without normalisation, as earlier releases stored it. */
    let fromBefore: string;
    beforeAll(async () => {
      fromBefore = await Bun.password.hash(decomposed, {
        algorithm: "argon2id",
        memoryCost: 8,
        timeCost: 1,
      });
    });
    beforeEach(async () => {
      anna = await house().person("anna");
    });

    const login = (password: string, name = anna.username) =>
      send<{ id: string }>(house(), undefined, "POST", "/auth/login/password", { email: name, password });
    const change = (current_password: string, new_password: string) =>
      anna.put("/auth/me/password", { current_password, new_password });
    const storedHash = async () => {
      const { read } = house().running.house.database;
      const row = read.selectFrom("users").select("password_hash").where("id", "=", anna.id);
      return (await row.executeTakeFirstOrThrow()).password_hash;
    };
    const store = (password_hash: string) =>
      house().running.house.database.transaction((db) =>
        db.updateTable("users").set({ password_hash }).where("id", "=", anna.id).execute(),
      );

    test("is the same to register, to sign in, to change it and to set it by a link", async () => {
      for (const [one, other] of [
        [composed, decomposed],
        [decomposed, composed],
      ] as const) {
        const username = `letters_${one.length}_${anna.username}`.slice(0, 32);
        const account = { username, email: `${username}@people.example`, display_name: "L", password: one };
        expect((await send(house(), undefined, "POST", "/auth/register", account)).status).toBe(201);
        expect(verdicts([await login(one, username), await login(other, username)])).toEqual(["200", "200"]);
      }
      expect(verdict(await change(anna.password, decomposed))).toBe("204");
      expect(verdict(await login(composed))).toBe("200");
    });

    test("fits as the current one, and by a link from the mail, in either form", async () => {
      expect(verdict(await change(anna.password, composed))).toBe("204");
      const signedIn = await login(decomposed);
      anna.token = signedIn.headers.get("x-session-token") ?? "";
      expect(verdict(await change(decomposed, "another horse battery"))).toBe("204");
      await send(house(), undefined, "POST", "/auth/password/forgot", { email: anna.email });
      const token = tokenIn(await box.linkTo(anna.email));
      const reset = { token, new_password: decomposed };
      expect((await send(house(), undefined, "POST", "/auth/password/reset", reset)).status).toBe(204);
      expect(verdict(await login(composed))).toBe("200");
    });

    test("is measured as letters: one sign or two make it neither longer nor shorter", async () => {
      const seven = "\u00fc".repeat(7);
      const most = "\u00fc".repeat(256);
      for (const [password, expected] of [
        [seven.normalize("NFD"), "400 invalid_request"],
        [most.normalize("NFD"), "204"],
      ] as const)
        expect(verdict(await change(anna.password, password))).toBe(expected);
      expect(verdict(await login(most))).toBe("200");
    });

    test("hashed as it came fits as it was typed then, is stored anew by that, and fits in both forms", async () => {
      await store(fromBefore);
      expect(verdicts([await login(composed), await login(`${decomposed}!`)])).toEqual([
        "401 invalid_credentials",
        "401 invalid_credentials",
      ]);
      expect(await storedHash()).toBe(fromBefore);
      expect(verdict(await login(decomposed))).toBe("200");
      expect(await storedHash()).not.toBe(fromBefore);
      expect(verdicts([await login(composed), await login(decomposed)])).toEqual(["200", "200"]);
      expect((await anna.get("/auth/me")).status).toBe(200);
    });

    test("that is being stored anew signs in whoever comes at the same moment, and may be changed at that moment", async () => {
      await store(fromBefore);
      const devices = await Promise.all(Array.from({ length: 6 }, () => login(decomposed)));
      expect(verdicts(devices)).toEqual(Array(6).fill("200"));

      await store(fromBefore);
      const [signedIn, changed] = await Promise.all([
        login(decomposed),
        change(decomposed, "another horse battery"),
      ]);
      expect(verdict(changed)).toBe("204");
      // If the change came first, the old password was no longer valid.
      expect(["200", "401 invalid_credentials"]).toContain(verdict(signedIn));
      expect(verdict(await login("another horse battery"))).toBe("200");
    });

    test("that is stored anew leaves a link for a new one good; a change makes it void as ever", async () => {
      await store(fromBefore);
      await send(house(), undefined, "POST", "/auth/password/forgot", { email: anna.email });
      const token = tokenIn(await box.linkTo(anna.email));
      expect(verdict(await login(decomposed))).toBe("200");
      expect(await storedHash()).not.toBe(fromBefore);
      const reset = { token, new_password: "a quite new horse" };
      expect((await send(house(), undefined, "POST", "/auth/password/reset", reset)).status).toBe(204);
      expect(verdict(await login("a quite new horse"))).toBe("200");
    });

    test("costs as many hashes under an unknown name as under a known one, whatever its form", async () => {
      const verifying = spyOn(Bun.password, "verify");
      const hashing = spyOn(Bun.password, "hash");
      const costOf = async (name: string, password: string) => {
        // The first sign-in of a process computes one more hash.
        for (let i = 0; i < house().all.length; i++) await login("nobody_at_all", password);
        verifying.mockClear();
        hashing.mockClear();
        expect(verdict(await login(password, name))).toBe("401 invalid_credentials");
        return [verifying.mock.calls.length, hashing.mock.calls.length];
      };
      try {
        for (const hash of [await storedHash(), fromBefore]) {
          await store(hash ?? "");
          for (const [password, verified] of [
            ["plain letters", 1],
            ["\u00e4nderes", 1],
            ["a\u0308nderes", 2],
          ] as const)
            for (const name of [anna.username, anna.email, "nobody_at_all", "nobody@people.example"])
              expect([name, password, await costOf(name, password)]).toEqual([name, password, [verified, 0]]);
        }
      } finally {
        verifying.mockRestore();
        hashing.mockRestore();
      }
    });
  },
  box.settings,
);
