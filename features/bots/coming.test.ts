// Adding bots to servers: who may, and which events the members receive.
import { expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { nobodysId } from "../../tests/house/people/people.ts";
import { botsForEach, movesHeard } from "../../tests/house/scenes/bot-moves.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Bot } from "./contract.ts";

onEachEngine("bots that come", (house) => {
  const { stage, add, isIn, memberCount } = botsForEach(house);

  test("Olga brings hers in: it is a member, everybody hears of it once, and it gets the server", async () => {
    const bot = await TestBot.make(stage.olga, "Beeper", "Beeps");
    const [ear, its] = [await stage.bob.listen(), await bot.listen()];
    expect(await add(stage.olga, bot)).toBe("204");
    expect(await add(stage.olga, bot)).toBe("204");
    await its.next("SERVER_CREATE");
    await ear.settle();
    expect(movesHeard(ear)).toEqual(["SERVER_MEMBER_ADD", "BOT_JOIN"]);
    const [joined] = ear.heard("BOT_JOIN");
    expect(joined?.data as unknown).toEqual({
      user_id: bot.id,
      bot: {
        id: bot.id,
        owner_id: stage.olga.id,
        name: "Beeper",
        description: "Beeps",
        avatar: null,
        created_at: joined?.data.bot?.created_at,
      },
    });
    expect(joined?.seq).toBeGreaterThan(0);
    expect([await isIn(bot), await memberCount()]).toEqual([true, 3]);
    expect((await stage.olga.get<Bot>(`/bots/${bot.id}`)).body.server_ids).toEqual([stage.home.id]);
    for (const each of [ear, its]) each.close();
  });

  test("it takes the owner of the bot and MANAGE_SERVER: neither alone does", async () => {
    const [hers, his] = [await TestBot.make(stage.olga), await TestBot.make(stage.bob)];
    const ear = await stage.olga.listen();
    expect(await add(stage.bob, hers)).toBe("404 not_found");
    expect(await add(stage.olga, his)).toBe("404 not_found");
    expect(await add(stage.bob, his)).toBe("403 forbidden");
    const carols = await TestBot.make(stage.carol);
    expect(await add(stage.carol, carols)).toBe("404 not_found");
    expect(await add(stage.olga, hers, nobodysId)).toBe("404 not_found");
    expect(verdict(await stage.olga.post(`/bots/${hers.id}/servers`, { server_id: "no-id" }))).toBe(
      "400 invalid_request",
    );
    expect(verdict(await his.post(`/bots/${his.id}/servers`, { server_id: stage.home.id }))).toBe(
      "403 forbidden",
    );
    await ear.settle();
    expect([movesHeard(ear), await memberCount()]).toEqual([[], 2]);
    await stage.olga.giveRole(stage.home.id, stage.bob, permission.MANAGE_SERVER, 5);
    expect(await add(stage.bob, his)).toBe("204");
    ear.close();
  });

  test("a banned bot is not let in; the ban took it out", async () => {
    const bot = await TestBot.make(stage.olga);
    await bot.enter(stage.home.id);
    const ear = await stage.bob.listen();
    await stage.olga.put(`/servers/${stage.home.id}/bans/${bot.id}`);
    await ear.settle();
    expect(movesHeard(ear)).toEqual(["SERVER_MEMBER_REMOVE banned", "BOT_LEAVE"]);
    expect(await add(stage.olga, bot)).toBe("403 banned");
    // The message is for Olga, who is not banned herself.
    const { body } = await stage.olga.post<{ error: string }>(`/bots/${bot.id}/servers`, {
      server_id: stage.home.id,
    });
    expect(body.error).toStartWith("This bot is banned");
    expect([await isIn(bot), await memberCount()]).toEqual([false, 2]);
    await stage.olga.delete(`/servers/${stage.home.id}/bans/${bot.id}`);
    expect(await add(stage.olga, bot)).toBe("204");
    ear.close();
  });
});
