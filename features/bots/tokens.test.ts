// A bot's token: the only way to authenticate as the bot, one at a time, and invalid at once when it is replaced.
import { beforeAll, expect, test } from "bun:test";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { soon } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { Ear } from "../../tests/house/people/ear.ts";
import { send, type TestPerson } from "../../tests/house/people/people.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Server } from "../servers/contract.ts";

onEachEngine("bot tokens", (house) => {
  let alice: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  beforeAll(async () => {
    alice = await house().person("alice");
    home = await alice.makeServer();
  });

  const makeBot = async () => {
    const bot = await TestBot.make(alice);
    await bot.enter(home.id);
    return bot;
  };
  const callWith = async (headers: Record<string, string>) =>
    verdict(await send(house(), undefined, "GET", "/servers", undefined, headers));
  const regenerate = async (bot: TestBot) => {
    const answer = await insisted(() => alice.post<{ token: string }>(`/bots/${bot.id}/regenerate-token`));
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ["token"]]);
    return answer.body.token;
  };

  test("it counts under Bot, in any case of the word, and under nothing else", async () => {
    const { token } = await makeBot();
    for (const scheme of ["Bot", "bot", "BOT"]) {
      expect(await callWith({ Authorization: `${scheme} ${token}` })).toBe("200");
    }
    for (const headers of [
      { Authorization: `Bearer ${token}` },
      { Cookie: `app_session=${token}` },
      { Authorization: token },
      { Authorization: "Bot hb_" },
      { Authorization: "Bot " },
      { Authorization: `Bot ${token.slice(3)}` },
      { Authorization: `Bot ${token}x` },
      { Authorization: `Bot ${alice.token}` },
      // A cookie takes precedence, for bots too.
      { Authorization: `Bot ${token}`, Cookie: "app_session=hs_nobody" },
    ] as Record<string, string>[]) {
      expect([headers, await callWith(headers)]).toEqual([headers, "401 unauthenticated"]);
    }
  });

  test("on the gateway a bot is greeted with itself and the servers that it is in", async () => {
    const bot = await makeBot();
    const elsewhere = await alice.makeServer("Not for bots");
    const ear = await bot.listen();
    expect(ear.ready.user).toMatchObject({
      id: bot.id,
      bot: true,
      email: "",
      instance_role: "member",
    } as never);
    const servers = ear.ready.servers as unknown as Server[];
    expect(servers.map((server) => server.id)).toEqual([home.id]);
    expect(JSON.stringify(ear.ready)).not.toContain(bot.token.slice(3));
    await alice.say(home.general.id, "Hello, bot");
    await alice.say(elsewhere.general.id, "Not for you");
    await ear.next("MESSAGE_CREATE");
    const { resumePoint } = ear;
    ear.close();
    await alice.say(home.general.id, "Are you there?");
    const again = await bot.listen(resumePoint);
    expect(again.heard("MESSAGE_CREATE").map(({ data }) => data.content as unknown)).toEqual([
      "Are you there?",
    ]);
    expect(again.heard("RESUMED")).toHaveLength(1);
    again.close();
  });

  test("a new token ends the old one and its sockets; the new one works at once", async () => {
    const bot = await makeBot();
    const old = bot.token;
    const [ear, other] = [await bot.listen(), await makeBot().then((each) => each.listen())];
    bot.token = await regenerate(bot);
    expect((await soon(ear.closed)).code).toBe(4010);
    expect(await callWith({ Authorization: `Bot ${old}` })).toBe("401 unauthenticated");
    expect(await callWith({ Authorization: `Bot ${bot.token}` })).toBe("200");
    const stranger = await Ear.connect(house().url);
    stranger.say("AUTH", { token: old });
    expect((await stranger.closed).code).toBe(4001);
    const fresh = await bot.listen();
    await alice.say(home.general.id, "Still here?");
    await fresh.next("MESSAGE_CREATE");
    // The sockets of Alice's other bot are not affected.
    await other.next("MESSAGE_CREATE");
    for (const each of [fresh, other]) each.close();
  });

  test("after twenty new tokens at the same moment exactly one is alive", async () => {
    const bot = await makeBot();
    const sockets = await Promise.all([bot.listen(), bot.listen()]);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => regenerate(bot)));
    expect(new Set(tokens).size).toBe(20);
    const told = await Promise.all(
      [bot.token, ...tokens].map((token) => callWith({ Authorization: `Bot ${token}` })),
    );
    expect(told.filter((each) => each === "200")).toHaveLength(1);
    expect(told.filter((each) => each === "401 unauthenticated")).toHaveLength(20);
    for (const ear of sockets) expect((await ear.closed).code).toBe(4010);
  });

  test("a token that is replaced while calls use it does not stay in anybody's memory", async () => {
    const bot = await makeBot();
    for (let round = 0; round < 10; round++) {
      const old = bot.token;
      const calls = Array.from({ length: 5 }, () => callWith({ Authorization: `Bot ${old}` }));
      const [token] = await Promise.all([regenerate(bot), ...calls]);
      bot.token = token;
      expect([round, await callWith({ Authorization: `Bot ${old}` })]).toEqual([
        round,
        "401 unauthenticated",
      ]);
    }
  });

  test("the token of a deleted bot ends like an old one, its sockets too", async () => {
    const bot = await makeBot();
    const ear = await bot.listen();
    expect((await alice.delete(`/bots/${bot.id}`)).status).toBe(204);
    expect((await soon(ear.closed)).code).toBe(4010);
    expect(await callWith({ Authorization: `Bot ${bot.token}` })).toBe("401 unauthenticated");
    expect(verdict(await alice.post(`/bots/${bot.id}/regenerate-token`))).toBe("404 not_found");
  });

  test("nobody signs in as a bot with a password", async () => {
    const bot = await makeBot();
    const { username } = (await bot.get<{ username: string }>(`/users/${bot.id}`)).body;
    for (const password of ["", "null", bot.token, "correct horse battery"]) {
      const answer = await alice.post("/auth/login/password", { email: username, password });
      expect([400, 401]).toContain(answer.status);
    }
  });
});
