// T1 and T10: a login does not reveal which accounts exist, and a flood of passwords does not stop the server.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { send, type TestPerson } from "../house/people/people.ts";
import { expectErrorBody, expectRefusal } from "../routes/error-body.ts";

let house: TestHouse;
let alice: TestPerson;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  house.hashCost = undefined;
  await house.open();
  alice = await house.person("alice");
});
afterAll(() => house.end());

function login(email: string, password: string) {
  return send(house, undefined, "POST", "/auth/login/password", { email, password });
}

describe("a failed login", () => {
  test("says the same of an unknown name, an unknown address and a wrong password", async () => {
    const answers = [];
    for (const email of [alice.username, alice.email, "nobody", "nobody@people.example", "' or 1=1 --"]) {
      const answer = await login(email, "not the password");
      expectRefusal(answer, "invalid_credentials");
      expect(answer.headers.get("set-cookie")).toBeNull();
      expect(answer.headers.get("x-session-token")).toBeNull();
      answers.push({ ...answer.body, request_id: "" });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test("has the same headers for a known and an unknown name", async () => {
    const [known, unknown] = [await login(alice.username, "not it"), await login("nobody", "not it")];
    expect([...known.headers.keys()].sort()).toEqual([...unknown.headers.keys()].sort());
    expect(known.headers.get("content-length")).toBe(unknown.headers.get("content-length"));
  });

  test("changes nothing: the right password still signs in, by name or address in any case", async () => {
    for (const email of [
      alice.username,
      alice.username.toUpperCase(),
      ` ${alice.email} `,
      alice.email.toUpperCase(),
    ]) {
      expect((await login(email, alice.password)).body.id as unknown).toBe(alice.id);
    }
    for (const password of [
      alice.password.toUpperCase(),
      `${alice.password} `,
      alice.password.slice(0, -1),
    ]) {
      expectRefusal(await login(alice.username, password), "invalid_credentials");
    }
  });
});

describe("a password that is too long or too short", () => {
  test("is 400 before any hashing, and makes no account", async () => {
    for (const password of ["", "1234567", "x".repeat(257), "x".repeat(200_000)]) {
      const body = { username: "too_much", email: "too_much@people.example", display_name: "T", password };
      expectRefusal(await send(house, undefined, "POST", "/auth/register", body), "invalid_request");
    }
    const me = { current_password: alice.password, new_password: "1234567" };
    expectRefusal(await alice.put("/auth/me/password", me), "invalid_request");
    expectRefusal(await login("too_much", "12345678"), "invalid_credentials");
    expect((await login(alice.username, alice.password)).status).toBe(200);
  });

  test("a wrong current password is 403 and keeps the session (T11)", async () => {
    const body = { current_password: "not the password", new_password: "another password" };
    expectRefusal(await alice.put("/auth/me/password", body), "wrong_password");
    expect((await alice.get("/auth/me")).status).toBe(200);
    expect((await login(alice.username, alice.password)).status).toBe(200);
  });
});

describe("a flood of logins", () => {
  test("waits in a queue with an end: what is past it is 503, known name or not; everything else goes on", async () => {
    let over = false;
    const flood = Array.from({ length: 180 }, (_, i) =>
      login(i % 2 ? alice.username : `nobody_${i}`, "not the password"),
    );
    const ended = Promise.all(flood).finally(() => {
      over = true;
    });
    const alive = [];
    while (!over) {
      alive.push(await alice.get("/auth/me"));
      await Bun.sleep(20);
    }
    expect(alive.length).toBeGreaterThan(5);
    expect(alive.every((answer) => answer.status === 200)).toBe(true);

    const answers = await ended;
    const refused = answers.filter((answer) => answer.status === 503);
    expect(answers.filter((answer) => answer.status === 401).length).toBeGreaterThanOrEqual(128);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.every((answer) => [401, 503].includes(answer.status))).toBe(true);
    for (const answer of refused) {
      expectErrorBody(answer);
      expect(answer.body.code as unknown).toBe("unavailable");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    }
    expect((await login(alice.username, alice.password)).status).toBe(200);
  });
});
