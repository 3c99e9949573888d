// A socket is closed with 4010 when its session ends.
import { describe, expect, test } from "bun:test";
import { soon } from "../house/machine/waiting.ts";
import { onEachEngine } from "../house/open/engines.ts";
import { Ear } from "../house/people/ear.ts";
import { send, type TestPerson } from "../house/people/people.ts";

/** Opens another session of the same person. */
async function signIn(person: TestPerson): Promise<string> {
  const answer = await send(person.host, undefined, "POST", "/auth/login/password", {
    email: person.email,
    password: person.password,
  });
  return answer.headers.get("x-session-token") ?? "";
}

async function expectEnded(ear: Ear): Promise<void> {
  expect((await soon(ear.closed)).code).toBe(4010);
}

onEachEngine("the end of a session", (house) => {
  test("logout closes the sockets of that session, however they signed in, and no other", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const phone = await signIn(alice);
    const ended = [
      await alice.listen(),
      await Ear.open(house().url, undefined, undefined, { Cookie: `app_session=${alice.token}` }),
    ];
    const stays = [await Ear.open(house().url, phone), await bob.listen()];
    expect((await alice.post("/auth/logout")).status).toBe(204);
    for (const ear of ended) await expectEnded(ear);
    for (const ear of stays) await ear.settle();
  });

  test("revoking a session closes its sockets, from elsewhere", async () => {
    const alice = await house().person("alice");
    const phone = await Ear.open(house().url, await signIn(alice));
    const desk = await alice.listen();
    expect((await alice.delete(`/auth/sessions/${String(phone.ready.session_id)}`)).status).toBe(204);
    await expectEnded(phone);
    await desk.settle();
  });

  test("another person's session cannot be revoked", async () => {
    const [alice, mallory] = [await house().person("alice"), await house().person("mallory")];
    const ear = await alice.listen();
    expect((await mallory.delete(`/auth/sessions/${String(ear.ready.session_id)}`)).status).toBe(404);
    await ear.settle();
  });

  test("a password change ends all others and keeps the caller's own socket, which goes on hearing", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    const phone = await Ear.open(house().url, await signIn(alice));
    const desk = await alice.listen();
    const old = alice.token;
    const changed = await alice.put("/auth/me/password", {
      current_password: alice.password,
      new_password: "a quite different one",
    });
    expect(changed.status).toBe(204);
    await expectEnded(phone);
    alice.token = changed.headers.get("x-session-token") ?? "";
    await alice.say(home.general.id, "still here");
    await desk.next("MESSAGE_CREATE");
    const stale = await Ear.connect(house().url);
    stale.say("AUTH", { token: old });
    expect((await stale.closed).code).toBe(4001);
    expect(String((await alice.listen()).ready.session_id)).toBe(String(desk.ready.session_id));
    await alice.post("/auth/logout");
    await expectEnded(desk);
  });

  describe("a socket that signs in while its session ends", () => {
    test("is either refused or closed, and never stays", async () => {
      const alice = await house().person("alice");
      for (let round = 0; round < 8; round++) {
        const token = await signIn(alice);
        const ear = await Ear.connect(house().url);
        ear.say("AUTH", { token });
        await send(alice.host, token, "POST", "/auth/logout");
        expect([4001, 4010]).toContain((await ear.closed).code);
      }
    });
  });
});
