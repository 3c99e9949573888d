// Bringing bots into servers: who may, and what everybody there hears of it.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { TestBot } from "../../tests/house/bots.ts";
import type { Ear } from "../../tests/house/ear.ts";
import { onEachEngine } from "../../tests/house/engines.ts";
import type { TestPerson } from "../../tests/house/people.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Member } from "../members/contract.ts";
import type { Server } from "../servers/contract.ts";
import type { Bot } from "./contract.ts";

const nobodysId = "01890000-0000-7000-8000-000000000000";

onEachEngine("bots that come", (house) => {
  let [olga, bob, max]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  beforeAll(async () => {
    [olga, bob, max] = await Promise.all(["olga", "bob", "max"].map((name) => house().person(name)));
  });
  beforeEach(async () => {
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!);
  });

  const add = async (person: TestPerson | undefined, bot: { id: string }, serverId = home.id) =>
    verdict(await person!.post(`/bots/${bot.id}/servers`, { server_id: serverId }));
  const isIn = async (bot: TestBot) =>
    (await olga!.get<Member[]>(`/servers/${home.id}/members`)).body.some(({ user }) => user.id === bot.id);
  const memberCount = async () => (await olga!.get<Server>(`/servers/${home.id}`)).body.member_count;
  const kinds = ["BOT_JOIN", "BOT_LEAVE", "SERVER_MEMBER_ADD", "SERVER_MEMBER_REMOVE"];
  const comings = (ear: Ear) =>
    ear.frames
      .filter(({ type }) => kinds.includes(type))
      .map(({ type, data }) => (data.reason ? `${type} ${data.reason}` : type));

  test("Olga brings hers in: it is a member, everybody hears of it once, and it gets the server", async () => {
    const bot = await TestBot.make(olga!, "Beeper", "Beeps");
    const [ear, its] = [await bob!.listen(), await bot.listen()];
    expect(await add(olga, bot)).toBe("204");
    expect(await add(olga, bot)).toBe("204");
    await its.next("SERVER_CREATE");
    await ear.settle();
    expect(comings(ear)).toEqual(["SERVER_MEMBER_ADD", "BOT_JOIN"]);
    const [joined] = ear.heard("BOT_JOIN");
    expect(joined?.data as unknown).toEqual({
      user_id: bot.id,
      bot: {
        id: bot.id,
        owner_id: olga!.id,
        name: "Beeper",
        description: "Beeps",
        avatar: null,
        created_at: joined?.data.bot?.created_at,
      },
    });
    expect(joined?.seq).toBeGreaterThan(0);
    expect([await isIn(bot), await memberCount()]).toEqual([true, 3]);
    expect((await olga!.get<Bot>(`/bots/${bot.id}`)).body.server_ids).toEqual([home.id]);
    for (const each of [ear, its]) each.close();
  });

  test("it takes the owner of the bot and MANAGE_SERVER: neither alone does", async () => {
    const [hers, his] = [await TestBot.make(olga!), await TestBot.make(bob!)];
    const ear = await olga!.listen();
    expect(await add(bob, hers)).toBe("404 not_found");
    expect(await add(olga, his)).toBe("404 not_found");
    expect(await add(bob, his)).toBe("403 forbidden");
    const maxes = await TestBot.make(max!);
    expect(await add(max, maxes)).toBe("404 not_found");
    expect(await add(olga, hers, nobodysId)).toBe("404 not_found");
    expect(verdict(await olga!.post(`/bots/${hers.id}/servers`, { server_id: "no-id" }))).toBe(
      "400 invalid_request",
    );
    expect(verdict(await his.post(`/bots/${his.id}/servers`, { server_id: home.id }))).toBe("403 forbidden");
    await ear.settle();
    expect([comings(ear), await memberCount()]).toEqual([[], 2]);
    await olga!.giveRole(home.id, bob!, permission.MANAGE_SERVER, 5);
    expect(await add(bob, his)).toBe("204");
    ear.close();
  });

  test("a banned bot is not let in; the ban took it out", async () => {
    const bot = await TestBot.make(olga!);
    await bot.enter(home.id);
    const ear = await bob!.listen();
    await olga!.put(`/servers/${home.id}/bans/${bot.id}`);
    await ear.settle();
    expect(comings(ear)).toEqual(["SERVER_MEMBER_REMOVE banned", "BOT_LEAVE"]);
    expect(await add(olga, bot)).toBe("403 banned");
    // Olga reads this, and she is not banned herself.
    const { body } = await olga!.post<{ error: string }>(`/bots/${bot.id}/servers`, { server_id: home.id });
    expect(body.error).toStartWith("This bot is banned");
    expect([await isIn(bot), await memberCount()]).toEqual([false, 2]);
    await olga!.delete(`/servers/${home.id}/bans/${bot.id}`);
    expect(await add(olga, bot)).toBe("204");
    ear.close();
  });
});
