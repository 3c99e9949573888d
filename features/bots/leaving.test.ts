// Bots that leave servers, in every possible way, and the events that the members receive.
import { expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { nobodysId } from "../../tests/house/people/people.ts";
import { botsForEach, moves, movesHeard } from "../../tests/house/scenes/bot-moves.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Message } from "../messages/contract.ts";
import type { Server } from "../servers/contract.ts";
import type { Bot } from "./contract.ts";

onEachEngine("bots that leave", (house) => {
  const { stage, add, takeOut, isIn, memberCount } = botsForEach(house);

  test("out it goes by its owner, by itself, by a kick, or by leaving, and each time it is told the same", async () => {
    const bot = await TestBot.make(stage.olga);
    const ways: Record<string, () => Promise<unknown>> = {
      kicked: () => takeOut(stage.olga, bot),
      left: () => takeOut(bot, bot),
      "kicked ": () => stage.olga.delete(`/servers/${stage.home.id}/members/${bot.id}`),
      "left ": () => bot.delete(`/servers/${stage.home.id}/members/@me`),
    };
    for (const [reason, way] of Object.entries(ways)) {
      await bot.enter(stage.home.id);
      const [ear, its] = [await stage.bob.listen(), await bot.listen()];
      await way();
      await its.next("SERVER_MEMBER_REMOVE");
      await ear.settle();
      expect(movesHeard(ear)).toEqual([`SERVER_MEMBER_REMOVE ${reason.trim()}`, "BOT_LEAVE"]);
      expect(ear.heard("BOT_LEAVE")[0]?.data.user_id as unknown).toBe(bot.id);
      await its.settle();
      expect(its.frames.filter((frame) => frame.server_id === stage.home.id).at(-1)?.type).toBe(
        "SERVER_MEMBER_REMOVE",
      );
      expect([await isIn(bot), await memberCount()]).toEqual([false, 2]);
      expect(verdict(await bot.get(`/servers/${stage.home.id}`))).toBe("404 not_found");
      expect(await takeOut(stage.olga, bot)).toBe("404 not_found");
      for (const each of [ear, its]) each.close();
    }
    expect((await stage.olga.get<Bot>(`/bots/${bot.id}`)).body.server_ids).toEqual([]);
  });

  test("others take it out with MANAGE_SERVER and a higher rank; its owner even from outside", async () => {
    const bot = await TestBot.make(stage.olga);
    await bot.enter(stage.home.id);
    expect(await takeOut(stage.bob, bot)).toBe("403 forbidden");
    expect(await takeOut(stage.carol, bot)).toBe("404 not_found");
    await stage.olga.giveRole(stage.home.id, stage.bob, permission.MANAGE_SERVER, 5);
    const its = (
      await stage.olga.post<{ id: string }>(`/servers/${stage.home.id}/roles`, { name: "its", position: 5 })
    ).body;
    await stage.olga.put(`/servers/${stage.home.id}/members/${bot.id}/roles`, { role_ids: [its.id] });
    expect(await takeOut(stage.bob, bot)).toBe("403 hierarchy");
    await stage.olga.put(`/servers/${stage.home.id}/members/${bot.id}/roles`, { role_ids: [] });
    expect(await isIn(bot)).toBe(true);
    expect(await takeOut(stage.bob, bot)).toBe("204");

    const bobs = await TestBot.make(stage.bob);
    await bobs.enter(stage.home.id);
    await stage.bob.delete(`/servers/${stage.home.id}/members/@me`);
    expect(await takeOut(stage.bob, bobs, nobodysId)).toBe("404 not_found");
    expect(await takeOut(stage.bob, bobs)).toBe("204");
  });

  test("a bot takes out no other bot, whatever it holds", async () => {
    const [strong, weak, outside] = [
      await TestBot.make(stage.olga),
      await TestBot.make(stage.olga),
      await TestBot.make(stage.olga),
    ];
    for (const bot of [strong, weak]) await bot.enter(stage.home.id);
    const role = { name: "all", permissions: permission.ADMINISTRATOR, position: 9 };
    const { id } = (await stage.olga.post<{ id: string }>(`/servers/${stage.home.id}/roles`, role)).body;
    await stage.olga.put(`/servers/${stage.home.id}/members/${strong.id}/roles`, { role_ids: [id] });
    expect(await takeOut(strong, weak)).toBe("403 forbidden");
    expect(await takeOut(outside, weak)).toBe("404 not_found");
    expect(await takeOut(weak, weak)).toBe("204");
  });

  test("a deleted bot leaves all its servers at once; what it wrote stays under its name", async () => {
    const bot = await TestBot.make(stage.olga, "Ghost");
    const second = await stage.olga.makeServer("Second");
    await stage.olga.bringIn(second.id, stage.bob);
    for (const server of [stage.home, second]) await bot.enter(server.id);
    const said = await bot.say(stage.home.general.id, "Remember me");
    const ear = await stage.bob.listen();
    expect((await stage.olga.delete(`/bots/${bot.id}`)).status).toBe(204);
    expect(verdict(await stage.olga.delete(`/bots/${bot.id}`))).toBe("404 not_found");
    await ear.settle();
    for (const server of [stage.home, second]) {
      const heard = ear.frames.filter((frame) => frame.server_id === server.id && moves.includes(frame.type));
      expect(heard.map(({ type }) => type)).toEqual(["SERVER_MEMBER_REMOVE", "BOT_LEAVE"]);
    }
    expect([await isIn(bot), await memberCount()]).toEqual([false, 2]);
    const { author } = (await stage.bob.get<Message>(`/messages/${said.id}`)).body;
    expect(author).toMatchObject({ id: bot.id, display_name: "Ghost", kind: "bot" });
    expect(verdict(await stage.bob.get(`/users/${bot.id}`))).toBe("404 not_found");
    expect(await add(stage.olga, bot)).toBe("404 not_found");
    ear.close();
  });

  test("deleted, it leaves very many servers some at a time, so that others write meanwhile", async () => {
    const bot = await TestBot.make(stage.olga);
    const commitsOfAll = () => house().all.reduce((sum, each) => sum + each.house.metrics.commits, 0);
    for (let i = 0; i < 12; i++) await bot.enter((await stage.olga.makeServer()).id);
    await bot.enter(stage.home.id);
    const ear = await stage.bob.listen();
    const commits = commitsOfAll();
    expect(verdict(await stage.olga.delete(`/bots/${bot.id}`))).toBe("204");
    expect(commitsOfAll() - commits).toBeGreaterThanOrEqual(3);
    await ear.settle();
    expect(movesHeard(ear)).toEqual(["SERVER_MEMBER_REMOVE left", "BOT_LEAVE"]);
    expect([await isIn(bot), verdict(await bot.get("/servers"))]).toEqual([false, "401 unauthenticated"]);
    ear.close();
  });

  test("it comes, goes and is deleted, all at the same moment: what is told and what is there agree", async () => {
    for (let round = 0; round < 6; round++) {
      const bot = await TestBot.make(stage.olga);
      const ear = await stage.bob.listen();
      if (round % 2 === 0) await bot.enter(stage.home.id);
      await Promise.all([
        add(stage.olga, bot),
        takeOut(bot, bot),
        stage.olga.delete(`/servers/${stage.home.id}/members/${bot.id}`),
        add(stage.olga, bot),
        stage.olga.delete(`/bots/${bot.id}`),
      ]);
      await ear.settle();
      const count = (type: string) => ear.heard(type).length;
      expect(count("BOT_LEAVE")).toBe(count("BOT_JOIN"));
      expect(count("SERVER_MEMBER_REMOVE")).toBe(count("SERVER_MEMBER_ADD"));
      expect([await isIn(bot), await memberCount()]).toEqual([false, 2]);
      ear.close();
    }
  });

  test("with its server a bot's place there goes, the bot stays", async () => {
    const bot = await TestBot.make(stage.olga);
    await bot.enter(stage.home.id);
    expect((await stage.olga.delete(`/servers/${stage.home.id}`)).status).toBe(204);
    expect((await stage.olga.get<Bot>(`/bots/${bot.id}`)).body.server_ids).toEqual([]);
    expect((await bot.get<Server[]>("/servers")).body).toEqual([]);
    expect((await stage.olga.delete(`/bots/${bot.id}`)).status).toBe(204);
  });
});
