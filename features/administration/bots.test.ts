// A bot that the operator disabled: no token works, not even a new one, until the operator enables it again.
import { expect, test } from "bun:test";
import { soon } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { Ear } from "../../tests/house/people/ear.ts";
import { formOf } from "../../tests/house/scenes/files.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

onEachEngine("a disabled bot", (house) => {
  const ask = (...words: string[]) => house().command(words);
  const operator = async (...words: string[]) => {
    const answer = await ask(...words);
    if (!answer.ok) throw new Error(answer.lines.join(" "));
    return answer.lines.join("\n");
  };
  const usernameOf = async (bot: TestBot) =>
    (await bot.get<{ username: string }>(`/users/${bot.id}`)).body.username;
  async function beeper() {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    const bot = await TestBot.make(alice);
    await bot.enter(home.id);
    return { alice, home, bot };
  }

  test("is refused everywhere at once, and its sockets are closed", async () => {
    const { alice, home, bot } = await beeper();
    const other = await TestBot.make(alice);
    await other.enter(home.id);
    const [ear, others, hers] = [await bot.listen(), await other.listen(), await alice.listen()];
    expect(await operator("disable", await usernameOf(bot))).toContain("no token of this bot counts");
    expect((await soon(ear.closed)).code).toBe(4010);
    const messages = `/channels/${home.general.id}/messages`;
    expect(verdict(await bot.get("/servers"))).toBe("401 unauthenticated");
    expect(verdict(await bot.post(messages, { content: "Beep" }))).toBe("401 unauthenticated");
    const upload = await fetch(`${house().url}/api/v1/upload`, {
      method: "POST",
      headers: { Authorization: `Bot ${bot.token}` },
      body: formOf("a.txt", "beep"),
    });
    expect(upload.status).toBe(401);
    const again = await Ear.connect(house().url);
    again.say("AUTH", { token: bot.token });
    expect((await again.closed).code).toBe(4001);
    // Neither its owner nor its owner's other bot is affected.
    await other.say(home.general.id, "Boop");
    for (const each of [others, hers]) {
      expect((await each.next("MESSAGE_CREATE")).data.content as unknown).toBe("Boop");
      each.close();
    }
  });

  test("its owner cannot undo that with a new token, whenever they make it", async () => {
    const { alice, bot } = await beeper();
    const renew = async () => {
      const { body } = await alice.post<{ token: string }>(`/bots/${bot.id}/regenerate-token`);
      bot.token = body.token;
    };
    await operator("disable", bot.id);
    await renew();
    expect(verdict(await bot.get("/servers"))).toBe("401 unauthenticated");
    expect((await alice.patch(`/bots/${bot.id}`, { name: "Beeper again" })).status).toBe(200);
    expect(verdict(await bot.get("/servers"))).toBe("401 unauthenticated");
    await house().restart();
    expect(verdict(await bot.get("/servers"))).toBe("401 unauthenticated");
    for (let round = 0; round < 8; round++) {
      await operator("enable", bot.id);
      const calls = Array.from({ length: 4 }, () => bot.get("/servers"));
      await Promise.all([operator("disable", bot.id), renew(), ...calls]);
      expect([round, verdict(await bot.get("/servers"))]).toEqual([round, "401 unauthenticated"]);
    }
  });

  test("goes on with the token that it has when it is enabled", async () => {
    const { alice, home, bot } = await beeper();
    await operator("disable", bot.id);
    expect(await operator("disable", bot.id)).toContain("is disabled already");
    expect(verdict(await bot.get("/servers"))).toBe("401 unauthenticated");
    expect(await operator("enable", bot.id)).toContain("may go on");
    expect(await operator("enable", bot.id)).toContain("is not disabled");
    await bot.say(home.general.id, "Beep");
    const ear = await bot.listen();
    await alice.say(home.general.id, "Hello, bot");
    await ear.next("MESSAGE_CREATE");
    ear.close();
  });

  test("is listed with its owner's; disabling the owner stops none, and stays until each is stopped", async () => {
    const { alice, bot } = await beeper();
    const second = await TestBot.make(alice, "Second");
    await operator("disable", alice.username);
    expect((await bot.get("/servers")).status).toBe(200);
    await operator("disable", bot.id);
    expect(verdict(await bot.get("/servers"))).toBe("401 unauthenticated");
    expect((await second.get("/servers")).status).toBe(200);
    const listed = await operator("bots", alice.username);
    expect(listed).toMatch(/^id +username +disabled +created\n/);
    expect(listed).toMatch(new RegExp(`^${bot.id} +Beeper-\\w+ +\\d{4}-`, "m"));
    expect(listed).toMatch(new RegExp(`^${second.id} +Second-\\w+ +- +\\d{4}-`, "m"));
    expect(listed).not.toContain(bot.token);
  });

  test("what is for people only is not for bots, and a deleted bot is no account", async () => {
    const { alice, bot } = await beeper();
    const username = await usernameOf(bot);
    for (const command of ["make-admin", "take-admin", "reset-link", "end-sessions", "bots"]) {
      expect(await ask(command, username)).toMatchObject({ ok: false });
    }
    await alice.delete(`/bots/${bot.id}`);
    for (const command of ["disable", "enable"]) {
      const { ok, lines } = await ask(command, username);
      expect([ok, lines.join(" ")]).toEqual([false, expect.stringContaining("There is no account")]);
    }
  });
});
