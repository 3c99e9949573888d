// `hearth admin`: the same commands while the server runs and while it does not, on each engine, as real processes.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { soon } from "../house/machine/waiting.ts";
import { type Engine, makeHouse, type TestHouse } from "../house/open/engines.ts";
import { type Answer, send, TestPerson } from "../house/people/people.ts";
import { verdict } from "../permissions/verdict.ts";
import { expectDone, expectRefused, hearth } from "./hearth.ts";

const engines: Engine[] = Bun.env.HEARTH_TEST_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"];
const login = (server: { url: string }, who: TestPerson, password = who.password): Promise<Answer<unknown>> =>
  send(server, undefined, "POST", "/auth/login/password", { email: who.email, password });
const me = (who: TestPerson) => who.get("/auth/me");

for (const engine of engines) {
  describe(`hearth admin on ${engine}`, () => {
    let house: TestHouse;
    let server: ServerProcess;
    let owner: TestPerson;
    let alice: TestPerson;
    const admin = (words: string) => hearth(`admin ${words}`, house.settings);

    beforeAll(async () => {
      house = await makeHouse(engine, {});
      server = await startServer({ settings: house.settings });
      owner = await TestPerson.register(server, "olga");
      alice = await TestPerson.register(server, "alice");
    });
    afterAll(async () => {
      await server?.stop();
      await house?.end();
    });

    test("the socket in the data folder is its owner's alone", () => {
      const facts = statSync(join(house.settings.DATA_DIR ?? "", "hearth.sock"));
      expect(facts.isSocket()).toBe(true);
      expect(facts.mode & 0o777).toBe(0o600);
    });

    test("users lists everybody, or those whose name or address holds a word, and nothing secret", async () => {
      const all = await admin("users");
      expectDone(all, /^id +username +e-mail +role +disabled +created\n/);
      for (const { id, username, email } of [owner, alice])
        expect(all.stdout).toMatch(
          new RegExp(`^${id} +${username} +${email} +(owner|member) +- +\\d{4}-`, "m"),
        );
      expect(all.stdout).not.toContain("argon2");
      const some = await admin(`users ${alice.username.toUpperCase()}`);
      expect(some.stdout).toContain(alice.id);
      expect(some.stdout).not.toContain(owner.id);
      for (const none of ["users %", "users _\\"])
        expect((await admin(none)).stdout.split("\n")).toHaveLength(2);
    });

    test("disable ends sessions and sockets and keeps Bob out, until enable", async () => {
      const bob = await TestPerson.register(server, "bob");
      const ear = await bob.listen();
      expectDone(await admin(`disable ${bob.username}`), "is disabled. 1 session ended.");
      expect((await soon(ear.closed)).code).toBe(4010);
      expect(verdict(await me(bob))).toBe("401 unauthenticated");
      expect(verdict(await login(server, bob))).toBe("403 forbidden");
      expect(verdict(await login(server, bob, "a wrong guess"))).toBe("401 invalid_credentials");
      expectDone(await admin(`disable ${bob.id}`), "is disabled already.");
      expect((await admin(`users ${bob.username}`)).stdout).toMatch(/member +\d{4}-/);
      expectRefused(await admin(`reset-link ${bob.username}`), "enable the account first");

      expectDone(await admin(`enable ${bob.email}`), "may sign in again.");
      expectDone(await admin(`enable ${bob.email}`), "is not disabled.");
      expect((await login(server, bob)).status).toBe(200);
      expect(verdict(await me(bob))).toBe("401 unauthenticated");
      expect((await me(alice)).status).toBe(200);
    });

    test("make-admin and take-admin change the role that Alice sees; the owner's stays", async () => {
      const role = async () => String((await me(alice)).body.instance_role);
      expectDone(await admin(`make-admin ${alice.email.toUpperCase()}`), "is an admin now.");
      expect(await role()).toBe("admin");
      expectDone(await admin(`make-admin ${alice.username}`), "is an admin already.");
      expectDone(await admin(`take-admin ${alice.username}`), "is no admin any more.");
      expect(await role()).toBe("member");
      expectDone(await admin(`make-admin ${owner.username}`), "more than an admin");
      expectRefused(await admin(`take-admin ${owner.username}`), "cannot be taken");
      expect((await me(owner)).body.instance_role as unknown).toBe("owner");
    });

    test("reset-link prints a link that sets a new password once, without any mail", async () => {
      const carol = await TestPerson.register(server, "carol");
      const ended = await admin(`reset-link ${carol.username}`);
      expectDone(ended, new RegExp(`^${server.url}/reset-password#token=hr_`, "m"));
      const token = ended.stdout.trim().split("token=")[1];
      const body = { token, new_password: "a quite new horse" };
      expect(verdict(await send(server, undefined, "POST", "/auth/password/reset", body))).toBe("204");
      expect(verdict(await send(server, undefined, "POST", "/auth/password/reset", body))).toBe(
        "400 invalid_token",
      );
      expect((await login(server, carol, "a quite new horse")).status).toBe(200);
    });

    test("end-sessions signs Dave out everywhere, and lets him sign in again", async () => {
      const dave = await TestPerson.register(server, "dave");
      await login(server, dave);
      const ear = await dave.listen();
      expectDone(await admin(`end-sessions ${dave.username}`), "2 sessions ended.");
      expect((await ear.closed).code).toBe(4010);
      expect(verdict(await me(dave))).toBe("401 unauthenticated");
      expect((await login(server, dave)).status).toBe(200);
    });

    test("an account that is not there is a sentence and code 1; a wrong word is one and code 2", async () => {
      for (const nobody of ["nobody", "nobody@people.example", "01890000-0000-7000-8000-000000000000"])
        expectRefused(await admin(`disable ${nobody}`), `There is no account ${nobody}`);
      for (const wrong of ["", "explode", "disable", `disable ${alice.username} now`, "users a b"])
        expectRefused(await admin(wrong), /hearth admin .*See hearth help\.$/m, 2);
    });

    test("while no server runs, also after it was killed, the same commands work in the house itself", async () => {
      await server.kill();
      expectDone(await admin(`disable ${alice.username}`), "is disabled. 1 session ended.");
      expectDone(await admin(`make-admin ${alice.username}`), "is an admin now.");
      const listed = await admin("users alice");
      expectDone(listed, new RegExp(`${alice.username} .* admin +\\d{4}-`));
      expectRefused(await admin("disable nobody"), "There is no account nobody");
      expectDone(await admin(`enable ${alice.username}`), "may sign in again.");
      const link = await hearth(`admin reset-link ${alice.username}`, {
        ...house.settings,
        PUBLIC_URL: "https://chat.house.example",
      });
      expectDone(link, /^https:\/\/chat\.house\.example\/reset-password#token=hr_/m);

      server = await startServer({ settings: house.settings });
      const [, token] = link.stdout.trim().split("token=");
      const body = { token, new_password: "a quite new horse" };
      expect(verdict(await send(server, undefined, "POST", "/auth/password/reset", body))).toBe("204");
      expect((await login(server, alice, "a quite new horse")).status).toBe(200);
    });

    test("a command that is given while the server starts waits for it", async () => {
      await server.stop();
      const [started, ended] = await Promise.allSettled([
        Bun.sleep(60).then(() => startServer({ settings: house.settings })),
        Bun.sleep(120).then(() => admin("users alice")),
      ]);
      if (started.status === "fulfilled") server = started.value;
      // In either order the command succeeds; a server that came second starts once the command is done.
      else server = await startServer({ settings: house.settings });
      if (ended.status === "rejected") throw ended.reason;
      expectDone(ended.value, alice.id);
    });
  });
}
