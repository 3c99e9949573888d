// Mentions in messages: members only, and roles and @everyone only from authors who may manage messages.
import { beforeAll, expect, test } from "bun:test";
import { allPermissions, permission } from "../../protocol/permissions.ts";
import { nextTurn } from "../../server/house/pieces.ts";
import { UnitOfWork } from "../../server/house/unit.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import type { Role } from "../roles/contract.ts";
import { mentionsIn } from "./addressing.ts";
import type { Message } from "./contract.ts";

onEachEngine("mentions", (house) => {
  let [olga, bob, mia, sam]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  let [mods, squad]: Role[] = [];

  beforeAll(async () => {
    [olga, bob, mia, sam] = await Promise.all(
      ["olga", "Bob", "mia", "sam"].map((name) => house().person(name)),
    );
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!, mia!);
    const make = async (name: string) =>
      (await olga!.post<Role>(`/servers/${home.id}/roles`, { name, position: 1 })).body;
    [mods, squad] = [await make("Mods"), await make("Mods of the North")];
  });

  const mentions = async (by: TestPerson | undefined, text: string) =>
    (await by!.say(home.general.id, text)).mentions;
  const none = { user_ids: [], role_ids: [], everyone: false };

  test("members are mentioned by name and by id, in any case, once each, in the order of the text", async () => {
    const text = `@${mia!.username.toUpperCase()}, <@${bob!.id}> and @${bob!.username}.`;
    expect(await mentions(olga, text)).toEqual({ ...none, user_ids: [mia!.id, bob!.id] });
    expect(await mentions(bob, `it is I, @${bob!.username}`)).toEqual({ ...none, user_ids: [bob!.id] });
  });

  test("who is no member, does not exist, or stands in code is not mentioned", async () => {
    const text = `@${sam!.username} <@${sam!.id}> @nobody \`@${bob!.username}\` x@${bob!.username} <@&${home.everyone.id}>`;
    expect(await mentions(olga, text)).toEqual(none);
  });

  test("@everyone and roles count from the owner, and from members with MANAGE_MESSAGES or ADMINISTRATOR", async () => {
    const text = `@everyone @mods <@&${squad!.id}>`;
    const all = { user_ids: [], role_ids: [mods!.id, squad!.id], everyone: true };
    expect(await mentions(olga, text)).toEqual(all);
    expect(await mentions(mia, text)).toEqual(none);
    const role = await olga!.giveRole(home.id, mia!, permission.MANAGE_MESSAGES);
    expect(await mentions(mia, text)).toEqual(all);
    await olga!.patch(`/servers/${home.id}/roles/${role.id}`, { permissions: permission.ADMINISTRATOR });
    expect(await mentions(mia, text)).toEqual(all);
    await olga!.delete(`/servers/${home.id}/roles/${role.id}`);
    expect(await mentions(mia, text)).toEqual(none);
  });

  test("what stands in an address or in code calls nobody; what ends a sentence ends a call", async () => {
    const name = bob!.username;
    const texts: Readonly<Record<string, object>> = {
      "Dinner is ready, @everyone.": { ...none, everyone: true },
      "@everyone... please": { ...none, everyone: true },
      "so...@everyone": { ...none, everyone: true },
      ".@everyone": { ...none, everyone: true },
      "-@everyone": { ...none, everyone: true },
      "joe.@everyone": none,
      "a-@everyone": none,
      "https://tube.example/@everyone/videos": none,
      [`https://social.example/@${name}`]: none,
      [`[her page](https://social.example/@${name})`]: none,
      [`\`\`\`\n@${name}`]: none,
      [`_@${name}_`]: { ...none, user_ids: [bob!.id] },
    };
    for (const [text, expected] of Object.entries(texts))
      expect({ text, ...(await mentions(olga, text)) }).toEqual({ text, ...expected } as never);
  });

  test("the longest role that fits is meant", async () => {
    expect((await mentions(olga, "@Mods of the north!")).role_ids).toEqual([squad!.id]);
    expect((await mentions(olga, "@Mods of the Northern Lights")).role_ids).toEqual([mods!.id]);
  });

  test("a role of another server means nobody here", async () => {
    const elsewhere = await olga!.makeServer("Elsewhere");
    const role = (await olga!.post<Role>(`/servers/${elsewhere.id}/roles`, { name: "Foreign" })).body;
    expect(await mentions(olga, `@Foreign <@&${role.id}>`)).toEqual(none);
  });

  test("a role is called by the name that it has now, the highest of those that share it, and none once it is gone", async () => {
    const path = `/servers/${home.id}/roles`;
    const [low, high] = [
      (await olga!.post<Role>(path, { name: "Cooks", position: 1 })).body,
      (await olga!.post<Role>(path, { name: "Bakers", position: 5 })).body,
    ];
    expect((await mentions(olga, "@cooks @bakers")).role_ids).toEqual([low.id, high.id]);
    await olga!.patch(`${path}/${low.id}`, { name: "Bakers" });
    expect((await mentions(olga, "@cooks @bakers")).role_ids).toEqual([high.id]);
    await olga!.delete(`${path}/${high.id}`);
    expect((await mentions(olga, `@bakers <@&${high.id}>`)).role_ids).toEqual([low.id]);
    await olga!.delete(`${path}/${low.id}`);
    expect(await mentions(olga, "@bakers")).toEqual(none);
  });

  test("the name of who left, and of who has just come, means what it means at that moment", async () => {
    const guest = await house().person("guest");
    const text = `@${guest.username}`;
    expect(await mentions(olga, text)).toEqual(none);
    await olga!.bringIn(home.id, guest);
    expect((await mentions(olga, text)).user_ids).toEqual([guest.id]);
    await guest.delete(`/servers/${home.id}/members/@me`);
    expect(await mentions(olga, text)).toEqual(none);
  });

  test("correcting a message finds its mentions anew", async () => {
    const message = await olga!.say(home.general.id, `@${bob!.username} @everyone`);
    const changed = await olga!.patch<Message>(`/messages/${message.id}`, { content: `@${mia!.username}` });
    expect(changed.body.mentions).toEqual({ ...none, user_ids: [mia!.id] });
    expect((await bob!.get<Message>(`/messages/${message.id}`)).body.mentions).toEqual(changed.body.mentions);
  });

  test("@everyone and roles count by MANAGE_MESSAGES and by no other right, in a correction as in a post", async () => {
    const { MANAGE_MESSAGES, ADMINISTRATOR } = permission;
    const role = await olga!.giveRole(home.id, mia!, allPermissions & ~(MANAGE_MESSAGES | ADMINISTRATOR));
    const { id } = await mia!.say(home.general.id, "Nobody is meant.");
    const corrected = async (content: string) =>
      (await mia!.patch<Message>(`/messages/${id}`, { content })).body.mentions;
    const all = { user_ids: [], role_ids: [mods!.id], everyone: true };
    expect([await mentions(mia, "@everyone @Mods"), await corrected("@everyone @Mods")]).toEqual([
      none,
      none,
    ]);
    await olga!.patch(`/servers/${home.id}/roles/${role.id}`, { permissions: MANAGE_MESSAGES });
    expect([await mentions(mia, "@everyone @Mods"), await corrected("@Mods, @everyone")]).toEqual([all, all]);
    await olga!.delete(`/servers/${home.id}/roles/${role.id}`);
  });

  test("at most a hundred people and roles are mentioned by one message", async () => {
    const roles: Role[] = [];
    for (let i = 0; i < 120; i += 20) {
      const some = Array.from({ length: 20 }, (_, k) =>
        insisted(() => olga!.post<Role>(`/servers/${home.id}/roles`, { name: `r${i + k}`, position: 1 })),
      );
      roles.push(...(await Promise.all(some)).map((answer) => answer.body));
    }
    const text = roles.map((role) => `@${role.name}`).join(" ");
    const { role_ids } = await mentions(olga, text);
    expect(role_ids).toEqual(roles.slice(0, 100).map((role) => role.id));
    const together = await mentions(olga, `@${bob!.username} ${text} @${mia!.username}`);
    expect(together).toEqual({
      ...none,
      user_ids: [bob!.id],
      role_ids: roles.slice(0, 99).map((role) => role.id),
    });
  });

  test("of many people who are addressed at once the house asks at once, and mentions those who are here", async () => {
    const strangers = Array.from({ length: 80 }, () => `<@${crypto.randomUUID()}>`).join("");
    const text = `${strangers} <@${sam!.id}> @${bob!.username} <@${mia!.id}>`;
    await mentions(olga, "as if it had been read before");
    const { answer, statements } = await statementsOf(house(), () => mentions(olga, text));
    expect(answer).toEqual({ ...none, user_ids: [bob!.id, mia!.id] });
    expect(statements.filter((each) => /from "members"/.test(each)).length).toBeLessThan(10);
  });

  test("texts that name many, or are long, are read one in each turn of the event loop, but where a transaction waits", async () => {
    const running = house().running.house;
    const author = { serverId: home.id, mayMentionMany: false };
    const many = Array.from({ length: 100 }, () => `<@${crypto.randomUUID()}>`).join("");
    const readMany = async (text: string, isWaitedFor: boolean) => {
      let turns = 0;
      let isDone = false;
      const counting = (async () => {
        for (; !isDone; turns++) await nextTurn();
      })();
      const reading = Array.from({ length: 200 }, () => {
        const unit = new UnitOfWork(running, running.database.read, "cached");
        unit.isWaitedFor = isWaitedFor;
        return mentionsIn(unit, author, text);
      });
      expect(await Promise.all(reading)).toHaveLength(200);
      isDone = true;
      await counting;
      return turns;
    };
    const long = `@nobody ${"a".repeat(500)}`;
    for (const text of [many, long]) expect(await readMany(text, false)).toBeGreaterThan(190);
    // Waiting for PostgreSQL takes turns of the event loop as well.
    if (running.isShared) return;
    for (const text of [many, long]) expect(await readMany(text, true)).toBeLessThan(20);
    expect(await readMany("@nobody is short", false)).toBeLessThan(20);
  });
});
