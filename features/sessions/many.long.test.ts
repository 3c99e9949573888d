// An account that signs in again and again keeps the hundred most recently used sessions.
import { expect, test } from "bun:test";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import { send, type TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";

interface Session {
  id: string;
  last_used_at: string;
  current: boolean;
}

onEachEngine("many sessions of one account", (house) => {
  const login = async ({ username, password }: TestPerson) => {
    const answer = await send(house(), undefined, "POST", "/auth/login/password", {
      email: username,
      password,
    });
    expect(verdict(answer)).toBe("200");
    return answer.headers.get("x-session-token") ?? "";
  };
  const me = async (token: string) => verdict(await send(house(), token, "GET", "/auth/me"));

  test("the next one beyond a hundred ends the one used longest ago, and its sockets", async () => {
    const alice = await house().person("alice");
    const second = await login(alice);
    await signedInBefore(house(), alice, 97);
    const third = await login(alice);
    const list = async () => (await alice.get<Session[]>("/auth/sessions")).body;
    expect(await list()).toHaveLength(100);

    // The first session is the oldest but in use, so the oldest of the others is ended.
    const ear = await alice.listen();
    const oldest = (await list()).sort((a, b) => (a.last_used_at < b.last_used_at ? -1 : 1))[0];
    const newest = await login(alice);
    const ids = (await list()).map(({ id }) => id);
    expect(ids).toHaveLength(100);
    expect(ids).not.toContain(oldest?.id ?? "");
    expect(await Promise.all([alice.token, second, third, newest].map(me))).toEqual(Array(4).fill("200"));
    ear.close();
  });

  test("a socket of the one that ends is closed", async () => {
    const bob = await house().person("bob");
    const ear = await bob.listen();
    await signedInBefore(house(), bob, 99, Date.now() + 60_000);
    const newest = await login(bob);
    expect((await ear.closed).code).toBe(4010);
    expect([await me(bob.token), await me(newest)]).toEqual(["401 unauthenticated", "200"]);
  });

  test("another account is left alone", async () => {
    const [mia, max] = [await house().person("mia"), await house().person("max")];
    await signedInBefore(house(), mia, 99);
    await login(mia);
    expect(verdicts([await mia.get("/auth/me"), await max.get("/auth/me")])).toEqual(["200", "200"]);
  });

  test("more than a statement can name, of an older version, end all the same", async () => {
    const eve = await house().person("eve");
    await signedInBefore(house(), eve, 66_000);
    const token = await login(eve);
    const kept = await send<Session[]>(house(), token, "GET", "/auth/sessions");
    expect(kept.body).toHaveLength(100);

    await signedInBefore(house(), eve, 66_000);
    const body = { current_password: eve.password, new_password: "another good one" };
    expect(verdict(await send(house(), token, "PUT", "/auth/me/password", body))).toBe("204");
    eve.password = body.new_password;
    const left = await send<Session[]>(house(), await login(eve), "GET", "/auth/sessions");
    expect(left.body).toHaveLength(2);
  });
});

/** Inserts the sessions directly, as logins are slow. */
async function signedInBefore(
  house: TestHouse,
  { id }: TestPerson,
  count: number,
  usedAt = Date.now() - 24 * 3600_000,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => ({
    ...{ id: Bun.randomUUIDv7(), user_id: id, token_hash: crypto.randomUUID(), user_agent: "" },
    ...{ created_at: usedAt, last_used_at: usedAt + i },
  }));
  await house.running.house.database.transaction(async (db) => {
    for (let i = 0; i < count; i += 1000) {
      await db
        .insertInto("sessions")
        .values(rows.slice(i, i + 1000))
        .execute();
    }
  });
}
