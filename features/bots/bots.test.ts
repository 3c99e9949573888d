// Bots as their owners see them: made, shown, renamed and deleted by their owners alone.
import { beforeAll, expect, test } from "bun:test";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { nobodysId, type TestPerson } from "../../tests/house/people/people.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { User } from "../accounts/contract.ts";
import type { Message } from "../messages/contract.ts";
import type { Bot } from "./contract.ts";

onEachEngine("bots", (house) => {
  let [alice, bob]: TestPerson[] = [];
  beforeAll(async () => {
    [alice, bob] = [await house().person("alice"), await house().person("bob")];
  });

  test("Alice makes a bot: its token is in that answer, and in no other", async () => {
    const { status, body } = await alice!.post<Bot & { token: string }>("/bots", {
      name: "  Tea bot ",
      description: "Says when tea is ready",
    });
    expect(status).toBe(201);
    const { token, ...bot } = body;
    expect(token).toMatch(/^hb_[A-Za-z0-9_-]{43}$/);
    expect(bot).toEqual({
      id: bot.id,
      owner_id: alice!.id,
      name: "Tea bot",
      description: "Says when tea is ready",
      avatar: null,
      server_ids: [],
      created_at: bot.created_at,
    });
    expect((await alice!.get<Bot>(`/bots/${bot.id}`)).body).toEqual(bot);
    expect((await alice!.get<Bot[]>("/bots")).body).toContainEqual(bot);
    const stored = JSON.stringify(
      await house().running.house.database.read.selectFrom("bots").selectAll().execute(),
    );
    expect(stored).toContain(bot.id);
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(token.slice(3));
  });

  test("a bot is a user whose name comes from the bot's, whatever that is, and is nobody else's", async () => {
    const usernames: string[] = [];
    for (const name of ["Beeper", "Beeper", "Ünï Côde!", "🤖", "x".repeat(80)]) {
      const bot = await TestBot.make(bob!, name);
      const user = (await bot.get<User>(`/users/${bot.id}`)).body;
      expect([user.display_name, user.bot, user.id]).toEqual([name, true, bot.id]);
      usernames.push(user.username);
      expect((await bob!.delete(`/bots/${bot.id}`)).status).toBe(204);
    }
    expect(new Set(usernames).size).toBe(5);
    const stems = usernames.map((username) => username.replace(/-[0-9a-f]{6}$/, ""));
    expect(stems).toEqual(["Beeper", "Beeper", "Uni_Code", "bot", "x".repeat(25)]);
  });

  test("names of 1 to 80 characters that hide nothing, descriptions up to 512", async () => {
    const wrong = [
      {},
      { name: "" },
      { name: "x".repeat(81) },
      { name: 5 },
      { name: "a\u202eb" },
      { name: "a\u0000b" },
      { name: "fine", description: "x".repeat(513) },
      { name: "fine", description: ["x"] },
    ];
    for (const body of wrong) {
      expect([body, verdict(await alice!.post("/bots", body))]).toEqual([body, "400 invalid_request"]);
    }
    const bot = await TestBot.make(alice!, "🫖".repeat(80), "x".repeat(512));
    for (const body of wrong.slice(1)) {
      expect([body, verdict(await alice!.patch(`/bots/${bot.id}`, body))]).toEqual([
        body,
        "400 invalid_request",
      ]);
    }
    expect((await alice!.patch(`/bots/${bot.id}`, { description: null })).body.description as unknown).toBe(
      "",
    );
  });

  test("what nobody may set is not set: id, owner, token, servers, being a person", async () => {
    const more = { id: nobodysId, owner_id: bob!.id, token: "hb_mine", server_ids: [nobodysId], is_bot: 0 };
    const made = (await alice!.post<Bot & { token: string }>("/bots", { name: "Meek", ...more })).body;
    expect([made.id === nobodysId, made.owner_id, made.server_ids]).toEqual([false, alice!.id, []]);
    const after = (await alice!.patch<Bot>(`/bots/${made.id}`, { ...more, avatar: "https://x.example" }))
      .body;
    const { token, ...before } = made;
    expect(after).toEqual(before);
    expect(token).not.toBe("hb_mine");
    expect((await bob!.get<Bot[]>("/bots")).body).toEqual([]);
  });

  test("Bob may not know of Alice's bot; it knows itself and nobody else's", async () => {
    const [hers, his] = [await TestBot.make(alice!, "Hers"), await TestBot.make(bob!, "His")];
    for (const id of [hers.id, nobodysId, "no-id", alice!.id]) {
      const told = [
        verdict(await bob!.get(`/bots/${id}`)),
        verdict(await bob!.patch(`/bots/${id}`, { name: "Mine" })),
        verdict(await bob!.delete(`/bots/${id}`)),
        verdict(await bob!.post(`/bots/${id}/regenerate-token`)),
        verdict(await his.get(`/bots/${id}`)),
      ];
      expect([id, [...new Set(told)]]).toEqual([id, ["404 not_found"]]);
    }
    expect((await hers.get<Bot>(`/bots/${hers.id}`)).body).toEqual(
      (await alice!.get<Bot>(`/bots/${hers.id}`)).body,
    );
    await bob!.delete(`/bots/${his.id}`);
  });

  test("25 bots are the most, also when made all at once; a deleted one makes room", async () => {
    const maker = await house().person("maker");
    const make = () => insisted(() => maker.post<Bot>("/bots", { name: "One of many" }));
    const statuses = (await Promise.all(Array.from({ length: 30 }, make))).map((answer) => answer.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(25);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
    const bots = (await maker.get<Bot[]>("/bots")).body;
    expect(bots.map((bot) => bot.id)).toEqual(bots.map((bot) => bot.id).sort());
    expect((await maker.delete(`/bots/${bots[0]?.id}`)).status).toBe(204);
    expect(verdict(await make())).toBe("201");
    expect(verdict(await make())).toBe("409 conflict");
  });

  test("a new name is told to those who share a server, and stands above old messages; each change leaves the rest", async () => {
    const home = await alice!.makeServer();
    await alice!.bringIn(home.id, bob!);
    const bot = await TestBot.make(alice!, "Old name");
    await bot.enter(home.id);
    await bot.say(home.general.id, "Hello");
    const newest = async () =>
      (await bob!.get<Message[]>(`/channels/${home.general.id}/messages`)).body[0]?.author;
    expect(await newest()).toMatchObject({ id: bot.id, display_name: "Old name", kind: "bot" });
    const ear = await bob!.listen();
    expect((await alice!.patch(`/bots/${bot.id}`, { name: "New name" })).body.name as unknown).toBe(
      "New name",
    );
    expect((await alice!.patch(`/bots/${bot.id}`, { name: "New name", description: "more" })).status).toBe(
      200,
    );
    await ear.settle();
    expect(
      ear.heard("USER_UPDATE").map(({ data }) => [data.id, data.display_name, data.bot] as unknown),
    ).toEqual([[bot.id, "New name", true]]);
    expect(await newest()).toMatchObject({ display_name: "New name" });
    const told = async () => {
      const { name, description } = (await alice!.get<Bot>(`/bots/${bot.id}`)).body;
      return [name, description];
    };
    expect(await told()).toEqual(["New name", "more"]);
    await alice!.patch(`/bots/${bot.id}`, { name: "Newest name" });
    expect(await told()).toEqual(["Newest name", "more"]);
    await alice!.patch(`/bots/${bot.id}`, { description: null });
    expect(await told()).toEqual(["Newest name", ""]);
    ear.close();
  });
});
