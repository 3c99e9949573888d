// The operator's commands about accounts: their output, their effects, and the log line of each.
import { beforeAll, expect, test } from "bun:test";
import { soon } from "../../tests/house/machine/waiting.ts";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { nobodysId, send, type TestPerson } from "../../tests/house/people/people.ts";
import { crowd } from "../../tests/house/scenes/crowd.ts";
import { Logged } from "../../tests/house/scenes/logged.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

onOneProcess("a command of the operator", (house) => {
  let owner: TestPerson;
  beforeAll(async () => {
    owner = await house().person("olga");
  });

  const command = async (...words: string[]) => {
    const { ok, lines } = await house().command(words);
    return `${ok ? "done" : "refused"}: ${lines.join("\n")}`;
  };
  const login = (who: TestPerson, password = who.password) =>
    send(house(), undefined, "POST", "/auth/login/password", { email: who.email, password });
  const roleOf = async (who: TestPerson) =>
    String((await who.get<{ instance_role: string }>("/auth/me")).body.instance_role);

  test("disables an account by its name, address or id, once, and enables it again", async () => {
    for (const by of ["username", "email", "id"] as const) {
      const bob = await house().person("bob");
      await login(bob);
      const ear = await bob.listen();
      expect(await command("disable", bob[by])).toBe(`done: ${bob.username} is disabled. 2 sessions ended.`);
      expect((await soon(ear.closed)).code).toBe(4010);
      const listed = await command("users", bob.username);
      expect(await command("disable", bob[by])).toBe(`done: ${bob.username} is disabled already.`);
      expect(await command("users", bob.username)).toBe(listed);
      expect(await command("reset-link", bob[by])).toBe(
        `refused: ${bob.username} is disabled: enable the account first.`,
      );
      expect(await command("enable", bob[by])).toBe(`done: ${bob.username} may sign in again.`);
      expect(await command("enable", bob[by])).toBe(`done: ${bob.username} is not disabled.`);
      expect(verdict(await bob.get("/auth/me"))).toBe("401 unauthenticated");
      expect((await login(bob)).status).toBe(200);
    }
  });

  test("makes an admin and takes that back; the owner stays what they are", async () => {
    const bob = await house().person("bob");
    expect(await command("take-admin", bob.id)).toBe(`done: ${bob.username} is no admin.`);
    expect(await command("make-admin", bob.email.toUpperCase())).toBe(
      `done: ${bob.username} is an admin now.`,
    );
    expect(await command("make-admin", bob.id)).toBe(`done: ${bob.username} is an admin already.`);
    expect(await roleOf(bob)).toBe("admin");
    expect(await command("take-admin", bob.id)).toBe(`done: ${bob.username} is no admin any more.`);
    expect(await roleOf(bob)).toBe("member");
    expect(await command("make-admin", owner.id)).toContain("done: ");
    expect(await command("make-admin", owner.id)).toContain("more than an admin");
    expect(await command("take-admin", owner.id)).toBe(
      `refused: ${owner.username} owns the instance; that cannot be taken.`,
    );
    expect(await roleOf(owner)).toBe("owner");
  });

  test("prints a link of which the newest counts, also for somebody who is made an admin meanwhile", async () => {
    const bob = await house().person("bob");
    const link = async () => (await command("reset-link", bob.id)).split("\n")[1] ?? "";
    const reset = (url: string) => {
      const body = { token: url.split("token=")[1], new_password: "a quite new horse" };
      return send(house(), undefined, "POST", "/auth/password/reset", body);
    };
    const [older, newer] = [await link(), await link()];
    expect(newer).toStartWith(`${house().publicUrl}/reset-password#token=hr_`);
    await command("make-admin", bob.id);
    expect(verdict(await reset(older))).toBe("400 invalid_token");
    expect(verdict(await reset(newer))).toBe("204");
    expect((await login(bob, "a quite new horse")).status).toBe(200);
  });

  test("signs an account out everywhere, and nobody else", async () => {
    const [bob, carol] = [await house().person("bob"), await house().person("carol")];
    expect(await command("end-sessions", bob.id)).toBe(
      `done: ${bob.username} is signed out. 1 session ended.`,
    );
    expect(await command("end-sessions", bob.id)).toBe(
      `done: ${bob.username} is signed out. 0 sessions ended.`,
    );
    expect(verdict(await bob.get("/auth/me"))).toBe("401 unauthenticated");
    expect((await carol.get("/auth/me")).status).toBe(200);
    expect((await login(bob)).status).toBe(200);
  });

  test("finds nobody under another name, and no bot's account where a person's is meant", async () => {
    const bot = await TestBot.make(owner);
    for (const nobody of ["nobody", "nobody@people.example", nobodysId])
      for (const name of [
        "disable",
        "enable",
        "make-admin",
        "take-admin",
        "reset-link",
        "end-sessions",
        "bots",
      ])
        expect(await command(name, nobody)).toBe(
          `refused: There is no account ${nobody}: name its username, address or id.`,
        );
    for (const name of ["make-admin", "reset-link", "end-sessions"])
      expect(await command(name, bot.id)).toStartWith("refused: There is no account ");
    expect((await bot.get("/servers")).status).toBe(200);
  });

  test("stands in the log with whom it was about, and by whom: the command line", async () => {
    const bob = await house().person("bob");
    using log = new Logged(house(), "info");
    await command("end-sessions", bob.username);
    await command("disable", "nobody");
    const acts: unknown[] = log.calls.map(([line]) => line).filter((line) => "did" in Object(line));
    expect(acts).toEqual([{ by: "command line", whom: bob.id, did: "end-sessions" }]);
    const said = log.calls.filter(([, sentence]) => sentence === "the operator ran a command");
    expect(said.map(([line]) => line as unknown)).toEqual([{ command: "end-sessions" }]);
  });

  test("lists people by a part of a name or address, whatever its case, with nothing secret, and no bots", async () => {
    const zora = await house().person("zora");
    const bot = await TestBot.make(zora, "Zorabot");
    await command("disable", zora.id);
    const listed = await command("users", zora.email.toUpperCase().slice(0, -4));
    expect(listed).toMatch(/^done: id +username +e-mail +role +disabled +created\n/);
    expect(listed.split("\n")).toHaveLength(2);
    expect(listed).toMatch(
      new RegExp(`^${zora.id} +${zora.username} +${zora.email} +member +\\d{4}-\\S+Z +\\d{4}-\\S+Z$`, "m"),
    );
    expect(listed).not.toContain("argon2");
    expect(await command("users", "zora")).not.toContain(bot.id);
    expect(await command("users", owner.username)).toMatch(/ owner +- +\d{4}-/);
    for (const none of ["%", "_\\", "zora%"])
      expect((await command("users", none)).split("\n")).toHaveLength(1);
  });

  test("lists a thousand, and says how to find the others", async () => {
    const people = await crowd(house(), owner, 1100);
    const lines = (await command("users")).split("\n");
    expect(lines).toHaveLength(1002);
    expect(lines.at(-1)).toBe(
      "These are the first 1000. Name a part of a username or address to find others.",
    );
    const last = people.at(-1) ?? "";
    expect((await command("users", last)).split("\n")).toEqual([
      expect.stringMatching(/^done: id /),
      expect.stringContaining(last),
    ]);
  });
});
