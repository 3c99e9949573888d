// T2: password guesses at one account are slowed down, from any address; people who are signed in notice nothing.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { send, type TestPerson } from "../house/people/people.ts";
import { expectRefusal } from "../routes/error-body.ts";

let house: TestHouse;
beforeAll(async () => {
  house = await makeHouse("SQLite", { RATE_LIMITS: "on", RATE_AUTH: "1000/1000" });
  await house.open();
});
afterAll(() => house.end());

function login(email: string, password: string) {
  return send(house, undefined, "POST", "/auth/login/password", { email, password });
}

async function guess(name: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) expectRefusal(await login(name, `guess ${i}`), "invalid_credentials");
}

async function expectToWait(person: TestPerson, name = person.username): Promise<void> {
  const answer = await login(name, person.password);
  expectRefusal(answer, "rate_limited");
  const wait = Number(answer.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(20);
  expect(wait).toBeLessThanOrEqual(60);
}

describe("after five failures", () => {
  test("further tries of the account wait a minute, the right password too", async () => {
    const alice = await house.person("alice");
    await guess(alice.username, 5);
    await expectToWait(alice);
    await expectToWait(alice, alice.username.toUpperCase());
  });

  test("sessions that are open stay open, and other accounts sign in", async () => {
    const [alice, bob] = [await house.person("alice"), await house.person("bob")];
    await guess(alice.username, 5);
    expect((await alice.get("/auth/me")).status).toBe(200);
    expect((await alice.makeServer()).name).toBe("Home");
    expect((await login(bob.username, bob.password)).status).toBe(200);
  });

  test("an account that does not exist waits all the same", async () => {
    await guess("nobody_at_all", 5);
    expectRefusal(await login("nobody_at_all", "guess"), "rate_limited");
  });

  test("four failures and a success begin anew", async () => {
    const alice = await house.person("alice");
    for (let round = 0; round < 2; round++) {
      await guess(alice.username, 4);
      expect((await login(alice.username, alice.password)).status).toBe(200);
    }
  });
});

describe("the five are those of a name", () => {
  test("and an account has two: after ten in all it waits, whatever is typed", async () => {
    const alice = await house.person("alice");
    await guess(alice.username, 5);
    // If this address had to wait already, that would tell whose it is.
    await guess(alice.email, 5);
    await expectToWait(alice);
    await expectToWait(alice, alice.email);
  });

  test("also when the guesses come all at once", async () => {
    const alice = await house.person("alice");
    const guesses = Array.from({ length: 20 }, (_, i) => login(alice.username, `guess ${i}`));
    const statuses = (await Promise.all(guesses)).map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(5);
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
  });
});
