// Slash commands: offered by bots and their owners, visible to members, deleted with the bot.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { newId } from "../../server/tokens.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { longestText } from "../../tests/house/material/texts.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { nobodysId, type TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Command } from "./contract.ts";

onEachEngine("slash commands", (house) => {
  let [olga, bob, max]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  let bot: TestBot;
  beforeAll(async () => {
    [olga, bob, max] = await Promise.all(["olga", "bob", "max"].map((name) => house().person(name)));
  });
  beforeEach(async () => {
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!);
    if (bot) await olga!.delete(`/bots/${bot.id}`);
    bot = await TestBot.make(olga!);
    await bot.enter(home.id);
  });

  const offer = (who: TestPerson | TestBot | undefined, name: unknown, more: Record<string, unknown> = {}) =>
    who!.post<Command>(`/bots/${bot.id}/commands`, {
      server_id: home.id,
      name,
      description: "Does it",
      ...more,
    });
  const alreadyOffered = ({ id: bot_id }: TestBot, count: number) =>
    fill(
      house(),
      "commands",
      Array.from({ length: count }, (_, i) => ({
        ...{ id: newId(), bot_id, server_id: home.id, name: `c${i}`, description: "" },
      })),
    );
  const seenBy = async (who: TestPerson | TestBot | undefined) =>
    (await who!.get<Command[]>(`/servers/${home.id}/commands`)).body;

  test("a bot offers one, its owner another; members and the bot find them, by name and in lower case", async () => {
    const roll = await offer(bot, "Roll");
    expect(roll.status).toBe(201);
    expect(roll.body).toEqual({
      id: roll.body.id,
      bot_id: bot.id,
      server_id: home.id,
      name: "roll",
      description: "Does it",
    });
    const deal = (await offer(olga, "deal-cards_2", { description: null })).body;
    expect(deal.description).toBe("");
    expect(await seenBy(bob)).toEqual([deal, roll.body]);
    expect(await seenBy(bot)).toEqual([deal, roll.body]);
    for (const who of [olga, bot]) {
      expect((await who!.get<Command[]>(`/bots/${bot.id}/commands`)).body).toEqual([roll.body, deal]);
    }
    expect(verdict(await max!.get(`/servers/${home.id}/commands`))).toBe("404 not_found");
  });

  test("as many as there may be, with all that they may say, are written some at a time", async () => {
    const rows = Array.from({ length: limits.commands_page_max }, (_, i) => {
      const description = "😀".repeat(limits.command_description_max);
      return {
        id: newId(),
        bot_id: bot.id,
        server_id: home.id,
        name: `c${String(i).padStart(4, "0")}`,
        description,
      };
    });
    await fill(house(), "commands", rows);
    for (const path of [`/servers/${home.id}/commands`, `/bots/${bot.id}/commands`]) {
      const { answer, characters } = await longestText(() => olga!.get<Command[]>(path));
      expect(answer.body).toEqual(rows);
      expect(characters).toBeLessThan(200_000);
    }
  });

  test("names of 1 to 32 letters, digits, dashes and underscores; descriptions up to 512", async () => {
    for (const name of [
      "",
      "x".repeat(33),
      "two words",
      "émile",
      "a/b",
      "/roll",
      "a.b",
      "🎲",
      "a\n",
      7,
      null,
    ]) {
      expect([name, verdict(await offer(bot, name))]).toEqual([name, "400 invalid_request"]);
    }
    for (const more of [{ description: "x".repeat(513) }, { description: 1 }, { server_id: "home" }]) {
      expect([more, verdict(await offer(bot, "fine", more))]).toEqual([more, "400 invalid_request"]);
    }
    expect(verdict(await offer(bot, "x".repeat(32), { description: "x".repeat(512) }))).toBe("201");
    const more = { id: nobodysId, bot_id: olga!.id };
    expect((await offer(bot, "meek", more)).body).toMatchObject({ bot_id: bot.id, name: "meek" });
    expect((await seenBy(bob)).map(({ id }) => id)).not.toContain(nobodysId);
  });

  test("one name once a bot and server, whatever its case, also when ten ask at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => insisted(() => offer(bot, i % 2 ? "PLAY" : "play"))),
    );
    expect(verdicts(answers).sort()).toEqual(["201", ...Array(9).fill("409 conflict")]);
    const second = await olga!.makeServer("Second");
    await bot.enter(second.id);
    expect(verdict(await offer(bot, "play", { server_id: second.id }))).toBe("201");
    const other = await TestBot.make(olga!);
    await other.enter(home.id);
    const same = { server_id: home.id, name: "play", description: "Mine" };
    expect(verdict(await other.post(`/bots/${other.id}/commands`, same))).toBe("201");
    expect((await seenBy(bob)).map(({ name }) => name)).toEqual(["play", "play"]);
  });

  test("a hundred a bot and server are the most", async () => {
    await alreadyOffered(bot, 85);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => insisted(() => offer(bot, `do-${i}`))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(15);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    const second = await olga!.makeServer("Second");
    await bot.enter(second.id);
    const there = await offer(bot, "there", { server_id: second.id });
    expect([there.status, verdict(await bot.delete(`/bots/${bot.id}/commands/${there.body.id}`))]).toEqual([
      201,
      "204",
    ]);
    const first = await bot.get<Command[]>(`/bots/${bot.id}/commands?limit=60`);
    const rest = await bot.get<Command[]>(`/bots/${bot.id}/commands?limit=60&after=${first.body.at(-1)?.id}`);
    expect([first.headers.get("x-has-more"), rest.headers.get("x-has-more")]).toEqual(["true", "false"]);
    expect(new Set([...first.body, ...rest.body].map(({ id }) => id)).size).toBe(100);
  });

  test("a thousand a server are the most, whoever offers them", async () => {
    const other = await TestBot.make(olga!);
    await other.enter(home.id);
    await alreadyOffered(other, 999);
    const answers = await Promise.all(["one", "two"].map((name) => offer(bot, name)));
    expect(verdicts(answers).sort()).toEqual(["201", "409 conflict"]);
    expect(await seenBy(bob)).toHaveLength(1000);
    const second = await olga!.makeServer("Second");
    await bot.enter(second.id);
    expect(verdict(await offer(bot, "one-more", { server_id: second.id }))).toBe("201");
    await olga!.delete(`/bots/${other.id}`);
    expect(verdict(await offer(bot, "three"))).toBe("201");
  });

  test("only the bot and its owner offer and withdraw; to others there is no such bot", async () => {
    const { id } = (await offer(bot, "stay")).body;
    const stranger = await TestBot.make(bob!);
    for (const who of [bob, max, stranger]) {
      const told = [
        verdict(await offer(who, "sneak")),
        verdict(await who!.get(`/bots/${bot.id}/commands`)),
        verdict(await who!.delete(`/bots/${bot.id}/commands/${id}`)),
      ];
      expect(told).toEqual(["404 not_found", "404 not_found", "404 not_found"]);
    }
    // Bob's bot exists and is his; the command belongs to another bot.
    for (const cmd of [id, nobodysId, "no-id"]) {
      expect(verdict(await bob!.delete(`/bots/${stranger.id}/commands/${cmd}`))).toBe("404 not_found");
    }
    expect((await seenBy(bob)).map(({ name }) => name)).toEqual(["stay"]);
    await bob!.delete(`/bots/${stranger.id}`);
    expect(verdict(await bot.delete(`/bots/${bot.id}/commands/${id}`))).toBe("204");
    expect(verdict(await olga!.delete(`/bots/${bot.id}/commands/${id}`))).toBe("404 not_found");
    expect(await seenBy(bob)).toEqual([]);
  });

  test("a bot offers nothing where it is not, even when its owner is there", async () => {
    const elsewhere = await olga!.makeServer("Elsewhere");
    for (const server_id of [elsewhere.id, nobodysId]) {
      expect(verdict(await offer(bot, "try", { server_id }))).toBe("404 not_found");
      expect(verdict(await offer(olga, "try", { server_id }))).toBe("404 not_found");
    }
    expect((await bot.get<Command[]>(`/bots/${bot.id}/commands`)).body).toEqual([]);
  });

  test("they go when the bot goes, in whatever way, and do not come back with it", async () => {
    const second = await olga!.makeServer("Second");
    await bot.enter(second.id);
    await offer(bot, "elsewhere", { server_id: second.id });
    const other = await TestBot.make(olga!);
    await other.enter(home.id);
    const stays = { server_id: home.id, name: "stays", description: "" };
    const its = (await other.post<Command>(`/bots/${other.id}/commands`, stays)).body;
    const ways = [
      () => bot.delete(`/servers/${home.id}/members/@me`),
      () => olga!.delete(`/servers/${home.id}/members/${bot.id}`),
      () => bot.delete(`/bots/${bot.id}/servers/${home.id}`),
    ];
    for (const way of ways) {
      expect(verdict(await offer(bot, "here"))).toBe("201");
      expect(verdict(await way())).toBe("204");
      expect(await seenBy(bob)).toEqual([its]);
      await bot.enter(home.id);
      expect(await seenBy(bob)).toEqual([its]);
    }
    const left = (await bot.get<Command[]>(`/bots/${bot.id}/commands`)).body;
    expect(left.map(({ name }) => name)).toEqual(["elsewhere"]);
    await olga!.delete(`/servers/${second.id}`);
    expect((await bot.get<Command[]>(`/bots/${bot.id}/commands`)).body).toEqual([]);
    await offer(bot, "last");
    await olga!.delete(`/bots/${bot.id}`);
    expect(await seenBy(bob)).toEqual([its]);
    const stored = await house().running.house.database.read.selectFrom("commands").selectAll().execute();
    expect(stored.filter((row) => row.bot_id === bot.id)).toEqual([]);
  });
});
