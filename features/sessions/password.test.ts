// Changing the password: requirements, and which sessions survive.
import { beforeEach, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { type Answer, send, type TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";

const newPassword = "another horse battery";

onEachEngine("changing the password", (house) => {
  let alice: TestPerson;

  beforeEach(async () => {
    alice = await house().person("alice");
  });

  const change = (current_password: unknown, new_password: unknown) =>
    alice.put("/auth/me/password", { current_password, new_password });
  const login = (password: string) =>
    send(house(), undefined, "POST", "/auth/login/password", { email: alice.email, password });
  const tokenOf = (answer: { headers: Headers }) => answer.headers.get("x-session-token") ?? "";
  const isLive = async (token: string) => (await send(house(), token, "GET", "/auth/me")).status === 200;

  test("the caller goes on under a new token with the socket open; every other session and socket ends", async () => {
    const before = alice.token;
    const mine = await alice.listen();
    alice.token = tokenOf(await login(alice.password));
    const other = alice.token;
    const theirs = await alice.listen();
    alice.token = before;

    const changed = await change(alice.password, newPassword);

    const token = tokenOf(changed);
    expect(changed.status).toBe(204);
    expect(changed.headers.get("set-cookie")).toContain(`app_session=${token};`);
    expect([await isLive(before), await isLive(other), await isLive(token)]).toEqual([false, false, true]);
    expect((await theirs.closed).code).toBe(4010);
    await mine.settle();
    expect(mine.socket.readyState).toBe(WebSocket.OPEN);
    mine.close();
    expect(verdicts([await login(alice.password), await login(newPassword)])).toEqual([
      "401 invalid_credentials",
      "200",
    ]);
  });

  test("a wrong current password is 403, so that nobody takes it for the end of the session", async () => {
    expect(verdict(await change("wrong horse battery", newPassword))).toBe("403 wrong_password");
    expect(await isLive(alice.token)).toBe(true);
    expect(verdicts([await login(newPassword), await login(alice.password)])).toEqual([
      "401 invalid_credentials",
      "200",
    ]);
  });

  test("a new password of 7 or 257 characters, or none, is refused before anything is hashed", async () => {
    const answers: Answer<unknown>[] = [];
    for (const password of ["1234567", "x".repeat(257), "x".repeat(200_000), 12345678, null, undefined]) {
      answers.push(await change(alice.password, password));
    }
    expect(new Set(verdicts(answers))).toEqual(new Set(["400 invalid_request"]));
    expect(verdict(await login(alice.password))).toBe("200");
  });

  test("no sign-in with the old password that was under way outlives the change", async () => {
    const changing = change(alice.password, newPassword);
    const tries: Promise<Answer<unknown>>[] = [];
    for (let i = 0; i < 12; i++) {
      tries.push(login(alice.password));
      await Bun.sleep(8);
    }
    expect((await changing).status).toBe(204);
    const tokens = (await Promise.all(tries)).filter((answer) => answer.status === 200).map(tokenOf);
    const alive = await Promise.all(tokens.map(isLive));
    expect(alive.filter(Boolean)).toHaveLength(0);
  });

  test("of two changes at the same moment at most one token stays good, and it fits the password that holds", async () => {
    const answers = await Promise.all([
      change(alice.password, newPassword),
      change(alice.password, "third battery"),
    ]);
    const live = (await Promise.all(answers.map((answer) => isLive(tokenOf(answer))))).filter(Boolean);
    expect(live).toHaveLength(1);
    const logins = verdicts([await login(newPassword), await login("third battery")]);
    expect(logins.sort()).toEqual(["200", "401 invalid_credentials"]);
  });
});
