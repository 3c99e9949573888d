// T4, T5 and T8: which credentials count, and what happens to those that do not.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { Ear } from "../house/people/ear.ts";
import { send, type TestPerson } from "../house/people/people.ts";
import { expectRefusal } from "../routes/error-body.ts";

let house: TestHouse;
let alice: TestPerson;
let mallory: TestPerson;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  [alice, mallory] = [await house.person("alice"), await house.person("mallory")];
});
afterAll(() => house.end());

function me(headers: Record<string, string>, path = "/auth/me") {
  return send(house, undefined, "GET", path, undefined, headers);
}

describe("what counts", () => {
  test("one session cookie, also among others", async () => {
    for (const cookie of [
      `app_session=${alice.token}`,
      `theme=dark; app_session=${alice.token}; lang=en`,
      `xapp_session=nothing; app_session=${alice.token}; app_session2=nothing`,
    ]) {
      expect((await me({ Cookie: cookie })).body.id as unknown).toBe(alice.id);
    }
  });

  test("a Bearer token, where there is no cookie", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      expect((await me({ Authorization: `${scheme} ${alice.token}` })).status).toBe(200);
    }
    expect((await me({ Authorization: `Bearer ${alice.token}`, Cookie: "theme=dark" })).status).toBe(200);
  });
});

describe("what does not count: always 401", () => {
  test("two session cookies, even if one or both are good", async () => {
    const [good, other] = [alice.token, mallory.token];
    for (const pair of [
      [good, good],
      [good, other],
      [good, "nonsense"],
      ["nonsense", good],
    ]) {
      const cookie = pair.map((value) => `app_session=${value}`).join("; ");
      expectRefusal(await me({ Cookie: cookie }), "unauthenticated");
      expectRefusal(await me({ Cookie: cookie, Authorization: `Bearer ${good}` }), "unauthenticated");
    }
  });

  test("a bad cookie, even with a good Bearer token", async () => {
    for (const bad of [
      "nonsense",
      "",
      `hs_${"A".repeat(43)}`,
      `${alice.token}x`,
      alice.token.toUpperCase(),
    ]) {
      const headers = { Cookie: `app_session=${bad}`, Authorization: `Bearer ${alice.token}` };
      expectRefusal(await me(headers), "unauthenticated");
    }
  });

  test("a session token under another scheme, a bot's under Bearer, or none at all", async () => {
    for (const authorization of [
      `Bot ${alice.token}`,
      `Basic ${alice.token}`,
      `Bearer hb_${"A".repeat(43)}`,
      `Bot hb_${"A".repeat(43)}`,
      "Bot ",
      "Bot hb_",
      "Bearer",
      alice.token,
      `Bearer ${alice.token} ${alice.token}`,
      `Bearer ${"x".repeat(10_000)}`,
    ]) {
      expectRefusal(await me({ Authorization: authorization }), "unauthenticated");
    }
  });

  test("a token in the query", async () => {
    for (const name of ["token", "access_token", "session", "app_session", "authorization"]) {
      expectRefusal(await me({}, `/auth/me?${name}=${alice.token}`), "unauthenticated");
    }
  });

  test("a token in the query of the gateway, or two cookies on its upgrade", async () => {
    for (const [query, headers] of [
      [`?token=${alice.token}`, {}],
      ["", { Cookie: `app_session=${alice.token}; app_session=${mallory.token}` }],
    ] as const) {
      const socket = new WebSocket(`${house.url.replace("http", "ws")}/ws${query}`, { headers } as never);
      const ear = new Ear(socket);
      await new Promise((resolve) => socket.addEventListener("open", resolve));
      ear.say("AUTH");
      expect((await ear.closed).code).toBe(4001);
    }
  });

  test("what the database keeps of a token", async () => {
    const stored = await storedSessions();
    expect(stored).not.toContain(alice.token);
    const [, hash = ""] = /([A-Za-z0-9_-]{43})/.exec(stored) ?? [];
    expect(hash).not.toBe("");
    expectRefusal(await me({ Authorization: `Bearer hs_${hash}` }), "unauthenticated");
  });
});

describe("a session is always new (T4)", () => {
  test("what a client brings along is never taken over, at registering or signing in", async () => {
    const planted = `hs_${"P".repeat(43)}`;
    const headers = { Cookie: `app_session=${planted}` };
    const body = {
      username: "victim_1",
      email: "victim_1@people.example",
      display_name: "V",
      password: "a long password",
    };
    const registered = await send(house, undefined, "POST", "/auth/register", body, headers);
    const login = { email: "victim_1", password: "a long password" };
    const first = await send(house, undefined, "POST", "/auth/login/password", login, headers);
    const second = await send(house, undefined, "POST", "/auth/login/password", login, {
      Cookie: `app_session=${first.headers.get("x-session-token")}`,
    });
    const tokens = [registered, first, second].map((answer) => answer.headers.get("x-session-token") ?? "");
    expect(new Set([planted, ...tokens]).size).toBe(4);
    for (const token of tokens) {
      expect(token).toMatch(/^hs_[A-Za-z0-9_-]{43}$/);
      expect((await me({ Authorization: `Bearer ${token}` })).status).toBe(200);
    }
    expectRefusal(await me(headers), "unauthenticated");
  });

  test("the cookie is HttpOnly, Lax and for the whole site; Secure where the public URL is https", async () => {
    const login = { email: alice.username, password: alice.password };
    const answer = await send(house, undefined, "POST", "/auth/login/password", login);
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie.split("; ").sort()).toEqual(
      [
        `app_session=${answer.headers.get("x-session-token")}`,
        "HttpOnly",
        "Max-Age=2592000",
        "Path=/",
        "SameSite=Lax",
      ].sort(),
    );
    const secure = await makeHouse("SQLite", { PUBLIC_URL: "https://chat.example" });
    await secure.open();
    const bob = {
      username: "bob",
      email: "bob@people.example",
      display_name: "Bob",
      password: "a long password",
      setup_code: secure.setupCode,
    };
    const registered = await send(secure, undefined, "POST", "/auth/register", bob);
    expect(registered.headers.get("set-cookie")).toContain("; Secure");
    await secure.end();
  });
});

async function storedSessions(): Promise<string> {
  const { read } = house.running.house.database;
  return JSON.stringify(await read.selectFrom("sessions").selectAll().execute());
}
