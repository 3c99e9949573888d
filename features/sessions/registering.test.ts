// Registering: who gets an account, which names are valid, and what it starts with.
import { describe, expect, spyOn, test } from "bun:test";
import { makeHouse, onEachEngine } from "../../tests/house/open/engines.ts";
import { send } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";

const good = { display_name: "Alice", password: "correct horse battery" };

onEachEngine("registering", (house) => {
  const register = (body: unknown, headers: Record<string, string> = {}) =>
    send<{ id: string }>(house(), undefined, "POST", "/auth/register", body, headers);
  const as = (name: string, more: Record<string, unknown> = {}) => ({
    ...good,
    username: name,
    email: `${name}@people.example`,
    ...more,
  });

  test("of ten people who register first at the same moment, exactly one owns the instance", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => register(as(`early${i}`))));
    expect(new Set(verdicts(answers))).toEqual(new Set(["201"]));
    const roles = await Promise.all(
      answers.map((answer) => send(house(), answer.headers.get("x-session-token") ?? "", "GET", "/auth/me")),
    );
    expect(roles.filter(({ body }) => String(body.instance_role) === "owner")).toHaveLength(1);
  });

  test("a new account is signed in: by cookie and by X-Session-Token", async () => {
    const answer = await register(as("alice"));
    const token = answer.headers.get("x-session-token") ?? "";
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ id: answer.body.id });
    expect(token).toMatch(/^hs_[A-Za-z0-9_-]{43}$/);
    expect(answer.headers.get("set-cookie")).toBe(
      `app_session=${token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`,
    );
    const byCookie = await send(house(), undefined, "GET", "/auth/me", undefined, {
      Cookie: `app_session=${token}`,
    });
    expect(String(byCookie.body.id)).toBe(answer.body.id);
    expect((await send(house(), token, "GET", "/auth/me")).status).toBe(200);
  });

  test("a session brought along is not taken over", async () => {
    const planted = `hs_${"A".repeat(43)}`;
    const answer = await register(as("fixated"), { Cookie: `app_session=${planted}` });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("x-session-token")).not.toBe(planted);
    expect(verdict(await send(house(), planted, "GET", "/auth/me"))).toBe("401 unauthenticated");
  });

  test("a name or an address is taken whatever its case, and the account that has it stays", async () => {
    const carol = await register(as("Carol"));
    expect(verdict(await register(as("cAROL", { email: "another@people.example" })))).toBe("409 conflict");
    expect(verdict(await register(as("carol2", { email: "CAROL@People.Example" })))).toBe("409 conflict");
    const me = await send(house(), carol.headers.get("x-session-token") ?? "", "GET", "/auth/me");
    expect(String(me.body.username)).toBe("Carol");
  });

  test("no mail gets to an address with more than 64 characters before the @, so nobody has one", async () => {
    const [longest, longer] = ["x".repeat(64), "x".repeat(65)];
    const answers = [
      await register(as("longest", { email: `${longest}@people.example` })),
      await register(as("longer", { email: `${longer}@people.example` })),
    ];
    expect(verdicts(answers)).toEqual(["201", "400 invalid_request"]);
  });

  test("blanks that a phone adds to a username are cut before it is measured and compared", async () => {
    const anna = await register(as("anna", { username: "Anna " }));
    const { body } = await send(house(), anna.headers.get("x-session-token") ?? "", "GET", "/auth/me");
    expect(String(body.username)).toBe("Anna");
    const answers = [
      await register(as("anna2", { username: " anna" })),
      await register(as("longest_name", { username: ` ${"Y".repeat(32)}\u00a0` })),
      await register(as("one_letter", { username: " a " })),
      await register(as("reserved", { username: "here " })),
    ];
    expect(verdicts(answers)).toEqual(["409 conflict", "201", "400 invalid_request", "400 invalid_request"]);
  });

  test("of five who want one name at the same moment one gets it", async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, i) => register(as("wanted", { email: `wanted${i}@people.example` }))),
    );
    expect(verdicts(answers).sort()).toEqual(["201", ...Array(4).fill("409 conflict")]);
  });

  test("the sender cannot make more of themselves than an account", async () => {
    const id = "01890000-0000-7000-8000-000000000000";
    const answer = await register(
      as("modest", {
        id,
        instance_role: "owner",
        is_bot: 1,
        avatar: "https://evil.example/",
        password_hash: "x",
      }),
    );
    expect(answer.body.id).not.toBe(id);
    const me = await send(house(), answer.headers.get("x-session-token") ?? "", "GET", "/auth/me");
    expect(`${me.body.instance_role} ${me.body.bot}`).toBe("member false");
    expect(String(me.body.avatar)).toStartWith("https://www.gravatar.com/avatar/");
  });

  const refused: [string, Record<string, unknown>][] = [
    ["a name of one letter", { username: "a" }],
    ["a name of 33 letters", { username: "a".repeat(33) }],
    ["a name with a blank", { username: "a b" }],
    ["a name with an @", { username: "alice@people.example" }],
    ["a name in another alphabet", { username: "алиса" }],
    ["the name everyone", { username: "Everyone" }],
    ["the name everyone with a stop", { username: "everyone." }],
    ["the name here", { username: "here" }],
    ["no name", { username: undefined }],
    ["something else for a name", { username: { $ne: "" } }],
    ["no address", { email: undefined }],
    ["half an address", { email: "alice@" }],
    ["two addresses", { email: "a@b.example, c@d.example" }],
    ["something else for an address", { email: { $ne: "" } }],
    ["a password of seven characters", { password: "1234567" }],
    ["a password of 257 characters", { password: "x".repeat(257) }],
    ["a password of 100,000 characters", { password: "x".repeat(100_000) }],
    ["no password", { password: null }],
    ["an empty display name", { display_name: "" }],
    ["a display name that hides", { display_name: "\u200b" }],
    ["NUL", { display_name: "a\0" }],
  ];
  test("what an account cannot have is refused", async () => {
    for (const [what, change] of refused) {
      const answer = await register({ ...as("refused"), ...change });
      expect(`${what}: ${verdict(answer)}`).toBe(`${what}: 400 invalid_request`);
    }
    expect(verdict(await register(as("refused")))).toBe("201");
  });

  for (const [what, email, others] of [
    [
      "a domain in another script",
      "Anna@müller.de",
      ["anna@xn--mller-kva.de", "ANNA@MÜLLER.de", "anna@mu\u0308ller.de"],
    ],
    ["the same as Chromium sends it", "otto@xn--mller-kva.de", ["otto@müller.de", "OTTO@Müller.DE"]],
    ["a top level in another script", "info@xn--e1afmkfd.xn--p1ai", ["info@пример.рф"]],
    ["a name with a sign that few have", "a&b@example.com", ["A&B@EXAMPLE.com"]],
  ] as const)
    test(`an address is one, kept as it came, and the same however it is written: ${what}`, async () => {
      const username = `u${email.length}_${others.length}`;
      const { status, headers } = await register(as(username, { email }));
      expect(status).toBe(201);
      const mine = await send(house(), headers.get("x-session-token") ?? "", "GET", "/auth/me");
      expect(String(mine.body.email)).toBe(email);
      for (const other of [email, ...others]) {
        const login = { email: other, password: good.password };
        expect([
          other,
          (await send(house(), undefined, "POST", "/auth/login/password", login)).status,
        ]).toEqual([other, 200]);
        expect([other, verdict(await register(as("second", { email: other })))]).toEqual([
          other,
          "409 conflict",
        ]);
      }
    });

  test("the edges of the rules are inside them", async () => {
    const edge = { username: "a.", email: " Edge@People.Example ", password: "12345678" };
    expect(verdict(await register({ ...good, ...edge }))).toBe("201");
    const long = { username: "Z".repeat(32), email: "long@people.example", password: "🔑".repeat(128) };
    expect(verdict(await register({ ...good, ...long }))).toBe("201");
    const login = { email: "EDGE@people.example", password: "12345678" };
    expect(verdict(await send(house(), undefined, "POST", "/auth/login/password", login))).toBe("200");
  });
});

// The hashing queue does not depend on the database, so one engine is enough.
test("when everybody registers at once, those past the queue are asked to come back", async () => {
  const house = await makeHouse("SQLite", {});
  await house.open();
  // No hash is computed until somebody has been told to retry.
  const isFull = Promise.withResolvers<void>();
  const { hash } = Bun.password;
  const hashing = spyOn(Bun.password, "hash").mockImplementation(async (...words) => {
    await isFull.promise;
    return hash(...words);
  });
  const register = async () => {
    const body = { ...good, username: "crowd", email: "crowd@people.example" };
    const answer = await send(house, undefined, "POST", "/auth/register", body);
    if (answer.status === 503) isFull.resolve();
    return answer;
  };
  try {
    const answers = await Promise.all(Array.from({ length: 200 }, register));
    const told = Map.groupBy(answers, verdict);
    expect([...told.keys()].sort()).toEqual(["201", "409 conflict", "503 unavailable"]);
    expect(told.get("201")).toHaveLength(1);
    expect(Number(told.get("503 unavailable")?.[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  } finally {
    hashing.mockRestore();
    await house.end();
  }
});

describe("who may register", () => {
  onEachEngine("who may register", (house) => {
    test("anyone, only with an invite, or nobody: as REGISTRATION says", async () => {
      const olga = await house().person("olga");
      const home = await olga.makeServer();
      const invite = await olga.post<{ code: string }>("/invites", { server_id: home.id, max_uses: 1 });
      const register = (username: string, invite_code?: unknown) =>
        send<{ id: string }>(house(), undefined, "POST", "/auth/register", {
          ...good,
          username,
          email: `${username}@people.example`,
          invite_code,
        });

      house().settings.REGISTRATION = "invite";
      await house().restart();
      expect(verdict(await register("without"))).toBe("403 registration_closed");
      expect(verdict(await register("wrong", "nosuchcode"))).toBe("403 registration_closed");
      expect(verdict(await register("shapeless", 7))).toBe("400 invalid_request");
      const [one, two] = await Promise.all([
        register("guest1", invite.body.code),
        register("guest2", invite.body.code),
      ]);
      expect(verdicts([one, two]).sort()).toEqual(["201", "403 registration_closed"]);
      const guest = one.status === 201 ? one : two;
      const servers = await send<{ id: string }[]>(
        house(),
        guest.headers.get("x-session-token") ?? "",
        "GET",
        "/servers",
      );
      expect(servers.body.map((server) => server.id)).toEqual([home.id]);
      expect(verdict(await register("late", invite.body.code))).toBe("403 registration_closed");

      house().settings.REGISTRATION = "closed";
      await house().restart();
      expect(verdict(await register("nobody"))).toBe("403 registration_closed");
      const count = await olga.get<unknown[]>(`/servers/${home.id}/members`);
      expect(count.body).toHaveLength(2);
    });
  });
});
