// Bots that leave servers, in each way there is, and what everybody there hears of it.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { TestBot } from "../../tests/house/bots.ts";
import type { Ear } from "../../tests/house/ear.ts";
import { onEachEngine } from "../../tests/house/engines.ts";
import type { TestPerson } from "../../tests/house/people.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Member } from "../members/contract.ts";
import type { Message } from "../messages/contract.ts";
import type { Server } from "../servers/contract.ts";
import type { Bot } from "./contract.ts";

const nobodysId = "01890000-0000-7000-8000-000000000000";

onEachEngine("bots that leave", (house) => {
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
  const takeOut = async (who: TestPerson | TestBot | undefined, bot: { id: string }, serverId = home.id) =>
    verdict(await who!.delete(`/bots/${bot.id}/servers/${serverId}`));
  const isIn = async (bot: TestBot) =>
    (await olga!.get<Member[]>(`/servers/${home.id}/members`)).body.some(({ user }) => user.id === bot.id);
  const memberCount = async () => (await olga!.get<Server>(`/servers/${home.id}`)).body.member_count;
  const kinds = ["BOT_JOIN", "BOT_LEAVE", "SERVER_MEMBER_ADD", "SERVER_MEMBER_REMOVE"];
  const comings = (ear: Ear) =>
    ear.frames
      .filter(({ type }) => kinds.includes(type))
      .map(({ type, data }) => (data.reason ? `${type} ${data.reason}` : type));

  test("out it goes by its owner, by itself, by a kick, or by leaving, and each time it is told the same", async () => {
    const bot = await TestBot.make(olga!);
    const ways: Record<string, () => Promise<unknown>> = {
      kicked: () => takeOut(olga, bot),
      left: () => takeOut(bot, bot),
      "kicked ": () => olga!.delete(`/servers/${home.id}/members/${bot.id}`),
      "left ": () => bot.delete(`/servers/${home.id}/members/@me`),
    };
    for (const [reason, way] of Object.entries(ways)) {
      await bot.enter(home.id);
      const [ear, its] = [await bob!.listen(), await bot.listen()];
      await way();
      await its.next("SERVER_MEMBER_REMOVE");
      await ear.settle();
      expect(comings(ear)).toEqual([`SERVER_MEMBER_REMOVE ${reason.trim()}`, "BOT_LEAVE"]);
      expect(ear.heard("BOT_LEAVE")[0]?.data.user_id as unknown).toBe(bot.id);
      await its.settle();
      expect(its.frames.filter((frame) => frame.server_id === home.id).at(-1)?.type).toBe(
        "SERVER_MEMBER_REMOVE",
      );
      expect([await isIn(bot), await memberCount()]).toEqual([false, 2]);
      expect(verdict(await bot.get(`/servers/${home.id}`))).toBe("404 not_found");
      expect(await takeOut(olga, bot)).toBe("404 not_found");
      for (const each of [ear, its]) each.close();
    }
    expect((await olga!.get<Bot>(`/bots/${bot.id}`)).body.server_ids).toEqual([]);
  });

  test("others take it out with MANAGE_SERVER and a higher rank; its owner even from outside", async () => {
    const bot = await TestBot.make(olga!);
    await bot.enter(home.id);
    expect(await takeOut(bob, bot)).toBe("403 forbidden");
    expect(await takeOut(max, bot)).toBe("404 not_found");
    await olga!.giveRole(home.id, bob!, permission.MANAGE_SERVER, 5);
    const its = (await olga!.post<{ id: string }>(`/servers/${home.id}/roles`, { name: "its", position: 5 }))
      .body;
    await olga!.put(`/servers/${home.id}/members/${bot.id}/roles`, { role_ids: [its.id] });
    expect(await takeOut(bob, bot)).toBe("403 hierarchy");
    await olga!.put(`/servers/${home.id}/members/${bot.id}/roles`, { role_ids: [] });
    expect(await isIn(bot)).toBe(true);
    expect(await takeOut(bob, bot)).toBe("204");

    const bobs = await TestBot.make(bob!);
    await bobs.enter(home.id);
    await bob!.delete(`/servers/${home.id}/members/@me`);
    expect(await takeOut(bob, bobs, nobodysId)).toBe("404 not_found");
    expect(await takeOut(bob, bobs)).toBe("204");
  });

  test("a bot takes out no other bot, whatever it holds", async () => {
    const [strong, weak, outside] = [
      await TestBot.make(olga!),
      await TestBot.make(olga!),
      await TestBot.make(olga!),
    ];
    for (const bot of [strong, weak]) await bot.enter(home.id);
    const role = { name: "all", permissions: permission.ADMINISTRATOR, position: 9 };
    const { id } = (await olga!.post<{ id: string }>(`/servers/${home.id}/roles`, role)).body;
    await olga!.put(`/servers/${home.id}/members/${strong.id}/roles`, { role_ids: [id] });
    expect(await takeOut(strong, weak)).toBe("403 forbidden");
    expect(await takeOut(outside, weak)).toBe("404 not_found");
    expect(await takeOut(weak, weak)).toBe("204");
  });

  test("a deleted bot leaves all its servers at once; what it wrote stays under its name", async () => {
    const bot = await TestBot.make(olga!, "Ghost");
    const second = await olga!.makeServer("Second");
    await olga!.bringIn(second.id, bob!);
    for (const server of [home, second]) await bot.enter(server.id);
    const said = await bot.say(home.general.id, "Remember me");
    const ear = await bob!.listen();
    expect((await olga!.delete(`/bots/${bot.id}`)).status).toBe(204);
    expect(verdict(await olga!.delete(`/bots/${bot.id}`))).toBe("404 not_found");
    await ear.settle();
    for (const server of [home, second]) {
      const heard = ear.frames.filter((frame) => frame.server_id === server.id && kinds.includes(frame.type));
      expect(heard.map(({ type }) => type)).toEqual(["SERVER_MEMBER_REMOVE", "BOT_LEAVE"]);
    }
    expect([await isIn(bot), await memberCount()]).toEqual([false, 2]);
    const { author } = (await bob!.get<Message>(`/messages/${said.id}`)).body;
    expect(author).toMatchObject({ id: bot.id, display_name: "Ghost", kind: "bot" });
    expect(verdict(await bob!.get(`/users/${bot.id}`))).toBe("404 not_found");
    expect(await add(olga, bot)).toBe("404 not_found");
    ear.close();
  });

  test("it comes, goes and is deleted, all at the same moment: what is told and what is there agree", async () => {
    for (let round = 0; round < 6; round++) {
      const bot = await TestBot.make(olga!);
      const ear = await bob!.listen();
      if (round % 2 === 0) await bot.enter(home.id);
      await Promise.all([
        add(olga, bot),
        takeOut(bot, bot),
        olga!.delete(`/servers/${home.id}/members/${bot.id}`),
        add(olga, bot),
        olga!.delete(`/bots/${bot.id}`),
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
    const bot = await TestBot.make(olga!);
    await bot.enter(home.id);
    expect((await olga!.delete(`/servers/${home.id}`)).status).toBe(204);
    expect((await olga!.get<Bot>(`/bots/${bot.id}`)).body.server_ids).toEqual([]);
    expect((await bot.get<Server[]>("/servers")).body).toEqual([]);
    expect((await olga!.delete(`/bots/${bot.id}`)).status).toBe(204);
  });
});
