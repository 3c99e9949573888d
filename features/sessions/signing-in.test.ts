// Signing in and out: names, how the session is transmitted, and when it ends.
import { beforeAll, expect, test } from "bun:test";
import { tokenHash } from "../../server/tokens.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { send, type TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";

interface Session {
  id: string;
  created_at: string;
  last_used_at: string;
  user_agent: string;
  current: boolean;
}

onEachEngine("signing in and out", (house) => {
  let alice: TestPerson;
  let bob: TestPerson;

  beforeAll(async () => {
    [alice, bob] = await Promise.all([house().person("Alice"), house().person("bob")]);
  });

  const login = (email: unknown, password: unknown, headers: Record<string, string> = {}) =>
    send<{ id: string }>(house(), undefined, "POST", "/auth/login/password", { email, password }, headers);
  const tokenOf = (answer: { headers: Headers }) => answer.headers.get("x-session-token") ?? "";
  const me = (headers: Record<string, string>) =>
    send(house(), undefined, "GET", "/auth/me", undefined, headers);

  test("Alice signs in by e-mail address or username, whatever the case", async () => {
    for (const name of [
      alice.email,
      alice.email.toUpperCase(),
      alice.username,
      ` ${alice.username.toLowerCase()} `,
    ]) {
      const answer = await login(name, alice.password);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ id: alice.id });
      expect(answer.headers.get("set-cookie")).toContain(`app_session=${tokenOf(answer)};`);
    }
  });

  test("every sign-in makes a new token, and never the one that was brought along", async () => {
    const first = await login(alice.email, alice.password);
    const second = await login(alice.email, alice.password, { Cookie: `app_session=${tokenOf(first)}` });
    expect(tokenOf(second)).not.toBe(tokenOf(first));
    expect(verdict(await me({ Authorization: `Bearer ${tokenOf(first)}` }))).toBe("200");
  });

  test("an unknown name and a wrong password cannot be told apart: not by the answer, not by the time", async () => {
    // With real hashing times.
    house().hashCost = undefined;
    await house().restart();
    const carol = await house().person("carol");
    const timed = async (name: string) => {
      const started = performance.now();
      const answer = await login(name, "wrong horse battery");
      expect(verdict(answer)).toBe("401 invalid_credentials");
      return { text: JSON.stringify({ ...answer.body, request_id: "" }), ms: performance.now() - started };
    };
    await timed("nobody at all");
    // Alternating, so that load on the machine affects both alike.
    const wrong: Awaited<ReturnType<typeof timed>>[] = [];
    const unknown: typeof wrong = [];
    for (const nobody of ["nobody", "nobody@people.example", "no body", "no.body", "nobody2", "nobody3"]) {
      wrong.push(await timed(wrong.length % 2 ? carol.username : carol.email));
      unknown.push(await timed(nobody));
    }
    expect(new Set([...wrong, ...unknown].map((each) => each.text)).size).toBe(1);
    const fastest = (tries: { ms: number }[]) => Math.min(...tries.map((each) => each.ms));
    expect(fastest(unknown)).toBeGreaterThan(fastest(wrong) / 3);
  });

  test("passwords are compared whole and by case", async () => {
    const tries = [
      alice.password.toUpperCase(),
      `${alice.password} `,
      alice.password.slice(0, -1),
      bob.password.at(0),
    ];
    for (const password of tries) {
      expect(verdict(await login(alice.email, password))).toBe("401 invalid_credentials");
    }
  });

  test("a sign-in of another shape is refused", async () => {
    const shapes = [
      [{ $ne: "" }, alice.password],
      [alice.email, { $ne: "" }],
      [alice.email, ""],
      ["", alice.password],
      [alice.email, "x".repeat(257)],
      [alice.email, null],
      [`${alice.email}\0`, alice.password],
    ];
    for (const [email, password] of shapes) {
      expect(verdict(await login(email, password))).toBe("400 invalid_request");
    }
  });

  test("the session travels in a cookie or as Bearer; a bad cookie is not made good by a Bearer", async () => {
    const good = alice.token;
    const bad = `hs_${"x".repeat(43)}`;
    const answers: [string, Record<string, string>][] = [
      ["200", { Cookie: `app_session=${good}` }],
      ["200", { Cookie: `theme=dark; app_session=${good}; x=y` }],
      ["200", { Authorization: `Bearer ${good}` }],
      ["200", { Authorization: `bearer ${good}` }],
      ["200", { Authorization: `Bearer ${good}`, Cookie: "theme=dark" }],
      ["200", { Authorization: `Bearer ${bad}`, Cookie: `app_session=${good}` }],
      ["401 unauthenticated", { Authorization: `Bearer ${good}`, Cookie: `app_session=${bad}` }],
      ["401 unauthenticated", { Authorization: `Bearer ${good}`, Cookie: "app_session=" }],
      ["401 unauthenticated", { Cookie: `app_session=${good}; app_session=${bad}` }],
      ["401 unauthenticated", { Cookie: `app_session=${good}; app_session=${good}` }],
      ["401 unauthenticated", { Authorization: `Bot ${good}` }],
      ["401 unauthenticated", { Authorization: good }],
      ["401 unauthenticated", { Authorization: "Bearer" }],
      ["401 unauthenticated", { Authorization: `Bearer ${good.slice(0, -1)}` }],
      ["401 unauthenticated", { Authorization: `Bearer ${good}x` }],
      ["401 unauthenticated", {}],
    ];
    for (const [expected, headers] of answers) {
      expect([JSON.stringify(headers), verdict(await me(headers))]).toEqual([
        JSON.stringify(headers),
        expected,
      ]);
    }
    const inQuery = await send(house(), undefined, "GET", `/auth/me?token=${good}&app_session=${good}`);
    expect(verdict(inQuery)).toBe("401 unauthenticated");
  });

  test("no token is kept as it is: the table of sessions holds only hashes", async () => {
    const rows = await house().running.house.database.read.selectFrom("sessions").selectAll().execute();
    const text = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThan(1);
    expect(text).not.toContain(alice.token);
    expect(text).not.toContain(alice.token.slice(3));
    expect(text).not.toContain("hs_");
  });

  test("signing out ends this session and its sockets, clears the cookie, and leaves the other one", async () => {
    const token = tokenOf(await login(bob.email, bob.password));
    const other = bob.token;
    bob.token = token;
    const ear = await bob.listen();
    const out = await bob.post("/auth/logout");

    expect(out.status).toBe(204);
    expect(out.headers.get("set-cookie")).toMatch(/^app_session=; Path=\/; Max-Age=0;/);
    expect((await ear.closed).code).toBe(4010);
    expect(verdict(await bob.post("/auth/logout"))).toBe("401 unauthenticated");
    expect(verdict(await bob.get("/auth/me"))).toBe("401 unauthenticated");
    bob.token = other;
    expect(verdict(await bob.get("/auth/me"))).toBe("200");
  });

  test("of the name that a browser gives itself no more is kept than a line", async () => {
    const there = tokenOf(await login(bob.email, bob.password, { "User-Agent": "x".repeat(1000) }));
    const { body } = await send(house(), there, "GET", "/auth/sessions");
    const current = (body as unknown as Session[]).find((each) => each.current);
    expect(current?.user_agent).toBe("x".repeat(256));
    await send(house(), there, "POST", "/auth/logout");
  });

  test("Bob sees where he is signed in, and ends one session; Alice's he cannot", async () => {
    const there = await login(bob.email, bob.password, { "User-Agent": "Bob's telephone" });
    const { body } = await bob.get<Session[]>("/auth/sessions");
    expect(body.map((each) => [each.user_agent === "Bob's telephone", each.current])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(Object.keys(body[0] ?? {}).sort()).toEqual([
      "created_at",
      "current",
      "id",
      "last_used_at",
      "user_agent",
    ]);

    const telephone = body[0]?.id ?? "";
    expect(verdict(await alice.delete(`/auth/sessions/${telephone}`))).toBe("404 not_found");
    expect(verdict(await me({ Authorization: `Bearer ${tokenOf(there)}` }))).toBe("200");
    expect(verdict(await bob.delete(`/auth/sessions/${telephone}`))).toBe("204");
    expect(verdict(await bob.delete(`/auth/sessions/${telephone}`))).toBe("404 not_found");
    expect(verdict(await bob.delete("/auth/sessions/this-one"))).toBe("404 not_found");
    expect(verdict(await me({ Authorization: `Bearer ${tokenOf(there)}` }))).toBe("401 unauthenticated");
    expect((await bob.get<Session[]>("/auth/sessions")).body.map((each) => each.current)).toEqual([true]);
  });

  test("the list has the last use of each; who ends the session that asks loses its cookie, and no other end takes it", async () => {
    const dora = await house().person("dora");
    await Bun.sleep(2);
    const before = new Date().toISOString();
    const telephone = tokenOf(await login(dora.email, dora.password));
    const { body } = await dora.get<Session[]>("/auth/sessions");
    for (const { last_used_at } of body) expect(last_used_at >= before).toBe(true);
    const [there, here] = body;
    const other = await dora.delete(`/auth/sessions/${there?.id}`);
    expect([verdict(other), other.headers.get("set-cookie")]).toEqual(["204", null]);
    const own = await dora.delete(`/auth/sessions/${here?.id}`);
    expect(own.headers.get("set-cookie")).toMatch(/^app_session=; Path=\/; Max-Age=0;/);
    for (const token of [telephone, dora.token])
      expect(verdict(await me({ Authorization: `Bearer ${token}` }))).toBe("401 unauthenticated");
  });

  test("sessions outlive a restart", async () => {
    await house().restart();
    expect(verdicts([await alice.get("/auth/me"), await bob.get("/auth/me")])).toEqual(["200", "200"]);
  });

  test("a session that was not used for 30 days, or is 180 days old, has ended", async () => {
    const day = 24 * 3600_000;
    const ages = [
      [100, 29],
      [100, 31],
      [181, 0],
    ] as const;
    const tokens: string[] = [];
    for (const _ of ages) tokens.push(tokenOf(await login(bob.email, bob.password)));
    // A server that knows of their use would write it at some time.
    await house().restart();
    const { database } = house().running.house;
    for (const [i, [created, used]] of ages.entries()) {
      const at = { created_at: Date.now() - created * day, last_used_at: Date.now() - used * day };
      const hash = tokenHash(tokens[i] ?? "");
      await database.transaction((db) =>
        db.updateTable("sessions").set(at).where("token_hash", "=", hash).execute(),
      );
    }
    const answers = await Promise.all(tokens.map((token) => send(house(), token, "GET", "/auth/me")));
    expect(verdicts(answers)).toEqual(["200", "401 unauthenticated", "401 unauthenticated"]);
  });
});

onEachEngine(
  "behind https",
  (house) => {
    test("the cookie is marked Secure where the public URL is https", async () => {
      const alice = await house().person("alice");
      const body = { email: alice.email, password: alice.password };
      const answer = await send(house(), undefined, "POST", "/auth/login/password", body);
      expect(answer.headers.get("set-cookie")).toEndWith("; HttpOnly; SameSite=Lax; Secure");
    });
  },
  { PUBLIC_URL: "https://chat.example" },
);
