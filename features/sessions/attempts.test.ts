// Guessing passwords: after five failures of an account attempts have to wait; whoever is signed in is unaffected.
import { beforeEach, describe, expect, test } from "bun:test";
import type { Refusal } from "../../protocol/errors.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { send, type TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import { oneMore } from "./attempts.ts";

describe("the account of failed logins", () => {
  const minute = 60_000;
  type Failures = ReturnType<typeof oneMore>;
  const fail = (times: number, at: number, known?: Failures): Failures | undefined =>
    times === 0 ? known : fail(times - 1, at, oneMore(known, at));
  const waits = (known: Failures | undefined, at: number): number => {
    try {
      oneMore(known, at);
      return 0;
    } catch (refusal) {
      return (refusal as Refusal).detail.retryAfter ?? -1;
    }
  };

  test("four failures are free, the fifth costs a minute, each further one five minutes", () => {
    const four = fail(4, 0);
    expect(waits(four, 0)).toBe(0);
    const five = fail(1, 0, four);
    expect(waits(five, 0)).toBe(60);
    expect(waits(five, minute)).toBe(0);
    const six = fail(1, minute, five);
    expect(waits(six, minute)).toBe(300);
    expect(waits(six, 6 * minute)).toBe(0);
  });

  test("failures a quarter of an hour apart do not add up", () => {
    expect(waits(fail(1, 15 * minute, fail(4, 0)), 15 * minute)).toBe(60);
    const later = fail(1, 16 * minute, fail(4, 0));
    expect(waits(later, 16 * minute)).toBe(0);
    expect(fail(3, 16 * minute, later)?.count).toBe(4);
  });
});

onEachEngine(
  "guessing at passwords",
  (house) => {
    let alice: TestPerson;
    beforeEach(async () => {
      alice = await house().person("alice");
    });
    const login = (email: string, password: string) =>
      send(house(), undefined, "POST", "/auth/login/password", { email, password });

    test("the sixth try waits even when it is right, says how long, and the live session goes on", async () => {
      const tries = [];
      for (let i = 0; i < 4; i++) tries.push(await login(alice.username, "wrong horse battery"));
      const before = performance.now();
      tries.push(await login(alice.username, "wrong horse battery"));
      expect(new Set(verdicts(tries))).toEqual(new Set(["401 invalid_credentials"]));
      const sixth = await login(alice.username, alice.password);
      expect(verdict(sixth)).toBe("429 rate_limited");
      // A minute from the fifth attempt.
      const passed = (performance.now() - before) / 1000;
      expect(Number(sixth.headers.get("retry-after"))).toBeWithin(60 - passed, 61);
      expect(Number(sixth.body.retry_after)).toBe(Number(sixth.headers.get("retry-after")));
      expect(verdict(await alice.get("/auth/me"))).toBe("200");
    });

    test("failures of an e-mail address tell nothing about whose it is", async () => {
      const nobodys = `nobody_${alice.email}`;
      for (const address of [alice.email, nobodys]) {
        const tries = [];
        for (let i = 0; i < 6; i++) tries.push(await login(address, "wrong horse battery"));
        expect(verdicts(tries)).toEqual([...Array(5).fill("401 invalid_credentials"), "429 rate_limited"]);
      }
      const bob = await house().person("bob");
      const after = [
        await login(alice.username, "wrong horse battery"),
        await login(bob.username, "wrong horse battery"),
      ];
      expect(verdicts(after)).toEqual(Array(2).fill("401 invalid_credentials"));
      const plain = after.map(({ body }) => ({ ...body, request_id: "" }));
      expect(plain[0]).toEqual(plain[1] as never);
      // An attacker locks out the owner under that name only.
      expect(verdict(await login(alice.username, alice.password))).toBe("200");
      expect(verdict(await login(alice.email, alice.password))).toBe("429 rate_limited");
    });

    test("under both names, however they are written, an account has ten tries and then waits", async () => {
      const names = [alice.username, alice.email].flatMap((name) => [name, ` ${name.toUpperCase()} `]);
      const tries = [];
      for (let i = 0; i < 6; i++) {
        for (const name of names) tries.push(await login(name, "wrong horse battery"));
      }
      expect(verdicts(tries).filter((each) => each === "401 invalid_credentials")).toHaveLength(10);
      for (const name of names) {
        expect(verdict(await login(name, alice.password))).toBe("429 rate_limited");
      }
    });

    test("what was typed where the name belongs is written down nowhere: it may be a password", async () => {
      const typed = `horse battery ${crypto.randomUUID()}`;
      await login(typed, "wrong horse battery");
      if (house().engine !== "PostgreSQL") return;
      const rows = await house().running.house.database.read.selectFrom("short_lived").selectAll().execute();
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(typed);
    });

    test("a success wipes them away, and nobody else waits for them", async () => {
      const bob = await house().person("bob");
      for (let round = 0; round < 2; round++) {
        for (let i = 0; i < 4; i++) await login(alice.username, "wrong horse battery");
        expect(verdict(await login(alice.username, alice.password))).toBe("200");
      }
      for (let i = 0; i < 6; i++) await login(alice.username, "wrong horse battery");
      expect(verdict(await login(bob.username, bob.password))).toBe("200");
    });

    test("to type somebody's id keeps nobody from changing their password", async () => {
      for (let i = 0; i < 6; i++) await login(alice.id, "wrong horse battery");
      const change = { current_password: alice.password, new_password: "another good one" };
      expect(verdict(await alice.put("/auth/me/password", change))).toBe("204");
    });

    test("tries at the current password count as well, until one is right or a link sets a new one", async () => {
      const change = (current_password: string, new_password = alice.password) =>
        alice.put("/auth/me/password", { current_password, new_password });
      const guess = async (times: number) => {
        const tries = [];
        for (let i = 0; i < times; i++) tries.push(await change("wrong horse battery"));
        return new Set(verdicts(tries));
      };
      const goOnAs = ({ headers }: { headers: Headers }) => {
        alice.token = headers.get("x-session-token") ?? "";
      };
      for (let round = 0; round < 2; round++) {
        expect(await guess(4)).toEqual(new Set(["403 wrong_password"]));
        const right = await change(alice.password);
        expect(verdict(right)).toBe("204");
        goOnAs(right);
      }
      for (let i = 0; i < 5; i++) await login(alice.username, "wrong horse battery");
      expect(await guess(5)).toEqual(new Set(["403 wrong_password"]));
      expect(await guess(1)).toEqual(new Set(["429 rate_limited"]));
      const { lines } = await house().command(["reset-link", alice.username]);
      const set = { token: lines[1]?.split("token=")[1], new_password: "set by a link" };
      expect((await send(house(), undefined, "POST", "/auth/password/reset", set)).status).toBe(204);
      const signedIn = await login(alice.username, set.new_password);
      expect(verdict(signedIn)).toBe("200");
      goOnAs(signedIn);
      expect(await guess(1)).toEqual(new Set(["403 wrong_password"]));
    });

    test("of twenty guesses at the same moment no more than five are looked at", async () => {
      const guesses = Array.from({ length: 20 }, () => login(alice.username, "wrong horse battery"));
      const looked = verdicts(await Promise.all(guesses)).filter(
        (each) => each === "401 invalid_credentials",
      );
      expect(looked.length).toBeLessThanOrEqual(5);
    });
  },
  { RATE_LIMITS: "on", RATE_AUTH: "9999/9999", RATE_ALL: "9999/9999" },
);
