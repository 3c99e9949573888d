// Permissions of a bot: those of a member with its roles, and none of its owner's.
import { beforeAll, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Channel } from "../channels/contract.ts";
import type { Message } from "../messages/contract.ts";
import type { Role } from "../roles/contract.ts";
import type { Server } from "../servers/contract.ts";

onEachEngine("the rights of bots", (house) => {
  let [olga, bob]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  let bot: TestBot;
  beforeAll(async () => {
    [olga, bob] = [await house().person("olga"), await house().person("bob")];
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!);
    bot = await TestBot.make(olga!);
    await bot.enter(home.id);
  });

  const managing = () => ({
    "open a channel": () => bot.post("/channels", { server_id: home.id, name: "its own" }),
    "make a role": () => bot.post(`/servers/${home.id}/roles`, { name: "its own" }),
    sweep: () => bot.post(`/channels/${home.general.id}/messages/bulk-delete`, { message_ids: [home.id] }),
    "see the bans": () => bot.get(`/servers/${home.id}/bans`),
  });

  test("its owner owns the server, and still it may no more than any newcomer", async () => {
    const server = (await bot.get<Server>(`/servers/${home.id}`)).body;
    expect(server.permissions).toBe(1795);
    for (const [what, attempt] of Object.entries(managing())) {
      expect([what, verdict(await attempt())]).toEqual([what, "403 forbidden"]);
    }
    expect(verdict(await bot.delete(`/servers/${home.id}/members/${bob!.id}`))).toBe("403 forbidden");
    expect(verdict(await bot.delete(`/servers/${home.id}/members/${olga!.id}`))).toBe("403 forbidden");
    const words = await olga!.say(home.general.id, "Mine");
    for (const attempt of [
      bot.patch(`/messages/${words.id}`, { content: "Its" }),
      bot.delete(`/messages/${words.id}`),
    ]) {
      expect(verdict(await attempt)).toBe("403 author_only");
    }
    const hidden = await olga!.makeServer("Without bots");
    expect(verdict(await bot.get(`/servers/${hidden.id}`))).toBe("404 not_found");
    expect(verdict(await bot.get(`/channels/${hidden.general.id}/messages`))).toBe("404 not_found");
  });

  test("it reads, writes, reacts, corrects and takes back like a member", async () => {
    const channels = (await bot.get<Channel[]>(`/channels?server_id=${home.id}`)).body;
    expect(channels.map(({ name }) => name)).toEqual(["general"]);
    const said = await bot.say(home.general.id, "Beep");
    expect(said.author).toMatchObject({ id: bot.id, kind: "bot" });
    expect((await bot.patch<Message>(`/messages/${said.id}`, { content: "Boop" })).body.content).toBe("Boop");
    expect(verdict(await bot.post(`/messages/${said.id}/reactions`, { emoji: "🎉" }))).toBe("204");
    expect(verdict(await bot.post(`/channels/${home.general.id}/typing`))).toBe("204");
    expect((await bot.get<Message[]>(`/channels/${home.general.id}/messages`)).body[0]?.content).toBe("Boop");
    expect(verdict(await bot.delete(`/messages/${said.id}`))).toBe("204");
  });

  test("with a role of its own it may what the role says, below its rank, and no longer than it has it", async () => {
    const bits = [
      "MANAGE_CHANNELS",
      "MANAGE_SERVER",
      "MANAGE_MESSAGES",
      "BAN_MEMBERS",
      "KICK_MEMBERS",
    ] as const;
    const permissions = bits.reduce((sum, name) => sum | permission[name], 0);
    const role = (
      await olga!.post<Role>(`/servers/${home.id}/roles`, { name: "Keepers", permissions, position: 4 })
    ).body;
    const give = (role_ids: string[]) =>
      olga!.put(`/servers/${home.id}/members/${bot.id}/roles`, { role_ids });
    expect((await give([role.id])).status).toBe(204);
    for (const [what, attempt] of Object.entries(managing())) {
      expect([what, (await attempt()).status]).toEqual([what, expect.any(Number)]);
      expect((await attempt()).status).toBeLessThan(300);
    }
    const boss = { name: "Boss", permissions: permission.ADMINISTRATOR, position: 2 };
    expect(verdict(await bot.post(`/servers/${home.id}/roles`, boss))).toBe("403 forbidden");
    expect(verdict(await bot.patch(`/servers/${home.id}/roles/${role.id}`, { name: "x" }))).toBe(
      "403 hierarchy",
    );
    expect(verdict(await bot.delete(`/servers/${home.id}/members/${olga!.id}`))).toBe("403 hierarchy");
    expect(verdict(await bot.delete(`/servers/${home.id}/members/${bob!.id}`))).toBe("204");
    await give([]);
    expect(verdict(await managing()["open a channel"]())).toBe("403 forbidden");
  });

  test("it never owns a server: not made by it, not handed to it", async () => {
    expect(verdict(await bot.post("/servers", { name: "Its own" }))).toBe("403 forbidden");
    expect(verdict(await olga!.post(`/servers/${home.id}/owner`, { user_id: bot.id }))).toBe("403 forbidden");
    const invite = (await olga!.post<{ code: string }>("/invites", { server_id: home.id })).body;
    expect(verdict(await bot.post(`/invites/${invite.code}/join`))).toBe("403 forbidden");
    expect((await bot.get<Server[]>("/servers")).body.map(({ owner_id }) => owner_id)).toEqual([olga!.id]);
  });

  test("who blinds a bot takes its sight at once: it hears no message any more", async () => {
    const ear = await bot.listen();
    await olga!.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 0 });
    await olga!.say(home.general.id, "Among people");
    await ear.next("CHANNEL_DELETE");
    await ear.settle();
    expect(ear.heard("MESSAGE_CREATE")).toEqual([]);
    expect(verdict(await bot.get(`/channels/${home.general.id}`))).toBe("404 not_found");
    ear.close();
  });
});
