// Warnings about changes that could open an account to others: by mail to its owner, in the log to the operator.
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { newId, tokenHash } from "../../server/tokens.ts";
import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { type ServerProcess, startServer } from "../../tests/house/machine/process.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBrowser } from "../../tests/house/people/browser.ts";
import { send, TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { MailBox, tokenIn } from "../../tests/house/servers/mail-box.ts";

/** An item of a list of sessions or passkeys. */
interface Row {
  id: string;
  current: boolean;
  newer_than_password: boolean;
}

const box = await MailBox.open();
afterAll(() => box.close());

onEachEngine(
  "the owner of an account",
  (house) => {
    let alice: TestPerson;
    beforeEach(async () => {
      alice = await house().person("alice");
    });
    afterEach(() => void box.mails.splice(0));

    const mailToAlice = async () => {
      await box.mailTo(alice.email);
      return box.mails.filter(({ to }) => to.includes(alice.email)).map(({ text }) => text);
    };

    test("hears by mail of a passkey that was added, and nothing that was typed", async () => {
      const made = await new TestBrowser(house()).register(alice, {}, { name: "The blue one" });
      expect(made.status).toBe(201);
      const mails = await mailToAlice();
      expect(mails).toHaveLength(1);
      expect(mails[0]).toContain("a passkey was added to your account at https://chat.house.example");
      expect(mails[0]).toContain("delete the passkey, then choose a new password");
      expect(mails[0]).not.toContain("The blue one");
    });

    test("gets three mails of a kind in a row, while links go out beside them", async () => {
      let passwordNow = alice.password;
      for (let i = 0; i < 5; i++) {
        const change = { current_password: passwordNow, new_password: `another horse battery ${i}` };
        const changed = await alice.put("/auth/me/password", change);
        expect(changed.status).toBe(204);
        alice.token = changed.headers.get("x-session-token") ?? "";
        passwordNow = change.new_password;
      }
      await new TestBrowser(house()).register(alice);
      await send(house(), undefined, "POST", "/auth/password/forgot", { email: alice.email });
      const saying = (sentence: string) =>
        box.mails.filter(({ to, text }) => to.includes(alice.email) && text.includes(sentence)).length;
      const told = () =>
        ["password of your account was changed", "a passkey was added", "Choose it here"].map(saying);
      await until(() => told().every((times) => times > 0) && saying("changed") === 3, "mails are missing");
      expect(told()).toEqual([3, 1, 1]);
    });

    test("hears by mail that the password was changed", async () => {
      const change = { current_password: alice.password, new_password: "another horse battery" };
      expect((await alice.put("/auth/me/password", change)).status).toBe(204);
      const mails = await mailToAlice();
      expect(mails).toHaveLength(1);
      expect(mails[0]).toContain("the password of your account was changed");
      expect(mails[0]).toContain(`Hello ${alice.username},`);
      expect(mails[0]).toContain("Ask for a new password on the sign-in page");
      const [{ raw } = { raw: "" }] = box.mails.filter(({ to }) => to.includes(alice.email));
      expect(raw).toContain("Subject: Your password was changed (Hearth)");
    });

    test("sees which passkeys were added after the last sign-in by password, whatever passkeys opened since", async () => {
      const isNewer = async () => {
        const { body } = await alice.get<{ newer_than_password: boolean }[]>("/auth/webauthn/credentials");
        return body.map(({ newer_than_password }) => newer_than_password);
      };
      const browser = new TestBrowser(house());
      await browser.register(alice);
      expect((await browser.login()).status).toBe(200);
      expect(await isNewer()).toEqual([true]);
      const { email, password } = alice;
      await send(house(), undefined, "POST", "/auth/login/password", { email, password });
      await new TestBrowser(house()).register(alice);
      expect(await isNewer()).toEqual([false, true]);
    });

    test("sees them so after the sessions that were opened by password have ended, too", async () => {
      const browser = new TestBrowser(house());
      await browser.register(alice);
      const byPasskey = (await browser.login()).headers.get("x-session-token") ?? "";
      const asAlice = (method: string, path: string) => send<Row[]>(house(), byPasskey, method, path);
      const endOthers = async () => {
        for (const { id, current } of (await asAlice("GET", "/auth/sessions")).body)
          if (!current) expect((await asAlice("DELETE", `/auth/sessions/${id}`)).status).toBe(204);
      };
      const isNewer = async () =>
        (await asAlice("GET", "/auth/webauthn/credentials")).body.map((row) => row.newer_than_password);

      await endOthers();
      expect(await isNewer()).toEqual([true]);
      const { email, password } = alice;
      await send(house(), undefined, "POST", "/auth/login/password", { email, password });
      await endOthers();
      expect(await isNewer()).toEqual([false]);
      // An older session by password that ends later adds nothing new.
      const long = { created_at: 1_700_000_000_000, last_used_at: Date.now(), opened_by: null };
      const old = { id: newId(), user_id: alice.id, token_hash: tokenHash(newId()), user_agent: "" };
      await fill(house(), "sessions", [{ ...old, ...long }]);
      await endOthers();
      expect(await isNewer()).toEqual([false]);
      alice.token = byPasskey;
      await new TestBrowser(house()).register(alice);
      expect(await isNewer()).toEqual([false, true]);
    });

    test("sees all as newer where the sessions by password ended before that was kept", async () => {
      const browser = new TestBrowser(house());
      await browser.register(alice);
      const { token, id } = alice;
      alice.token = (await browser.login()).headers.get("x-session-token") ?? "";
      expect(alice.token).not.toBe(token);
      await house().running.house.database.transaction(async (db) => {
        await db
          .deleteFrom("sessions")
          .where("user_id", "=", id)
          .where("opened_by", "!=", "passkey")
          .execute();
      });
      const { body } = await alice.get<Row[]>("/auth/webauthn/credentials");
      expect(body.map((row) => row.newer_than_password)).toEqual([true]);
    });

    test("sees none of before as newer once a link has set a new password", async () => {
      const browser = new TestBrowser(house());
      await browser.register(alice);
      await send(house(), undefined, "POST", "/auth/password/forgot", { email: alice.email });
      const token = tokenIn(await box.linkTo(alice.email));
      const set = { token, new_password: "another horse battery" };
      expect((await send(house(), undefined, "POST", "/auth/password/reset", set)).status).toBe(204);
      // This change is reported as well.
      const told = () => box.mails.filter(({ to, text }) => to.includes(alice.email) && /changed/.test(text));
      await until(() => told().length === 1, "the change is not told");
      alice.token = (await browser.login()).headers.get("x-session-token") ?? "";
      const { body } = await alice.get<Row[]>("/auth/webauthn/credentials");
      expect(body.map((row) => row.newer_than_password)).toEqual([false]);
    });
  },
  { ...box.settings, PUBLIC_URL: "https://chat.house.example", LOG_LEVEL: "silent" },
);

describe("the log", () => {
  /** Returns what a server logs about people during `work`, and its whole log. */
  async function logged(settings: Record<string, string>, work: (server: ServerProcess) => Promise<void>) {
    const folder = temporaryFolder();
    const server = await startServer({ settings: { DATA_DIR: folder.path, LOG_LEVEL: "info", ...settings } });
    try {
      await work(server);
      await server.stop();
      const text = server.stderr();
      const lines = text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => "user_id" in line)
        .map(({ msg, user_id, by }) => [msg, user_id, by].filter((each) => each !== undefined));
      return { lines, text };
    } finally {
      await server.kill();
      folder.remove();
    }
  }

  const login = (server: ServerProcess, email: string, password: string) =>
    send(server, undefined, "POST", "/auth/login/password", { email, password });

  test("has sign-ins, failures, passwords and ended sessions by the person's id, and nothing of an unknown name", async () => {
    let id = "";
    const { lines, text } = await logged({}, async (server) => {
      const alice = await TestPerson.register(server, "alice");
      ({ id } = alice);
      await login(server, alice.email, alice.password);
      await login(server, alice.email, "a wrong password");
      await login(server, "typed-in-the-wrong-field", "a wrong password");
      await alice.put("/auth/me/password", { current_password: "no", new_password: "another horse battery" });
      await alice.put("/auth/me/password", {
        current_password: alice.password,
        new_password: "another horse battery",
      });
    });
    expect(lines).toEqual([
      ["a session was opened", id, "registration"],
      ["a session was opened", id, "password"],
      ["a sign-in by password failed", id],
      ["a sign-in by password failed", null],
      ["a change of the password failed: the current one was wrong", id],
      ["a password was changed", id],
      ["sessions were ended", id],
    ]);
    for (const typed of ["typed-in-the-wrong-field", "a wrong password", "another horse"])
      expect(text).not.toContain(typed);
  });

  test("has passkeys, passwords by a link, and what is right but of a disabled account", async () => {
    let [operator, id] = ["", ""];
    const { lines } = await logged({}, async (server) => {
      const [owner, alice] = [
        await TestPerson.register(server, "owner"),
        await TestPerson.register(server, "alice"),
      ];
      [operator, id] = [owner.id, alice.id];
      const browser = new TestBrowser(server);
      const { body: key } = await browser.register(alice);
      expect((await browser.login({ userVerified: false })).status).toBe(401);
      expect((await browser.login()).status).toBe(200);
      const { body: link } = await owner.post<{ url: string }>(`/admin/users/${alice.id}/reset-link`);
      const set = {
        token: new URL(link.url).hash.replace("#token=", ""),
        new_password: "another horse battery",
      };
      expect((await send(server, undefined, "POST", "/auth/password/reset", set)).status).toBe(204);

      await owner.patch(`/admin/users/${alice.id}`, { disabled: true });
      expect((await browser.login()).status).toBe(403);
      expect((await login(server, alice.email, set.new_password)).status).toBe(403);
      await owner.patch(`/admin/users/${alice.id}`, { disabled: false });
      alice.token = (await browser.login()).headers.get("x-session-token") ?? "";
      expect((await alice.delete(`/auth/webauthn/credentials/${key.id}`)).status).toBe(204);
      expect((await browser.login()).status).toBe(401);
    });
    expect(lines.filter(([, userId]) => userId !== operator)).toEqual([
      ["a session was opened", id, "registration"],
      ["a passkey was added", id],
      ["a sign-in by passkey failed", id],
      ["a session was opened", id, "passkey"],
      ["sessions were ended", id],
      ["a password was set by a link", id],
      ["a sign-in was refused: the account is disabled", id, "passkey"],
      ["a sign-in was refused: the account is disabled", id, "password"],
      ["a session was opened", id, "passkey"],
      ["a passkey was deleted", id],
      ["a sign-in by passkey failed", null],
    ]);
  });

  test("has tries that have to wait, by the person's id, and nothing of an unknown name", async () => {
    const limited = { RATE_LIMITS: "on", RATE_AUTH: "1000/1000" };
    let id = "";
    const { lines, text } = await logged(limited, async (server) => {
      const alice = await TestPerson.register(server, "alice");
      ({ id } = alice);
      for (const name of [alice.username, "typed-in-the-wrong-field"]) {
        for (let i = 0; i < 5; i++) expect((await login(server, name, "no")).status).toBe(401);
        expect((await login(server, name, alice.password)).status).toBe(429);
      }
      const change = { current_password: "no", new_password: "another horse battery" };
      for (let i = 0; i < 5; i++) expect((await alice.put("/auth/me/password", change)).status).toBe(403);
      expect((await alice.put("/auth/me/password", change)).status).toBe(429);
    });
    const waiting = "a try of a password has to wait: too many failed before";
    expect(lines.filter(([msg]) => msg === waiting).map(([, userId]) => userId)).toEqual([id, null, id]);
    expect(text).not.toContain("typed-in-the-wrong-field");
  });
});
