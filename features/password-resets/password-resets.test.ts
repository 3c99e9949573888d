// Forgotten passwords: a link by mail, usable once within an hour, and nothing that reveals who has an account.
import { afterAll, beforeAll, beforeEach, describe, expect, setSystemTime, spyOn, test } from "bun:test";
import { once } from "node:events";
import { createServer } from "node:net";
import { newId, tokenHash } from "../../server/tokens.ts";
import { soon, until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { type Answer, send, type TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { MailBox, tokenIn } from "../../tests/house/servers/mail-box.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import { passwordResets } from "./handlers.ts";

const newPassword = "a quite new horse";
const box = await MailBox.open();
afterAll(() => box.close());

onEachEngine(
  "a forgotten password",
  (house) => {
    let alice: TestPerson;
    // A job deletes old links; a clock that is set forward would have it run.
    beforeAll(() => house().stopJobs());
    beforeEach(async () => {
      alice = await house().person("alice");
    });

    const forgot = (email: unknown) => send(house(), undefined, "POST", "/auth/password/forgot", { email });
    const reset = (token: unknown, password = newPassword): Promise<Answer<unknown>> =>
      send(house(), undefined, "POST", "/auth/password/reset", { token, new_password: password });
    const login = (who: TestPerson, password: string) =>
      send(house(), undefined, "POST", "/auth/login/password", { email: who.email, password });

    async function linkOf(who: TestPerson, count = 1): Promise<string> {
      expect((await forgot(who.email)).status).toBe(204);
      return tokenIn(await box.linkTo(who.email, count));
    }

    /** Requests are handled in order: once a later one is answered, the mail of an earlier one is sent, if any. */
    async function allAnswered(): Promise<void> {
      const bob = await house().person("bob");
      for (let count = 1; count <= house().all.length; count++)
        expect((await forgot(bob.email)).status).toBe(204);
      await box.linkTo(bob.email, house().all.length);
    }

    test("Alice gets a link by mail, sets a new password, and is signed out everywhere", async () => {
      const ear = await alice.listen();
      const phone = (await login(alice, alice.password)).headers.get("x-session-token") ?? "";
      const token = await linkOf(alice);
      expect(token).toMatch(/^hr_[\w-]{43}$/);

      expect((await reset(token)).status).toBe(204);
      expect((await soon(ear.closed)).code).toBe(4010);
      for (const session of [alice.token, phone])
        expect(verdict(await send(house(), session, "GET", "/auth/me"))).toBe("401 unauthenticated");
      expect(verdict(await login(alice, alice.password))).toBe("401 invalid_credentials");
      expect((await login(alice, newPassword)).status).toBe(200);
    });

    test("an address in another script gets it under the name that mail servers know", async () => {
      const username = `anna_${alice.id.slice(-12)}`;
      const mine = {
        username,
        display_name: "Anna",
        password: alice.password,
        email: `${username}@müller.de`,
      };
      expect((await send(house(), undefined, "POST", "/auth/register", mine)).status).toBe(201);
      const known = `${username}@xn--mller-kva.de`;
      for (const [i, email] of [mine.email, known.toUpperCase()].entries()) {
        expect((await forgot(email)).status).toBe(204);
        // The mailbox decodes the script; the raw mail shows how it was sent.
        expect((await box.mailTo(mine.email, i + 1)).raw).toContain(`To: ${known}\r\n`);
      }
    });

    test("the mail is plain, to the address of the account, with a link to the configured place", async () => {
      const { email, username } = alice;
      const asked = await send(
        house(),
        undefined,
        "POST",
        "/auth/password/forgot",
        { email: ` ${email.toUpperCase()} ` },
        { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" },
      );
      expect(asked.status).toBe(204);
      const mail = await box.mailTo(email);
      expect(mail.to).toEqual([email]);
      expect(mail.from).toBe("hearth@house.example");
      expect(mail.raw).toContain("Content-Type: text/plain");
      expect(mail.raw).toContain("Auto-Submitted: auto-generated");
      expect(mail.text).toContain(`Hello ${username}`);
      expect(mail.text).toContain("\nhttps://chat.house.example/reset-password#token=hr_");
      expect(mail.raw).not.toContain("evil");
    });

    test("a link works once, also for many at once; what is wrong or made up is 400 and changes nothing", async () => {
      const token = await linkOf(alice);
      const tries = await Promise.all(Array.from({ length: 6 }, () => reset(token)));
      expect(verdicts(tries).sort()).toEqual(["204", ...Array(5).fill("400 invalid_token")]);
      for (const wrong of [token, `${token}x`, token.slice(3), alice.token, "hr_", " "])
        expect(verdict(await reset(wrong, "yet another horse"))).toBe("400 invalid_token");
      for (const odd of ["", null, 7, ["x"], "x".repeat(257)])
        expect(verdict(await reset(odd, "yet another horse"))).toBe("400 invalid_request");
      expect((await login(alice, newPassword)).status).toBe(200);
    });

    test("a made-up token costs no password hash (T10)", async () => {
      const hashes = house().all.map(({ house: { passwords } }) => spyOn(passwords, "hash"));
      expect(verdict(await reset("hr_made-up", "yet another horse"))).toBe("400 invalid_token");
      for (const hash of hashes) {
        expect(hash).not.toHaveBeenCalled();
        hash.mockRestore();
      }
    });

    test("a password that is too short is refused, and the link stays good", async () => {
      const token = await linkOf(alice);
      expect(verdict(await reset(token, "short"))).toBe("400 invalid_request");
      expect(verdict(await reset(token, "x".repeat(257)))).toBe("400 invalid_request");
      expect((await reset(token)).status).toBe(204);
    });

    test("a new link makes the older one void, and so does a change of the password", async () => {
      const older = await linkOf(alice);
      const newer = await linkOf(alice, 2);
      expect(newer).not.toBe(older);
      expect(verdict(await reset(older))).toBe("400 invalid_token");
      const change = { current_password: alice.password, new_password: "chosen by herself" };
      expect((await alice.put("/auth/me/password", change)).status).toBe(204);
      expect(verdict(await reset(newer))).toBe("400 invalid_token");
      expect((await login(alice, "chosen by herself")).status).toBe(200);
    });

    test("after an hour the link is void", async () => {
      const token = await linkOf(alice);
      try {
        setSystemTime(new Date(Date.now() + 3600_000 + 1000));
        expect(verdict(await reset(token))).toBe("400 invalid_token");
      } finally {
        setSystemTime();
      }
      expect((await reset(token)).status).toBe(204);
    });

    test("links of a day when the clock was ahead are void, and do not keep Alice from a new one", async () => {
      setSystemTime(new Date(Date.now() + 40 * 24 * 3600_000));
      let token = "";
      try {
        for (let count = 1; count <= 3; count++) token = await linkOf(alice, count);
      } finally {
        setSystemTime();
      }
      expect(verdict(await reset(token))).toBe("400 invalid_token");
      expect((await reset(await linkOf(alice, 4))).status).toBe(204);
    });

    test("three mails an hour, and no more, without a word about it", async () => {
      for (let count = 1; count <= 3; count++) await linkOf(alice, count);
      const third = tokenIn(await box.linkTo(alice.email, 3));
      for (let more = 0; more < 3; more++) expect((await forgot(alice.email)).status).toBe(204);
      await allAnswered();
      expect(box.mails.filter((mail) => mail.to.includes(alice.email))).toHaveLength(3);
      expect((await reset(third)).status).toBe(204);
    });

    test("old links go by themselves, in pieces, and those of the last hour stay", async () => {
      const { house: open } = house().running;
      const now = Date.now();
      const made = (created_at: number, count: number) =>
        Array.from({ length: count }, () => ({
          ...{ token_hash: tokenHash(newId()), user_id: alice.id, replaces: "", created_at },
          ...{ spent_at: now, made_by: null },
        }));
      await fill(house(), "password_resets", [...made(now - 3600_000, 700), ...made(now - 3540_000, 2)]);
      const [{ run } = { run: async () => false }] = passwordResets.jobs ?? [];
      expect(await run(open)).toBe(true);
      while (await run(open));
      const left = await open.database.read
        .selectFrom("password_resets")
        .select("created_at")
        .where("user_id", "=", alice.id)
        .execute();
      expect(left.map(({ created_at }) => Number(created_at))).toEqual([now - 3540_000, now - 3540_000]);
      // Used links still count among the three per hour.
      await linkOf(alice);
      expect((await forgot(alice.email)).status).toBe(204);
      await allAnswered();
      expect(box.mails.filter((mail) => mail.to.includes(alice.email))).toHaveLength(1);
    });

    test("more requests than can wait are told to come again, whether the address is known or not", async () => {
      if (house().engine !== "SQLite") return;
      const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = house().running.house.database.transaction(async () => {
        held.resolve();
        await released.promise;
      });
      await held.promise;
      // Her link cannot be written yet, so that the others queue behind it.
      expect((await forgot(alice.email)).status).toBe(204);
      const asked = await Promise.all(
        Array.from({ length: 520 }, (_, i) => forgot(i % 2 ? alice.email : `nobody${i}@people.example`)),
      );
      const told = Map.groupBy(asked, verdict);
      expect([...told].map(([what, each]) => [what, each.length]).sort()).toEqual([
        ["204", 500],
        ["503 unavailable", 20],
      ]);
      expect(told.get("503 unavailable")?.[0]?.headers.get("retry-after")).toBe("5");
      released.resolve();
      await holding;
      await box.linkTo(alice.email);
      await allAnswered();
    });

    test("an unknown address is answered the same, and nobody gets a mail", async () => {
      const known = await forgot(alice.email);
      await box.mailTo(alice.email);
      const unknown = await forgot("nobody@people.example");
      expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
      const names = (answer: Answer<unknown>) => [...answer.headers.keys()].sort();
      expect(names(unknown)).toEqual(names(known));
      await allAnswered();
      expect(box.triesTo(alice.email)).toBe(1);
      expect(box.triesTo("nobody@people.example")).toBe(0);
    });

    test("an address with a line break, or several, is refused", async () => {
      for (const email of [
        `${alice.email}\r\nBcc: mallory@people.example`,
        `${alice.email}, mallory@people.example`,
        `"${alice.email}" <mallory@people.example>`,
        alice.username,
        null,
      ])
        expect(verdict(await forgot(email))).toBe("400 invalid_request");
      await allAnswered();
      for (const address of [alice.email, "mallory@people.example"]) expect(box.triesTo(address)).toBe(0);
    });

    test("neither the database nor anybody's answer holds the token", async () => {
      const token = await linkOf(alice);
      const { database } = house().running.house;
      const rows = await database.read.selectFrom("password_resets").selectAll().execute();
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(token.slice(3));
    });

    test("a mail that the server turns away for now goes out later; one that it refuses for good does not", async () => {
      const bob = await house().person("bob");
      box.refusalsOf.set(bob.email, [550]).set(alice.email, [451]);
      expect((await forgot(bob.email)).status).toBe(204);
      await until(() => box.triesTo(bob.email) === 1, "it was not tried");
      // The delay before her retry equals the one that his would have had, and his began earlier.
      await linkOf(alice);
      expect([box.triesTo(alice.email), box.triesTo(bob.email)]).toEqual([2, 1]);
      expect(box.mails.filter((mail) => mail.to.includes(bob.email))).toEqual([]);
    });

    test("the instance says that it sends mail", async () => {
      const { body } = await send<{ features: unknown }>(house(), undefined, "GET", "/instance");
      expect(body.features).toMatchObject({ mail: true });
    });
  },
  { ...box.settings, PUBLIC_URL: "https://chat.house.example", LOG_LEVEL: "silent" },
);

onEachEngine(
  "forgotten passwords with limits",
  (house) => {
    test("guessing made Alice's logins wait; a new password lets her in at once", async () => {
      const alice = await house().person("alice");
      const login = (password: string) =>
        send(house(), undefined, "POST", "/auth/login/password", { email: alice.email, password });
      for (let i = 0; i < 5; i++) await login("a wrong guess");
      expect(verdict(await login(alice.password))).toBe("429 rate_limited");
      await send(house(), undefined, "POST", "/auth/password/forgot", { email: alice.email });
      const token = tokenIn(await box.linkTo(alice.email));
      const body = { token, new_password: newPassword };
      expect((await send(house(), undefined, "POST", "/auth/password/reset", body)).status).toBe(204);
      expect((await login(newPassword)).status).toBe(200);
    });

    test("both draw from the bucket of signing in", async () => {
      const calls = [
        ["forgot", { email: "nobody@people.example" }],
        ["reset", { token: "hr_made-up", new_password: newPassword }],
      ] as const;
      // The bucket refills meanwhile: slow calls need more requests than fit into it at once.
      for (const [path, body] of calls) {
        const call = () => send(house(), undefined, "POST", `/auth/password/${path}`, body);
        await until(async () => verdict(await call()) === "429 rate_limited", `${path} draws from no bucket`);
      }
    });
  },
  { ...box.settings, RATE_LIMITS: "on", RATE_AUTH: "1/30", LOG_LEVEL: "silent" },
);

let givenUp = 0;
const mute = createServer((socket) => socket.on("error", () => {}).on("close", () => givenUp++));
mute.listen(0, "127.0.0.1");
await once(mute, "listening");
const { port: mutePort } = mute.address() as { port: number };
afterAll(() => mute.close());

onEachEngine(
  "a mail server that says nothing",
  (house) => {
    test("keeps nobody waiting, known or not", async () => {
      const alice = await house().person("alice");
      const before = givenUp;
      for (const email of [alice.email, "nobody@people.example", alice.email]) {
        const answer = await send(house(), undefined, "POST", "/auth/password/forgot", { email });
        expect(answer.status).toBe(204);
      }
      // The responses had been sent before the mail was given up.
      expect(givenUp).toBe(before);
    });
  },
  { ...box.settings, SMTP_URL: `smtp://127.0.0.1:${mutePort}?greetingTimeout=600000`, LOG_LEVEL: "silent" },
);

describe("without a mail server", () => {
  onEachEngine("a house", (house) => {
    let answer: Answer<unknown>;
    beforeAll(async () => {
      const body = { email: "nobody@people.example" };
      answer = await send(house(), undefined, "POST", "/auth/password/forgot", body);
    });

    test("says so, and that it has no mail", async () => {
      expect(verdict(answer)).toBe("503 not_configured");
      const { body } = await send<{ features: unknown }>(house(), undefined, "GET", "/instance");
      expect(body.features).toMatchObject({ mail: false });
    });
  });
});
