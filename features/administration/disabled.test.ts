// A disabled account: no way of signing in works, not even one that has already begun.
import { expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBrowser } from "../../tests/house/people/browser.ts";
import { send, type TestPerson } from "../../tests/house/people/people.ts";
import { isLockWaitedFor } from "../../tests/house/servers/locks.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

onEachEngine("a disabled account", (house) => {
  const operator = async (...words: string[]) => {
    const answer = await house().command(words);
    if (!answer.ok) throw new Error(answer.lines.join(" "));
    return answer.lines;
  };
  const login = (who: TestPerson) =>
    send(house(), undefined, "POST", "/auth/login/password", { email: who.email, password: who.password });
  const meWith = (token: string) => send(house(), token, "GET", "/auth/me");

  test("is refused by password and by passkey, and let in again by both", async () => {
    const bob = await house().person("bob");
    const browser = new TestBrowser(house());
    await browser.register(bob);
    await operator("disable", bob.username);
    expect(verdict(await login(bob))).toBe("403 forbidden");
    expect(verdict(await browser.login())).toBe("403 forbidden");
    await operator("enable", bob.username);
    expect((await login(bob)).status).toBe(200);
    expect((await browser.login()).status).toBe(200);
  });

  test("logins that run while it is disabled leave no session behind", async () => {
    const bob = await house().person("bob");
    const logins = Array.from({ length: 12 }, () => login(bob));
    await Bun.sleep(60);
    await operator("disable", bob.username);
    for (const { status, headers } of await Promise.all(logins)) {
      expect([200, 403]).toContain(status);
      if (status === 200)
        expect(verdict(await meWith(headers.get("x-session-token") ?? ""))).toBe("401 unauthenticated");
    }
    const { database } = house().running.house;
    const left = await database.read
      .selectFrom("sessions")
      .select("id")
      .where("user_id", "=", bob.id)
      .execute();
    expect(left).toEqual([]);
  });

  for (const way of ["password", "passkey"] as const)
    test(`a login by ${way} that comes while the account is being disabled waits for that, and is refused`, async () => {
      const bob = await house().person("bob");
      const browser = new TestBrowser(house());
      await browser.register(bob);
      const { database } = house().running.house;
      const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const disabling = database.transaction(async (db) => {
        await db.updateTable("users").set({ disabled_at: Date.now() }).where("id", "=", bob.id).execute();
        held.resolve();
        await released.promise;
      });
      await held.promise;
      let hasEnded = false;
      const answer = (way === "password" ? login(bob) : browser.login()).finally(() => {
        hasEnded = true;
      });
      if (database.locksRows)
        await until(
          async () => hasEnded || (await isLockWaitedFor(database.read)),
          "the login neither waits nor ends",
        );
      released.resolve();
      await disabling;
      expect(verdict(await answer)).toBe("403 forbidden");
    });

  test("a link that was made before is void, and good for nothing afterwards either", async () => {
    const bob = await house().person("bob");
    const [, link = ""] = await operator("reset-link", bob.username);
    await operator("disable", bob.username);
    const body = { token: link.split("token=")[1], new_password: "a quite new horse" };
    const reset = () => send(house(), undefined, "POST", "/auth/password/reset", body);
    expect(verdict(await reset())).toBe("400 invalid_token");
    await operator("enable", bob.username);
    expect(verdict(await reset())).toBe("400 invalid_token");
    expect((await login(bob)).status).toBe(200);
  });

  test("others see Bob as before, and hear nothing of it", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const ear = await alice.listen();
    await operator("disable", bob.username);
    await ear.settle();
    const aboutBob = ear.frames.filter((frame) => JSON.stringify(frame.data ?? "").includes(bob.id));
    expect(aboutBob.map((frame) => frame.type).filter((type) => type !== "READY")).toEqual([]);
    const { status, body } = await alice.get(`/users/${bob.id}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).not.toContain("disabled_at");
  });
});
